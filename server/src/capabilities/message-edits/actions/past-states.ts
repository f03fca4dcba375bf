import type { SharedTx } from '../../../kernel/transaction.ts'

/** Previous contents stored per message, besides the first and the current. */
export const MAX_PAST_STATES = 100
/** Maximum bytes of previous contents, text and HTML together. */
export const MAX_PAST_BYTES = 1_000_000

/** Deletes surplus previous contents, oldest first, but never the first content. Moves remain. */
export async function deleteSurplusStates(tx: SharedTx, messageId: number): Promise<void> {
  await tx.db.rows(
    'delete_surplus_states',
    `with state as (
       select position, row_number() over (order by position) as place,
         row_number() over (order by position desc) as age,
         sum(octet_length(prev_content) + octet_length(prev_rendered_content)) over (order by position desc) as bytes
       from message_edits where organization_id = $1 and message_id = $2 and prev_content is not null),
     surplus as (select position from state where place > 1 and (age > $3 or bytes > $4)),
     emptied as (
       update message_edits e set prev_content = null, prev_rendered_content = null from surplus s
       where e.organization_id = $1 and e.message_id = $2 and e.position = s.position and e.topic is not null)
     delete from message_edits e using surplus s
     where e.organization_id = $1 and e.message_id = $2 and e.position = s.position and e.topic is null`,
    [tx.organizationId, messageId, MAX_PAST_STATES, MAX_PAST_BYTES],
  )
}
