import { createHash } from 'node:crypto'
import type { StatementPart, ResultRow } from '../part.ts'

/** A message that had been sent before. */
interface RepeatedRow extends ResultRow {
  readonly id: number
}

/**
 * Some messages may have been sent before: a retry of (`queue_id`, `local_id`) finds the first message instead of
 * sending a second.
 */
export const retries: StatementPart = {
  name: 'retry',
  isNeeded: ({ inserts }) => inserts.some(({ message }) => message.queueId !== null && message.localId !== null),
  given: [
    { name: 'queue_id', type: 'text', valueOf: ({ message }) => message.queueId },
    {
      name: 'local_id',
      type: 'text',
      valueOf: ({ message }) => (message.localId === null ? null : localKey(message.localId)),
    },
  ],
  leavesOut: {
    relation: 'sent',
    sql: () => `
sent as materialized (
  select given.n, s.message_id from given
  join queues q on q.organization_id = $organization and q.id = given.queue_id and q.user_id = given.sender_id
  join sent_local_ids s
    on s.organization_id = $organization and s.queue_id = given.queue_id and s.local_id = given.local_id)`,
  },
  sql: () => `
local as (
  insert into sent_local_ids (organization_id, queue_id, local_id, message_id)
  select $organization, placed.queue_id, placed.local_id, placed.id from placed
  join queues q on q.organization_id = $organization and q.id = placed.queue_id and q.user_id = placed.sender_id
  where placed.local_id is not null)`,
  answers: [{ what: 'repeated', columns: { n: 'n', base: 'base', id: 'message_id' }, from: 'sent cross join lock' }],
  results(rows, _, { outcomes }) {
    for (const row of rows.filter((one): one is RepeatedRow => one.what === 'repeated')) {
      outcomes.set(row.n, { id: row.id, fresh: false })
    }
  },
}

/** Longer ones would not fit into an index of the database, whatever characters they have. */
const MAX_STORED_LOCAL_ID_BYTES = 400

/**
 * The key by which a retry finds the first message: the client's id, or a digest of one that is too long to be looked
 * up.
 */
function localKey(localId: string): string {
  if (Buffer.byteLength(localId) <= MAX_STORED_LOCAL_ID_BYTES) return localId
  return `sha256:${createHash('sha256').update(localId).digest('hex')}`
}
