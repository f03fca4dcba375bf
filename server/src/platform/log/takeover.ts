import type pg from 'pg'
import type { AppliedPosition } from '../db/replicas.ts'
import { knownPlace, endQueuesAndAdvance, moveOn, newestEventAt, noteMoved, placeOf } from './restored.ts'

/*
 * A new primary may lack acknowledged commits, which only a process that applied them can detect. Therefore, positions
 * always advance before the first write to a new primary.
 */

/** Bounds the assumed lost time, so that event IDs, about 1,000 times the positions, stay exact numbers. */
const LONGEST_SECONDS = 30 * 86_400

interface LaggingOrganization extends AppliedPosition {
  /** Set if the organization was created after the lost position, or removed. */
  readonly isGone: boolean
  /** False if the organization has continued after a loss. */
  readonly isBehind: boolean
}

/** Every committed position has an event, unless all events up to that position were pruned. */
const LACKING = `
  select known.id, known.position, o.id is null as "isGone", coalesce(o.position < known.position, false) as "isBehind"
  from unnest($1::bigint[], $2::bigint[]) as known (id, position) left join organizations o on o.id = known.id
  where o.id is null or o.position < known.position or (
    not exists (select from events e where e.organization_id = o.id and e.position = known.position)
    and exists (select from events e where e.organization_id = o.id and e.position < known.position))`

/** Ends queues whose clients may have seen lost events. */
const END_QUEUES = `
  delete from queues q using unnest($1::bigint[], $2::bigint[]) as known (id, position)
  where q.organization_id = known.id and q.start_position <= known.position`

export interface Takeover {
  readonly place: string
  readonly isNew: boolean
  /** Whether the database lacks commits known here. */
  readonly isLost: boolean
  readonly gone: readonly number[]
}

/**
 * Advances all positions if this process is the first to find a new primary, and ends queues after a loss.
 * @param known last known positions of the logs
 */
export async function noteTakeover(client: pg.ClientBase, known: readonly AppliedPosition[]): Promise<Takeover> {
  const place = await placeOf(client, undefined)
  const isNoted = (await knownPlace(client)) === place
  if (isNoted && (await lackingOf(client, known)).length === 0) return { place, isNew: false, isLost: false, gone: [] }
  await client.query('begin')
  try {
    // Another process may have been first.
    const isNew = (await knownPlace(client, 'for update')) !== place
    const lacking = await lackingOf(client, known)
    const lost = lacking.filter(({ isGone }) => !isGone)
    const isBehind = lost.some((organization) => organization.isBehind)
    if (isNew) await noteMoved(client, place)
    if (isNew || isBehind) {
      const since = Math.max(await newestEventAt(client), Math.floor(Date.now() / 1000) - LONGEST_SECONDS)
      await (lost.length > 0 ? endQueuesAndAdvance : moveOn)(client, since)
    } else if (lost.length > 0) await client.query(END_QUEUES, valuesOf(lost))
    await client.query('commit')
    return { place, isNew, isLost: lost.length > 0, gone: lacking.filter(({ isGone }) => isGone).map(({ id }) => id) }
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function lackingOf(
  client: pg.ClientBase,
  known: readonly AppliedPosition[],
): Promise<readonly LaggingOrganization[]> {
  return (await client.query<LaggingOrganization>(LACKING, valuesOf(known))).rows
}

function valuesOf(organizations: readonly AppliedPosition[]): (readonly number[])[] {
  return [organizations.map(({ id }) => id), organizations.map(({ position }) => position)]
}
