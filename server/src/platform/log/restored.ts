import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { FOLD_ONLY } from './row.ts'

/*
 * A database that was restored from a backup is behind what clients have: it would give the same ids to other things, and
 * queues would go on after events that never were. It is recognized by where it is.
 */

/** However little time has passed, more than anything that was written since the backup. */
const LEAST_LEAP = 1_000_000
/** Positions a second that an organization took at most, all in all, since its newest event: as many times its average. */
const TIMES_AVERAGE = 20
const LEAST_A_SECOND = 100

/**
 * The file of the embedded database that tells a copy from the original: the database writes to it in place, and whatever
 * restores a folder makes it anew.
 */
const TELLING_FILE = 'postgres/data/global/pg_control'

/**
 * Where a database is: its cluster, the line of history that this follows, its number there and that of a table of it, which
 * a dump that is read in makes anew; and for an embedded one its file.
 * @param dataDirectory of the embedded database
 */
export async function placeOf(client: pg.ClientBase, dataDirectory: string | undefined): Promise<string> {
  const { rows } = await client.query<{ parts: readonly string[] }>(
    `select array[system_identifier, timeline_id, d.oid::bigint, 'database_place'::regclass::oid::bigint]::text[] as parts
     from pg_control_system(), pg_control_checkpoint(), pg_database d where d.datname = current_database()`,
  )
  const parts: readonly unknown[] = rows[0]?.parts ?? []
  if (dataDirectory === undefined) return parts.join('/')
  const { ino, birthtimeNs, ctimeNs } = await stat(join(dataDirectory, TELLING_FILE), { bigint: true })
  // A file system that knows no time of birth gives the time of the last change.
  return [...parts, ino, birthtimeNs === ctimeNs ? '' : birthtimeNs].join('/')
}

/**
 * Notes where the database is. When it is elsewhere than at the last start, it is a copy: all queues end, and the
 * positions of all organizations move past anything that was given out since the copy was made.
 * @returns whether it was recognized as a copy
 */
export async function recognizeRestored(client: pg.ClientBase, place: string): Promise<boolean> {
  const known = await knownPlace(client, '')
  if (known === place) return false
  await client.query('begin')
  try {
    // Another server that starts at the same time may have noted it meanwhile.
    const isRestored = known !== undefined && (await knownPlace(client, 'for update')) !== place
    await client.query(
      'insert into database_place (place) values ($1) on conflict (is_only) do update set place = excluded.place',
      [place],
    )
    if (isRestored) await leap(client)
    await client.query('commit')
    return isRestored
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function knownPlace(client: pg.ClientBase, lock: '' | 'for update'): Promise<string | undefined> {
  const { rows } = await client.query<{ place: string }>(`select place from database_place ${lock}`)
  return rows[0]?.place
}

/** The empty event at each new position is what other processes and readers of the log find there. */
async function leap(client: pg.ClientBase): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  await client.query('delete from queues')
  await client.query(
    `with newest as (
       select o.id, o.position, greatest($1::bigint - coalesce(e.recorded_at, $1::bigint), 0) as silent,
         greatest($1::bigint - coalesce(s.date_created, $1::bigint), 1) as age
       from organizations o
       left join lateral (select recorded_at from events where organization_id = o.id order by position desc limit 1) e on true
       left join organization_settings s on s.organization_id = o.id
       for update of o),
     moved as (
       update organizations o set position = n.position + $2::bigint + n.silent * greatest($3::bigint, $4::bigint * n.position / n.age)
       from newest n where n.id = o.id returning o.id, o.position)
     insert into events (organization_id, position, type, audience, payload, recorded_at)
     select id, position, '${FOLD_ONLY}', '{}', '{}', $1::bigint from moved`,
    [now, LEAST_LEAP, LEAST_A_SECOND, TIMES_AVERAGE],
  )
}
