import type { Consumer } from '../../platform/consumers/consumer.ts'
import { editsOf } from '../message-edits/queries/index.ts'
import { messageSent } from '../messages/contract/index.ts'
import { pairEventsWithMessages } from '../messages/queries/index.ts'
import { messagePayload } from '../messages/rules/payload.ts'
import { requestPreviews, showPreviews } from './actions.ts'

export const schedulePreviews: Consumer = {
  name: 'notePreviews',
  events: [messageSent],
  isNeeded: (_organization, { payload }) => payload['to_preview'] !== undefined,
  async run(tx, events) {
    const announced = await pairEventsWithMessages(tx, events)
    const ids = announced.map(([, { id }]) => id)
    const edits = await editsOf(tx.db, tx.organizationId, ids)
    const known: number[] = []
    for (const [event, { id }] of announced) {
      const { to_preview = [] } = messagePayload(event)
      // A later edit may have changed the links.
      const isEdited = edits.get(id)?.some(({ prev_content }) => prev_content !== null) === true
      if (!isEdited && (await requestPreviews(tx, id, to_preview)).length > 0) known.push(id)
    }
    await showPreviews(tx, known)
  },
}
