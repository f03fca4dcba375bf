import type { Consumer } from '../../platform/consumers/consumer.ts'
import { editsOf } from '../message-edits/queries/index.ts'
import { messageSent } from '../messages/contract/index.ts'
import { messagesById } from '../messages/queries/index.ts'
import type { MessagePayload } from '../messages/rules/payload.ts'
import { linkPreviews, showPreviews } from './actions.ts'

/** The links of messages are followed. An edit notes by itself what it links. */
export const notePreviews: Consumer = {
  name: 'notePreviews',
  events: [messageSent],
  isNeeded: (_organization, { payload }) => payload['to_preview'] !== undefined,
  async run(tx, events) {
    const ids = events.map(({ position }) => position)
    const messages = await messagesById(tx.db, tx.organizationId, ids)
    const edits = await editsOf(tx.db, tx.organizationId, ids)
    const known: number[] = []
    for (const { position, payload } of events) {
      // Written by what sends messages.
      const { to_preview = [] } = payload as MessagePayload
      // The message may have been deleted since, or edited, and link something else.
      const isEdited = edits.get(position)?.some(({ prev_content }) => prev_content !== null) === true
      if (!messages.has(position) || isEdited) continue
      if ((await linkPreviews(tx, position, to_preview)).length > 0) known.push(position)
    }
    await showPreviews(tx, known)
  },
}
