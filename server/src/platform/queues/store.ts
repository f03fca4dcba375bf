import { sql, type Kysely, type RawBuilder } from 'kysely'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { Limit } from '../../kernel/limits.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { Db, Tx } from '../../kernel/transaction.ts'
import type { Registration } from '../../kernel/viewer.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { unpackedRows } from '../log/packing.ts'
import type { LogRow } from '../log/row.ts'
import type { StoredQueue } from './queue.ts'

export const QUEUE_LIMIT: Limit = {
  most: 200,
  per: 'user',
  what: 'event queues; the one that was unused for longest ends',
}

/** Rows of the log that one read takes when a queue catches up. */
const READ_EVENTS = 500
/**
 * What these rows say, and what of messages is read for them: so much, and one more. A queue keeps half of it, and that
 * again is read for the next poll.
 */
export const READ_BYTES = 1024 * 1024

const OLDEST_EVENT = 'select position from events where organization_id = $1 order by position limit 1'

/** Without the changes to the projections: the state has made them. */
const EVENTS_BETWEEN = `
  select position, type, "refId", audience, payload, null as changes from (
    select position, type, ref_id as "refId", audience, payload,
      sum(octet_length(audience::text) + octet_length(payload::text))
        over (order by position rows between unbounded preceding and 1 preceding) as before
    from events where organization_id = $1 and position > $2 and position <= $3
    order by position limit ${READ_EVENTS}) e
  where before is null or before < ${READ_BYTES} order by position`

/**
 * The events after one position up to another, oldest first, as many as one read takes; `pruned` when the log no longer
 * goes back that far.
 */
export async function readLog(
  reads: Db,
  organizationId: number,
  after: number,
  upTo: number,
): Promise<readonly LogRow[] | 'pruned'> {
  const [oldest] = await reads.rows<{ position: number }>('oldest_event', OLDEST_EVENT, [organizationId])
  if (oldest === undefined || oldest.position > after + 1) return 'pruned'
  // The columns are jsonb of exactly these shapes; only the log's writer fills them.
  return unpackedRows(await reads.rows<LogRow>('events_between', EVENTS_BETWEEN, [organizationId, after, upTo]))
}

/** Queues that one statement inserts: it may have 65,535 parameters, and each queue takes eight. */
const INSERT_QUEUES = 1_000

/** A queue that is to be written. */
interface Waiting {
  readonly organizationId: number
  readonly queue: StoredQueue
  /** Queues of the same user at which clients wait. */
  readonly waitedFor: readonly string[]
  /** @param ended queues of the same user that ended for it */
  readonly resolve: (ended: readonly string[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes new queues: all that wait while others are written go together, as when all clients come back at once. Of a user
 * with too many, those end that were unused for longest; the writer returns which.
 */
export function queueWriter(
  db: Kysely<Tables>,
): (organizationId: number, queue: StoredQueue, waitedFor: readonly string[]) => Promise<readonly string[]> {
  const waiting: Waiting[] = []
  let isWriting = false
  const write = async (): Promise<void> => {
    isWriting = true
    while (waiting.length > 0) await insertTogether(db, waiting.splice(0, INSERT_QUEUES))
    isWriting = false
  }
  return async (organizationId, queue, waitedFor) =>
    new Promise((resolve, reject) => {
      waiting.push({ organizationId, queue, waitedFor, resolve, reject })
      if (!isWriting) void write()
    })
}

/** Tells each whether it is there; what the database refuses of one does not keep it from taking the others. */
async function insertTogether(db: Kysely<Tables>, batch: readonly Waiting[]): Promise<void> {
  try {
    await insertQueues(db, batch)
  } catch (error) {
    if (batch.length === 1) for (const { reject } of batch) reject(error)
    else for (const one of batch) await insertTogether(db, [one])
    return
  }
  try {
    const ended = await endSurplus(db, batch)
    for (const { queue, resolve } of batch) resolve(ended.get(queue) ?? [])
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

async function insertQueues(db: Kysely<Tables>, batch: readonly Waiting[]): Promise<void> {
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

/** Ends the queues that users have too many of, with what is written now. @returns them by what is written */
async function endSurplus(db: Kysely<Tables>, batch: readonly Waiting[]): Promise<Map<StoredQueue, readonly string[]>> {
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

const QUEUES = `
  select id, user_id as "userId", registration::text, start_position as start, last_used_at as "lastUsedAt",
    lifespan_seconds as "lifespanSeconds", session_id as "loginId"
  from queues where organization_id = $1 and id = any($2::text[])`

const MAX_REGISTRATIONS = 1_000
/** Longer ones name what few queues do. */
const MAX_SHARED_CHARACTERS = 2_000

/**
 * What queues were registered with, by their texts. Most clients say the same, and ten thousand queues that are read when a server
 * starts share what would be an object, with more of them in it, for each.
 */
const registrations = new BoundedCache<string, Registration>(MAX_REGISTRATIONS)

function registrationIn(text: string): Registration {
  const known = registrations.get(text)
  if (known !== undefined) return known
  // It was written by `queueWriter` alone.
  const registration = JSON.parse(text) as Registration
  if (text.length <= MAX_SHARED_CHARACTERS) registrations.set(text, registration)
  return registration
}

/** Queues by id, whichever server they were registered at. */
async function queuesById(
  reads: Db,
  organizationId: number,
  ids: readonly string[],
): Promise<Map<string, StoredQueue>> {
  type Row = Omit<StoredQueue, 'registration'> & { readonly registration: string }
  const rows = await reads.rows<Row>('queues_by_id', QUEUES, [organizationId, ids])
  return new Map(rows.map((row) => [row.id, { ...row, registration: registrationIn(row.registration) }]))
}

/** A queue of a user, whichever server it was registered at. */
export async function findQueue(
  reads: Db,
  organizationId: number,
  userId: number,
  id: string,
): Promise<StoredQueue | undefined> {
  const queue = (await queuesById(reads, organizationId, [id])).get(id)
  return queue?.userId === userId ? queue : undefined
}

/** Queues that one statement reads. */
const READ_QUEUES = 500

/** Finds queues as `findQueue` does: all of an organization that are asked for while others are read go together. */
export type QueueReader = (organizationId: number, userId: number, id: string) => Promise<StoredQueue | undefined>

/** A queue that is to be read. */
interface Wanted {
  readonly userId: number
  readonly id: string
  readonly resolve: (queue: StoredQueue | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * When a server starts, all clients ask for theirs at once: ten thousand statements on their way would take more memory than
 * what they find.
 */
export function queueReader(reads: Db): QueueReader {
  /** Of the organizations for which something is being read. */
  const waiting = new Map<number, Wanted[]>()
  const readAll = async (organizationId: number, queue: Wanted[]): Promise<void> => {
    while (queue.length > 0) await readTogether(reads, organizationId, queue.splice(0, READ_QUEUES))
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

/** Tells each what was found; what the database refuses of one does not keep the others from theirs. */
async function readTogether(reads: Db, organizationId: number, batch: readonly Wanted[]): Promise<void> {
  let queues: Map<string, StoredQueue>
  try {
    const ids = batch.map(({ id }) => id)
    queues = await queuesById(reads, organizationId, ids)
  } catch (error) {
    if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error)
    else for (const one of batch) await readTogether(reads, organizationId, [one])
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

/** When a queue is collected if it stays unused: `times` as long after its last use as it may be idle. */
function collectedAt(idleSeconds: number, times = 1): RawBuilder<number> {
  return sql<number>`last_used_at + ${times}::int * greatest(lifespan_seconds, ${idleSeconds}::int)`
}

/** What names a queue among those of all organizations. */
export interface QueueName {
  readonly organizationId: number
  readonly id: string
}

/** Deletes those of the queues that no server noted a use of for too long. */
export async function deleteIdle(
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
      and ${collectedAt(idleSeconds)} < ${now}`.execute(db)
}

/**
 * Notes when queues were last used.
 * @returns those that exist. Two servers may hold the same ones, so that all note them in one order.
 */
export async function noteUse<Used extends QueueName & { readonly at: number }>(
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

/** Deletes queues of servers that are gone. Twice the time, since others note their use only at their own sweeps. */
export async function deleteUnused(db: Kysely<Tables>, now: number, idleSeconds: number): Promise<void> {
  await db.deleteFrom('queues').where(collectedAt(idleSeconds, 2), '<', now).execute()
}

/** Deletes the queues of a user who may no longer use them, inside the transaction that says so. */
export async function dropQueuesOf(tx: Tx, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('queues')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .execute()
}

/** Deletes all queues of an organization, inside the transaction that ends it. */
export async function dropAllQueues(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('queues').where('organization_id', '=', tx.organizationId).execute()
}

/** Deletes the queues that a user registered in sessions or with API tokens, inside the transaction that ends these. */
export async function dropQueuesOfLogins(tx: Tx, userId: number, loginIds: readonly number[]): Promise<void> {
  await tx.db
    .deleteFrom('queues')
    .where('organization_id', '=', tx.organizationId)
    .where('user_id', '=', userId)
    .where('session_id', 'in', loginIds)
    .execute()
}
