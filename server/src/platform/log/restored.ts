import { copyFile, open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { giveLike } from '../embedded/index.ts'
import { FOLD_ONLY } from './row.ts'

/*
 * A database that was restored from a backup is behind what clients have: it would give the same ids to other things, and
 * queues would go on after events that never were. It is recognized by where it is.
 */

/**
 * More positions than an organization ever takes in a second. Each is a row of the log, written under the organization's lock
 * by one connection at a time: the most that was measured is 29,000.
 */
const MOST_A_SECOND = 1_000_000
/** More organizations than are made in a second: each is a transaction of its own, after a password was hashed. */
const MOST_ORGANIZATIONS_A_SECOND = 100
/** So far apart may the clocks be of the machine that wrote the copy and of the one that opens it. */
const CLOCKS_APART_SECONDS = 3_600
/** Half of what a number of JavaScript counts exactly: 142 years of copies, one put in the place of the other. */
const LAST_POSITION = 2 ** 52

/**
 * The file of the embedded database that tells a copy from the original: the database writes to it in place, and whatever
 * restores a folder makes it anew.
 */
const TELLING_FILE = 'global/pg_control'
const CLUSTER = 'postgres/data'

/** The line of history that is written. A server that has taken over notes its own only with a checkpoint, some minutes later. */
const TIMELINE = `case when pg_is_in_recovery() then timeline_id
  else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end`

/**
 * Where a database is: its cluster, the line of history that this follows, its number there and that of a table of it, which
 * a dump that is read in makes anew; and for an embedded one its file.
 * @param dataDirectory of the embedded database
 */
export async function placeOf(client: pg.ClientBase, dataDirectory: string | undefined): Promise<string> {
  const { rows } = await client.query<{ parts: readonly string[] }>(
    `select array[system_identifier, ${TIMELINE}, d.oid::bigint, 'database_place'::regclass::oid::bigint]::text[] as parts
     from pg_control_system(), pg_control_checkpoint(), pg_database d where d.datname = current_database()`,
  )
  const parts: readonly unknown[] = rows[0]?.parts ?? []
  if (dataDirectory === undefined) return parts.join('/')
  const { ino, birthtimeNs, ctimeNs } = await stat(join(dataDirectory, CLUSTER, TELLING_FILE), { bigint: true })
  // A file system that knows no time of birth gives the time of the last change.
  return [...parts, ino, birthtimeNs === ctimeNs ? '' : birthtimeNs].join('/')
}

/**
 * Notes where the database is. When it is elsewhere than at the last start, it is a copy: all queues end, and the
 * positions of all organizations move past anything that was given out since the copy was made.
 * @returns whether it was recognized as a copy
 */
export async function recognizeRestored(client: pg.ClientBase, place: string): Promise<boolean> {
  const known = await knownPlace(client)
  if (known === place) return false
  await client.query('begin')
  try {
    // Another server that starts at the same time may have noted it meanwhile.
    const isRestored = known !== undefined && (await knownPlace(client, 'for update')) !== place
    await noteMoved(client, place)
    if (isRestored) await leap(client, await newestEventAt(client))
    await client.query('commit')
    return isRestored
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Where a database was at the last start; undefined where it was never started. */
export async function knownPlace(client: pg.ClientBase, lock: '' | 'for update' = ''): Promise<string | undefined> {
  const { rows } = await client.query<{ place: string }>(`select place from database_place ${lock}`)
  return rows[0]?.place
}

/**
 * Notes, in the transaction that runs, where a database is that was just restored.
 * @param snapshotAt the moment that it shows, in UNIX seconds
 * @returns by how much all positions were moved on
 */
export async function noteRestored(client: pg.ClientBase, place: string, snapshotAt: number): Promise<number> {
  const now = Math.floor(Date.now() / 1000)
  if (now < snapshotAt - CLOCKS_APART_SECONDS) {
    const [here, there] = [now, snapshotAt].map((seconds) => new Date(seconds * 1000).toISOString())
    throw new Error(`the clock of this machine says ${here}, and the backup was made at ${there}: set the clock first`)
  }
  await noteMoved(client, place)
  return leap(client, snapshotAt)
}

/** Whether a database is where it was at the last start, or was at none: otherwise it is a copy, which the next start has to recognize. */
export async function isWhereItWas(client: pg.ClientBase, place: string): Promise<boolean> {
  const known = await knownPlace(client)
  return known === undefined || known === place
}

/** Notes, in the transaction that runs, where a database went on to be, with its queues and positions: nothing may write where it was. */
export async function noteMoved(client: pg.ClientBase, place: string): Promise<void> {
  await client.query(
    'insert into database_place (place) values ($1) on conflict (is_only) do update set place = excluded.place',
    [place],
  )
}

/**
 * Has an embedded database be recognized as a copy, although it was never copied: another goes on in its place.
 * @param cluster its folder; no server runs there
 */
export async function tellApart(cluster: string): Promise<void> {
  const file = join(cluster, TELLING_FILE)
  const copy = `${file}.copy`
  await copyFile(file, copy)
  await giveLike(copy, file)
  await synced(copy)
  await rename(copy, file)
  await synced(dirname(file))
}

async function synced(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The newest event of each organization stays in the log, so the copy was made after the newest of all. */
export async function newestEventAt(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ at: number }>(
    `select coalesce(max(e.recorded_at), $1::bigint)::bigint as at from organizations o
     cross join lateral (select recorded_at from events where organization_id = o.id order by position desc limit 1) e`,
    [Math.floor(Date.now() / 1000)],
  )
  return rows[0]?.at ?? 0
}

/** Ends all queues, and moves all positions past what can have been given out since a moment. */
export async function leap(client: pg.ClientBase, since: number): Promise<number> {
  await client.query('delete from queues')
  return moveOn(client, since)
}

/**
 * Moves all positions, and the ids of organizations to come, past what can have been given out since a moment. The event at each new
 * position is what other processes and readers of the log find there; it says after which position there was none.
 * @returns by how much positions were moved on
 */
export async function moveOn(client: pg.ClientBase, since: number): Promise<number> {
  const now = Math.floor(Date.now() / 1000)
  const seconds = Math.max(now - since, 0) + CLOCKS_APART_SECONDS
  const distance = seconds * MOST_A_SECOND
  await client.query(
    `select setval(ids, nextval(ids) + $1::bigint) from pg_get_serial_sequence('organizations', 'id') as named, cast(named as regclass) as ids`,
    [seconds * MOST_ORGANIZATIONS_A_SECOND],
  )
  const { rows } = await client.query<{ position: number }>(
    `with moved as (update organizations set position = position + $2::bigint returning id, position)
     insert into events (organization_id, position, type, audience, payload, recorded_at)
     select id, position, '${FOLD_ONLY}', '{}', jsonb_build_object('after', position - $2::bigint), $1::bigint from moved
     returning position`,
    [now, distance],
  )
  const furthest = rows.reduce((most, { position }) => Math.max(most, position), 0)
  if (furthest > LAST_POSITION)
    throw new Error(`positions would go on at ${furthest}, which is further than they can count`)
  return distance
}
