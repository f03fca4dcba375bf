import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { Tx } from '../../kernel/transaction.ts'
import type { Registration } from '../../kernel/viewer.ts'
import type { LogRow } from '../log/row.ts'
import type { StoredQueue } from './queue.ts'

/** Rows of the log that one read takes when a queue catches up. */
const READ_EVENTS = 500

/**
 * The events after one position up to another, oldest first; `pruned` when the log no longer goes back that far.
 */
export async function readLog(
  db: Kysely<Tables>,
  organizationId: number,
  after: number,
  upTo: number,
): Promise<readonly LogRow[] | 'pruned'> {
  const ofOrganization = db.selectFrom('events').where('organization_id', '=', organizationId)
  const oldest = await ofOrganization.select('position').orderBy('position').limit(1).executeTakeFirst()
  if (oldest === undefined || oldest.position > after + 1) return 'pruned'
  const rows = await ofOrganization
    .select(['position', 'type', 'ref_id as refId', 'audience', 'payload', 'changes'])
    .where('position', '>', after)
    .where('position', '<=', upTo)
    .orderBy('position')
    .limit(READ_EVENTS)
    .execute()
  // The columns are jsonb of exactly these shapes; only the log's writer fills them.
  return rows as LogRow[]
}

export async function insertQueue(db: Kysely<Tables>, organizationId: number, queue: StoredQueue): Promise<void> {
  await db
    .insertInto('queues')
    .values({
      organization_id: organizationId,
      id: queue.id,
      user_id: queue.userId,
      registration: JSON.stringify(queue.registration),
      start_position: queue.start,
      last_used_at: queue.lastUsedAt,
      lifespan_seconds: queue.lifespanSeconds,
    })
    .execute()
}

/** A queue of a user, whichever server it was registered at. */
export async function findQueue(
  db: Kysely<Tables>,
  organizationId: number,
  userId: number,
  id: string,
): Promise<StoredQueue | undefined> {
  const row = await db
    .selectFrom('queues')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    id,
    userId,
    // Written by `insertQueue` alone.
    registration: row.registration as Registration,
    start: row.start_position,
    lastUsedAt: row.last_used_at,
    lifespanSeconds: row.lifespan_seconds,
  }
}

export async function deleteQueue(db: Kysely<Tables>, organizationId: number, id: string): Promise<void> {
  await db.deleteFrom('queues').where('organization_id', '=', organizationId).where('id', '=', id).execute()
}

/** When a queue is collected that nobody uses meanwhile: `times` as long after its last use as it may be idle. */
function collectedAt(idleSeconds: number, times = 1): RawBuilder<number> {
  return sql<number>`last_used_at + ${times}::int * greatest(lifespan_seconds, ${idleSeconds}::int)`
}

/** Deletes those of the queues that no server noted a use of for too long. */
export async function deleteIdle(
  db: Kysely<Tables>,
  organizationId: number,
  ids: readonly string[],
  now: number,
  idleSeconds: number,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('queues')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .where(collectedAt(idleSeconds), '<', now)
    .execute()
}

/**
 * Notes when queues were last used, by id.
 * @returns those that exist
 */
export async function noteUse(
  db: Kysely<Tables>,
  organizationId: number,
  lastUsedAt: ReadonlyMap<string, number>,
): Promise<ReadonlySet<string>> {
  if (lastUsedAt.size === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    update queues q set last_used_at = greatest(q.last_used_at, used.at)
    from unnest(${[...lastUsedAt.keys()]}::text[], ${[...lastUsedAt.values()]}::bigint[]) as used(id, at)
    where q.organization_id = ${organizationId} and q.id = used.id
    returning q.id`.execute(db)
  return new Set(rows.map((row) => row.id))
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
