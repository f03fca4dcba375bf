import type pg from 'pg'
import type { Applied } from '../db/replicas.ts'
import { knownPlace, leap, moveOn, newestEventAt, noteMoved, placeOf } from './restored.ts'

/*
 * A server that has taken over as the primary of a database may lack what the one before had acknowledged. That shows where a process
 * had applied it; where none had, nobody knows. So positions move on in any case, before anything is written there.
 */

/**
 * Positions move on as if the lost time were no longer than this: far more than years of writes have, and little enough that ids of events,
 * which are a thousand times the positions from where a queue begins, stay numbers that JavaScript counts exactly.
 */
const LONGEST_SECONDS = 30 * 86_400

/** An organization of which the database lacks what is known to have been committed. */
interface Lacking extends Applied {
  /** The organization itself is not there: it began in what is lost, or was removed. */
  readonly isGone: boolean
  /** It has come less far. Otherwise it has gone on from further back. */
  readonly isBehind: boolean
}

/** At each position that was committed is an event, unless all up to it were pruned. */
const LACKING = `
  select known.id, known.position, o.id is null as "isGone", coalesce(o.position < known.position, false) as "isBehind"
  from unnest($1::bigint[], $2::bigint[]) as known (id, position) left join organizations o on o.id = known.id
  where o.id is null or o.position < known.position or (
    not exists (select from events e where e.organization_id = o.id and e.position = known.position)
    and exists (select from events e where e.organization_id = o.id and e.position < known.position))`

/** Ends the queues whose clients may have seen what is lost. Others were registered since, further on. */
const END_QUEUES = `
  delete from queues q using unnest($1::bigint[], $2::bigint[]) as known (id, position)
  where q.organization_id = known.id and q.start_position <= known.position`

/** What a process found where it has a new connection. */
export interface Takeover {
  readonly place: string
  /** Whether this process is the first to find the database there. */
  readonly isNew: boolean
  /** Whether the database lacks what this process knows to have been committed. */
  readonly isLost: boolean
  /** The organizations that are not there. */
  readonly gone: readonly number[]
}

/**
 * Notes where an external database is, while processes go on. The first to find that another server has taken over moves all positions
 * past what can have been given out before. Where something is lost, queues end as well.
 * @param known how far each log had come, as far as this process knows
 */
export async function noteTakeover(client: pg.ClientBase, known: readonly Applied[]): Promise<Takeover> {
  const place = await placeOf(client, undefined)
  const isNoted = (await knownPlace(client)) === place
  if (isNoted && (await lackingOf(client, known)).length === 0) return { place, isNew: false, isLost: false, gone: [] }
  await client.query('begin')
  try {
    // Another process may have been first meanwhile.
    const isNew = (await knownPlace(client, 'for update')) !== place
    const lacking = await lackingOf(client, known)
    const lost = lacking.filter(({ isGone }) => !isGone)
    const isBehind = lost.some((organization) => organization.isBehind)
    if (isNew) await noteMoved(client, place)
    if (isNew || isBehind) {
      const since = Math.max(await newestEventAt(client), Math.floor(Date.now() / 1000) - LONGEST_SECONDS)
      await (lost.length > 0 ? leap : moveOn)(client, since)
    } else if (lost.length > 0) await client.query(END_QUEUES, valuesOf(lost))
    await client.query('commit')
    return { place, isNew, isLost: lost.length > 0, gone: lacking.filter(({ isGone }) => isGone).map(({ id }) => id) }
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function lackingOf(client: pg.ClientBase, known: readonly Applied[]): Promise<readonly Lacking[]> {
  return (await client.query<Lacking>(LACKING, valuesOf(known))).rows
}

function valuesOf(organizations: readonly Applied[]): (readonly number[])[] {
  return [organizations.map(({ id }) => id), organizations.map(({ position }) => position)]
}
