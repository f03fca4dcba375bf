import type { Consumer } from '../../platform/consumers/consumer.ts'
import { messageSent } from '../messages/contract/index.ts'
import { pairEventsWithMessages } from '../messages/queries/index.ts'
import { userById } from '../users/queries/index.ts'
import { addDelivery } from './actions.ts'
import { triggeredBots } from './rules.ts'

/** Ignores messages from bots, because two bots could reply to each other forever. */
export const queueWebhookDeliveries: Consumer = {
  name: 'noteForWebhooks',
  events: [messageSent],
  isNeeded: (organization, event) => triggeredBots(organization, event).length > 0,
  async run(tx, events) {
    for (const [event, message] of await pairEventsWithMessages(tx, events)) {
      if (userById(tx.organization, message.senderId)?.botType !== null) continue
      for (const triggered of triggeredBots(tx.organization, event)) await addDelivery(tx, message.id, triggered)
    }
  },
}
