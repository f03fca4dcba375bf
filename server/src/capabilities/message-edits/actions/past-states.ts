import type { SharedTx } from '../../../kernel/transaction.ts'

/** States of its content that a message keeps beside its first one and the one it has. */
export const MAX_PAST_STATES = 100
/** All of them together, as text and as HTML. */
export const MAX_PAST_BYTES = 1_000_000

/**
 * Deletes past states of a message's content that are too many: not the first one, and of the others the oldest. Where
 * it was stays known.
 */
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
