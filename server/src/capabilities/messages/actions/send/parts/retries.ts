import { createHash } from 'node:crypto'
import type { ResultRow, StatementResults, StatementPart } from '../part.ts'

type RetryPart = StatementPart & Required<Pick<StatementPart, 'leavesOut'>>

interface RepeatedRow extends ResultRow {
  readonly id: number
}

function setRepeatedOutcomes(rows: readonly ResultRow[], what: string, { outcomes }: StatementResults): void {
  for (const row of rows.filter((one): one is RepeatedRow => one.what === what)) {
    outcomes.set(row.n, { id: row.id, fresh: false })
  }
}

export const retriesPart: RetryPart = {
  name: 'retry',
  isNeeded: ({ inserts }) => inserts.some(({ message }) => message.queueId !== null && message.localId !== null),
  given: [
    { name: 'queue_id', type: 'text', valueOf: ({ message }) => message.queueId },
    {
      name: 'local_id',
      type: 'text',
      valueOf: ({ message }) => (message.localId === null ? null : storedLocalId(message.localId)),
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
  results(rows, _, results) {
    setRepeatedOutcomes(rows, 'repeated', results)
  },
}

/** Longer IDs may not fit into an index, depending on their characters. */
const MAX_STORED_LOCAL_ID_BYTES = 400

/** Returns a digest if the local ID is too long. */
function storedLocalId(localId: string): string {
  if (Buffer.byteLength(localId) <= MAX_STORED_LOCAL_ID_BYTES) return localId
  return `sha256:${createHash('sha256').update(localId).digest('hex')}`
}

/** If a request and its retry run concurrently, the database rejects the later statement, which is then repeated. */
export const sendKeysPart: RetryPart = {
  name: 'key',
  isNeeded: ({ inserts }) => inserts.some(({ message }) => message.key !== null),
  given: [
    { name: 'send_key', type: 'text', valueOf: ({ message }) => message.key?.name ?? null },
    { name: 'request_digest', type: 'text', valueOf: ({ message }) => message.key?.requestDigest ?? null },
  ],
  leavesOut: {
    relation: 'known_key',
    sql: () => `
known_key as materialized (
  select given.n, k.message_id, k.request_digest = given.request_digest as is_retry from given
  join send_keys k
    on k.organization_id = $organization and k.user_id = given.sender_id and k.key = given.send_key)`,
  },
  sql: () => `
kept_key as (
  insert into send_keys (organization_id, user_id, key, request_digest, message_id, sent_at)
  select $organization, sender_id, send_key, request_digest, id, $now from placed where send_key is not null)`,
  answers: [
    {
      what: 'known key',
      columns: { n: 'n', base: 'base', id: 'message_id' },
      from: 'known_key cross join lock where is_retry',
    },
    { what: 'other request', columns: { n: 'n', base: 'base' }, from: 'known_key cross join lock where not is_retry' },
  ],
  results(rows, _, results) {
    setRepeatedOutcomes(rows, 'known key', results)
    for (const { what, n } of rows) if (what === 'other request') results.outcomes.set(n, 'other request')
  },
}
