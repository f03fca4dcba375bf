import type { Consumer } from '../../platform/consumers/consumer.ts'
import { messageSent } from '../messages/contract/index.ts'
import { messagesById } from '../messages/queries/index.ts'
import { userById } from '../users/queries/index.ts'
import { addDelivery } from './actions.ts'
import { triggeredBy } from './rules/index.ts'

/** What people say to outgoing webhook bots goes to these. What bots say does not: two of them would talk for ever. */
export const noteForWebhooks: Consumer = {
  name: 'noteForWebhooks',
  events: [messageSent],
  isNeeded: (organization, event) => triggeredBy(organization, event).length > 0,
  async run(tx, events) {
    const ids = events.map(({ position }) => position)
    const messages = await messagesById(tx.db, tx.organizationId, ids)
    for (const event of events) {
      // It may have been deleted since.
      const message = messages.get(event.position)
      const sender = message === undefined ? undefined : userById(tx.organization, message.senderId)
      if (message === undefined || sender === undefined || sender.botType !== null) continue
      for (const triggered of triggeredBy(tx.organization, event)) await addDelivery(tx, message.id, triggered)
    }
  },
}
