import { copyFile, open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { copyOwner } from '../embedded/index.ts'
import { PROJECTION_EVENT_TYPE } from './row.ts'

/* A restored database would reuse IDs and continue queues after lost events. A changed identity reveals it. */

/** Upper bound: each position is a log row, written under the organization's lock. The measured maximum is 29,000. */
const MAX_POSITIONS_PER_SECOND = 1_000_000
/** Upper bound: each organization needs a transaction and a password hash. */
const MAX_ORGANIZATIONS_PER_SECOND = 100
/** Maximum clock difference between the machine that wrote a copy and the machine that opens it. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 3_600
/** Half of the safe integer range: enough for 142 years of repeated restores. */
const MAX_POSITION = 2 ** 52

/** The database overwrites this file in place, while a restore creates a new inode. */
const CLUSTER_IDENTITY_FILE = 'global/pg_control'
const CLUSTER_FOLDER = 'postgres/data'

/** A promoted server records its new timeline only at a checkpoint some minutes later. */
const TIMELINE_SQL = `case when pg_is_in_recovery() then timeline_id
  else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end`

/** Identifies a database by cluster, timeline, OIDs (loading a dump changes one), and, if embedded, an inode. */
export async function databaseIdentity(client: pg.ClientBase, dataDirectory: string | undefined): Promise<string> {
  const { rows } = await client.query<{ parts: readonly string[] }>(
    `select array[system_identifier, ${TIMELINE_SQL}, d.oid::bigint, 'database_place'::regclass::oid::bigint]::text[] as parts
     from pg_control_system(), pg_control_checkpoint(), pg_database d where d.datname = current_database()`,
  )
  const parts: readonly unknown[] = rows[0]?.parts ?? []
  if (dataDirectory === undefined) return parts.join('/')
  const { ino, birthtimeNs, ctimeNs } = await stat(join(dataDirectory, CLUSTER_FOLDER, CLUSTER_IDENTITY_FILE), {
    bigint: true,
  })
  return [...parts, ino, birthtimeNs === ctimeNs ? '' : birthtimeNs].join('/')
}

/** If the identity shows that this is a copy, ends all queues, advances positions past any lost, and returns true. */
export async function recognizeRestoredDatabase(client: pg.ClientBase, place: string): Promise<boolean> {
  const known = await recordedIdentity(client)
  if (known === place) return false
  await client.query('begin')
  try {
    // Checks again under the lock, because another server may have recorded the new identity.
    const isRestored = known !== undefined && (await recordedIdentity(client, 'for update')) !== place
    await recordMovedDatabase(client, place)
    if (isRestored) await endQueuesAndAdvance(client, await newestEventTime(client))
    await client.query('commit')
    return isRestored
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Returns undefined if no server has started on the database. */
export async function recordedIdentity(
  client: pg.ClientBase,
  lock: '' | 'for update' = '',
): Promise<string | undefined> {
  const { rows } = await client.query<{ place: string }>(`select place from database_place ${lock}`)
  return rows[0]?.place
}

/** Advances positions after a restore, and returns how far. `snapshotAt` is the backup's time in UNIX seconds. */
export async function recordRestoredDatabase(
  client: pg.ClientBase,
  place: string,
  snapshotAt: number,
): Promise<number> {
  const now = Math.floor(Date.now() / 1000)
  if (now < snapshotAt - MAX_CLOCK_DIFFERENCE_SECONDS) {
    const [here, there] = [now, snapshotAt].map((seconds) => new Date(seconds * 1000).toISOString())
    throw new Error(`the clock of this machine says ${here}, but the backup was made at ${there}. Set the clock first`)
  }
  await recordMovedDatabase(client, place)
  return endQueuesAndAdvance(client, snapshotAt)
}

/** Whether the identity is unchanged. If not, the next start must recognize a copy. */
export async function isIdentityUnchanged(client: pg.ClientBase, place: string): Promise<boolean> {
  const known = await recordedIdentity(client)
  return known === undefined || known === place
}

export async function recordMovedDatabase(client: pg.ClientBase, place: string): Promise<void> {
  await client.query(
    'insert into database_place (place) values ($1) on conflict (is_only) do update set place = excluded.place',
    [place],
  )
}

/** Gives an embedded database a new identity, because an upgraded copy replaces it. Its server must not be running. */
export async function assignNewIdentity(cluster: string): Promise<void> {
  const file = join(cluster, CLUSTER_IDENTITY_FILE)
  const copy = `${file}.copy`
  await copyFile(file, copy)
  await copyOwner(copy, file)
  await syncFile(copy)
  await rename(copy, file)
  await syncFile(dirname(file))
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Returns the newest event's time. Each log keeps its newest event, so the copy was made at that time or later. */
export async function newestEventTime(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ at: number }>(
    `select coalesce(max(e.recorded_at), $1::bigint)::bigint as at from organizations o
     cross join lateral (select recorded_at from events where organization_id = o.id order by position desc limit 1) e`,
    [Math.floor(Date.now() / 1000)],
  )
  return rows[0]?.at ?? 0
}

export async function endQueuesAndAdvance(client: pg.ClientBase, since: number): Promise<number> {
  await client.query('delete from queues')
  return advancePositions(client, since)
}

/** Advances all positions past any issued after `since` (UNIX seconds), each with an event; returns by how much. */
export async function advancePositions(client: pg.ClientBase, since: number): Promise<number> {
  const now = Math.floor(Date.now() / 1000)
  const seconds = Math.max(now - since, 0) + MAX_CLOCK_DIFFERENCE_SECONDS
  const distance = seconds * MAX_POSITIONS_PER_SECOND
  await client.query(
    `select setval(ids, nextval(ids) + $1::bigint) from pg_get_serial_sequence('organizations', 'id') as named, cast(named as regclass) as ids`,
    [seconds * MAX_ORGANIZATIONS_PER_SECOND],
  )
  const { rows } = await client.query<{ position: number }>(
    `with moved as (update organizations set position = position + $2::bigint returning id, position)
     insert into events (organization_id, position, type, audience, payload, recorded_at)
     select id, position, '${PROJECTION_EVENT_TYPE}', '{}', jsonb_build_object('after', position - $2::bigint), $1::bigint from moved
     returning position`,
    [now, distance],
  )
  const furthest = rows.reduce((most, { position }) => Math.max(most, position), 0)
  if (furthest > MAX_POSITION) throw new Error(`positions would continue at ${furthest}, which exceeds their maximum`)
  return distance
}
