import { sql, type Kysely, type RawBuilder, type Generated } from 'kysely'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { Limit } from '../../kernel/limits.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { Db, Tx } from '../../kernel/transaction.ts'
import type { Registration } from '../../kernel/viewer.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { unpackRows } from '../log/packing.ts'
import type { LogRow } from '../log/row.ts'
import type { StoredQueue } from './queue.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    queues: {
      organization_id: number
      id: string
      user_id: number
      registration: Json<object>
      start_position: number
      last_used_at: number
      lifespan_seconds: Generated<number>
      /** Login that registered the queue. The queue ends with this login. Null for an API key. */
      session_id: Generated<number | null>
    }
  }
}

export const QUEUE_LIMIT: Limit = {
  most: 200,
  per: 'user',
  what: 'event queues; the least recently used one ends',
}

const MAX_EVENTS_PER_READ = 500
/** Limit on one read, exceeded by at most one row. A queue keeps half; the rest is read again for the next poll. */
export const MAX_READ_BYTES = 1024 * 1024

const OLDEST_EVENT_SQL = 'select position from events where organization_id = $1 order by position limit 1'

/** Reads events but not their projection changes, which are already applied. */
const EVENTS_BETWEEN_SQL = `
  select position, type, "refId", audience, payload, null as changes from (
    select position, type, ref_id as "refId", audience, payload,
      sum(octet_length(audience::text) + octet_length(payload::text))
        over (order by position rows between unbounded preceding and 1 preceding) as before
    from events where organization_id = $1 and position > $2 and position <= $3
    order by position limit ${MAX_EVENTS_PER_READ}) e
  where before is null or before < ${MAX_READ_BYTES} order by position`

export async function readLog(
  reads: Db,
  organizationId: number,
  after: number,
  upTo: number,
): Promise<readonly LogRow[] | 'pruned'> {
  const [oldest] = await reads.rows<{ position: number }>('oldest_event', OLDEST_EVENT_SQL, [organizationId])
  if (oldest === undefined || oldest.position > after + 1) return 'pruned'
  // Safe: only the log's writer fills the jsonb columns.
  return unpackRows(await reads.rows<LogRow>('events_between', EVENTS_BETWEEN_SQL, [organizationId, after, upTo]))
}

/** A statement has at most 65,535 parameters, and each queue uses eight. */
const MAX_QUEUES_PER_INSERT = 1_000

interface PendingQueue {
  readonly organizationId: number
  readonly queue: StoredQueue
  readonly waitedFor: readonly string[]
  /** `ended` are the user's queues that were ended to make room. */
  readonly resolve: (ended: readonly string[]) => void
  readonly reject: (error: unknown) => void
}

/** Batches writes: all clients can return at once. Above a user's limit, ends the least recently used queue. */
export function queueWriter(
  db: Kysely<Tables>,
): (organizationId: number, queue: StoredQueue, waitedFor: readonly string[]) => Promise<readonly string[]> {
  const waiting: PendingQueue[] = []
  let isWriting = false
  const write = async (): Promise<void> => {
    isWriting = true
    while (waiting.length > 0) await insertBatch(db, waiting.splice(0, MAX_QUEUES_PER_INSERT))
    isWriting = false
  }
  return async (organizationId, queue, waitedFor) =>
    new Promise((resolve, reject) => {
      waiting.push({ organizationId, queue, waitedFor, resolve, reject })
      if (!isWriting) void write()
    })
}

async function insertBatch(db: Kysely<Tables>, batch: readonly PendingQueue[]): Promise<void> {
  try {
    await insertQueues(db, batch)
  } catch (error) {
    if (batch.length === 1) for (const { reject } of batch) reject(error)
    else for (const one of batch) await insertBatch(db, [one])
    return
  }
  try {
    const ended = await endSurplusQueues(db, batch)
    for (const { queue, resolve } of batch) resolve(ended.get(queue) ?? [])
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

async function insertQueues(db: Kysely<Tables>, batch: readonly PendingQueue[]): Promise<void> {
  await db
    .insertInto('queues')
    .values(
      batch.map(({ organizationId, queue }) => ({
        organization_id: organizationId,
        id: queue.id,
        user_id: queue.userId,
        registration: JSON.stringify(queue.registration),
        start_position: queue.start,
        last_used_at: queue.lastUsedAt,
        lifespan_seconds: queue.lifespanSeconds,
        session_id: queue.loginId,
      })),
    )
    .execute()
}

async function endSurplusQueues(
  db: Kysely<Tables>,
  batch: readonly PendingQueue[],
): Promise<Map<StoredQueue, readonly string[]>> {
  const ended = new Map<StoredQueue, readonly string[]>()
  for (const organizationId of new Set(batch.map((waiting) => waiting.organizationId))) {
    const mine = batch.filter((waiting) => waiting.organizationId === organizationId)
    const queues = mine.map(({ queue }) => queue)
    const waitedFor = mine.flatMap((waiting) => waiting.waitedFor)
    const { rows } = await sql<{ id: string; userId: number }>`
      delete from queues q using (
        select id, row_number() over (
          partition by user_id order by id = any(${queues.map(({ id }) => id)}) desc, id = any(${waitedFor}) desc,
            last_used_at desc) as place
        from queues where organization_id = ${organizationId} and user_id = any(${queues.map(({ userId }) => userId)})
      ) ranked
      where q.organization_id = ${organizationId} and q.id = ranked.id and ranked.place > ${QUEUE_LIMIT.most}
      returning q.id, q.user_id as "userId"`.execute(db)
    if (rows.length === 0) continue
    for (const queue of queues) {
      ended.set(
        queue,
        rows.filter(({ userId }) => userId === queue.userId).map(({ id }) => id),
      )
    }
  }
  return ended
}

const QUEUES_SQL = `
  select id, user_id as "userId", registration::text, start_position as start, last_used_at as "lastUsedAt",
    lifespan_seconds as "lifespanSeconds", session_id as "loginId"
  from queues where organization_id = $1 and id = any($2::text[])`

const MAX_CACHED_REGISTRATIONS = 1_000
/** Length above which registrations are rarely shared. */
const MAX_SHARED_REGISTRATION_CHARACTERS = 2_000

/** Registrations by text. Most clients send the same text, so thousands of queues share one object. */
const registrations = new BoundedCache<string, Registration>(MAX_CACHED_REGISTRATIONS)

function parseRegistration(text: string): Registration {
  const known = registrations.get(text)
  if (known !== undefined) return known
  // Safe: only `queueWriter` writes this text.
  const registration = JSON.parse(text) as Registration
  if (text.length <= MAX_SHARED_REGISTRATION_CHARACTERS) registrations.set(text, registration)
  return registration
}

async function queuesById(
  reads: Db,
  organizationId: number,
  ids: readonly string[],
): Promise<Map<string, StoredQueue>> {
  type Row = Omit<StoredQueue, 'registration'> & { readonly registration: string }
  const rows = await reads.rows<Row>('queues_by_id', QUEUES_SQL, [organizationId, ids])
  return new Map(rows.map((row) => [row.id, { ...row, registration: parseRegistration(row.registration) }]))
}

const MAX_QUEUES_PER_READ = 500

export type QueueReader = (organizationId: number, userId: number, id: string) => Promise<StoredQueue | undefined>

interface QueueLookup {
  readonly userId: number
  readonly id: string
  readonly resolve: (queue: StoredQueue | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Reads queues in batches: after a restart, 10,000 statements would use more memory than their results. */
export function queueReader(reads: Db): QueueReader {
  const waiting = new Map<number, QueueLookup[]>()
  const readAll = async (organizationId: number, queue: QueueLookup[]): Promise<void> => {
    while (queue.length > 0) await readBatch(reads, organizationId, queue.splice(0, MAX_QUEUES_PER_READ))
    waiting.delete(organizationId)
  }
  return async (organizationId, userId, id) =>
    new Promise((resolve, reject) => {
      const wanted = { userId, id, resolve, reject }
      const others = waiting.get(organizationId)
      if (others !== undefined) {
        others.push(wanted)
        return
      }
      const queue = [wanted]
      waiting.set(organizationId, queue)
      void readAll(organizationId, queue)
    })
}

async function readBatch(reads: Db, organizationId: number, batch: readonly QueueLookup[]): Promise<void> {
  let queues: Map<string, StoredQueue>
  try {
    const ids = batch.map(({ id }) => id)
    queues = await queuesById(reads, organizationId, ids)
  } catch (error) {
    if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error)
    else for (const one of batch) await readBatch(reads, organizationId, [one])
    return
  }
  for (const { userId, id, resolve } of batch) {
    const queue = queues.get(id)
    resolve(queue?.userId === userId ? queue : undefined)
  }
}

export async function deleteQueue(db: Kysely<Tables>, organizationId: number, id: string): Promise<void> {
  await db.deleteFrom('queues').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

function idleEndSql(idleSeconds: number, times = 1): RawBuilder<number> {
  return sql<number>`last_used_at + ${times}::int * greatest(lifespan_seconds, ${idleSeconds}::int)`
}

export interface QueueName {
  readonly organizationId: number
  readonly id: string
}

/** Deletes idle queues, except those that another server has used. */
export async function deleteIdleQueues(
  db: Kysely<Tables>,
  queues: readonly QueueName[],
  now: number,
  idleSeconds: number,
): Promise<void> {
  if (queues.length === 0) return
  const [organizations, ids] = [queues.map(({ organizationId }) => organizationId), queues.map(({ id }) => id)]
  await sql`
    delete from queues q using unnest(${organizations}::bigint[], ${ids}::text[]) as idle(organization_id, id)
    where q.organization_id = idle.organization_id and q.id = idle.id
      and ${idleEndSql(idleSeconds)} < ${now}`.execute(db)
}

/** Locks rows in sorted order, so that two servers cannot deadlock. Returns the queues that exist. */
export async function recordQueueUses<Used extends QueueName & { readonly at: number }>(
  db: Kysely<Tables>,
  uses: readonly Used[],
): Promise<ReadonlySet<Used>> {
  if (uses.length === 0) return new Set()
  const organizations = uses.map(({ organizationId }) => organizationId)
  const { rows } = await sql<{ number: number }>`
    update queues q set last_used_at = greatest(q.last_used_at, used.at)
    from (
      select q.organization_id, q.id, used.at, used.number from queues q
      join unnest(${organizations}::bigint[], ${uses.map(({ id }) => id)}::text[], ${uses.map(({ at }) => at)}::bigint[])
        with ordinality as used(organization_id, id, at, number)
        on q.organization_id = used.organization_id and q.id = used.id
      order by q.organization_id, q.id for update of q
    ) used
    where q.organization_id = used.organization_id and q.id = used.id
    returning used.number`.execute(db)
  return new Set(rows.flatMap(({ number }) => uses[number - 1] ?? []))
}

/** Deletes queues unused for twice the idle time, because servers record use only when they sweep. */
export async function deleteUnusedQueues(db: Kysely<Tables>, now: number, idleSeconds: number): Promise<void> {
  await db.deleteFrom('queues').where(idleEndSql(idleSeconds, 2), '<', now).execute()
}

export async function deleteQueuesOfUser(tx: Tx, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('queues')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteAllQueues(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('queues').where('organization_id', '=', tx.organizationId).execute()
}

export async function deleteQueuesOfLogins(tx: Tx, userId: number, loginIds: readonly number[]): Promise<void> {
  await tx.db
    .deleteFrom('queues')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .where('session_id', 'in', loginIds)
    .execute()
}
