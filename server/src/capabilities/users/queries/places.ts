import { sql, type Kysely } from 'kysely'
import { withState, type Fold, type World } from '../../../kernel/fold.ts'
import type { Tables } from '../../../kernel/tables.ts'

/** Where people meet: channels that they are subscribed to, and direct conversations. Their ids are positions of one log. */
export interface PlacesState {
  readonly byUser: Map<number, Set<number>>
  readonly members: Map<number, Set<number>>
}

export interface PlacesChange {
  readonly place: number
  readonly come?: readonly number[]
  readonly go?: readonly number[]
}

/** Who meets whom: what guests see of others, where they do not see everybody. */
export const placesFold: Fold<PlacesState, PlacesChange> = {
  name: 'places',
  empty: () => ({ byUser: new Map(), members: new Map() }),
  async load(state, database, organizationId) {
    // The fold reads what the capabilities that own the places have written.
    const db = database as unknown as Kysely<Tables>
    // Two lists in place of a row for each: there are more than of anything else, and rows take this process much longer.
    const { rows } = await sql<{ places: number[]; userIds: number[] }>`
      select array_agg(place) as places, array_agg(user_id) as "userIds" from (
        select channel_id as place, user_id from subscriptions
        where organization_id = ${organizationId} and (upper_inf(periods) or is_resting)
        union all
        select conversation_id, user_id from conversation_members where organization_id = ${organizationId}) there
      having count(*) > 0`.execute(db)
    for (const { places, userIds } of rows) {
      for (const [index, place] of places.entries()) placesFold.put(state, { place, come: [userIds[index] ?? 0] }, 0)
    }
  },
  put({ byUser, members }, { place, come = [], go = [] }) {
    for (const userId of come) {
      put(members, place, userId)
      put(byUser, userId, place)
    }
    for (const userId of go) {
      remove(members, place, userId)
      remove(byUser, userId, place)
    }
  },
}

function put(sets: Map<number, Set<number>>, key: number, value: number): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([value]))
  else set.add(value)
}

function remove(sets: Map<number, Set<number>>, key: number, value: number): void {
  const set = sets.get(key)
  set?.delete(value)
  if (set?.size === 0) sets.delete(key)
}

/** Whether two users are in some place together. */
export function doMeet(world: World, one: number, other: number): boolean {
  const { byUser } = world.of(placesFold)
  const [some = NOWHERE, others = NOWHERE] = [byUser.get(one), byUser.get(other)]
  const [fewer, more] = some.size <= others.size ? [some, others] : [others, some]
  for (const place of fewer) if (more.has(place)) return true
  return false
}

const NOWHERE: ReadonlySet<number> = new Set()

/** Where somebody is. */
export function placesOf(world: World, userId: number): ReadonlySet<number> {
  return world.of(placesFold).byUser.get(userId) ?? NOWHERE
}

/** Everybody in a place. */
export function peopleIn(world: World, place: number): ReadonlySet<number> {
  return world.of(placesFold).members.get(place) ?? NOWHERE
}

/** The places as they will be after a change that is not committed yet. */
export function placesAfter(world: World, change: PlacesChange): World {
  const { byUser, members } = world.of(placesFold)
  const state: PlacesState = { byUser: new Map(byUser), members: new Map(members) }
  for (const userId of [...(change.come ?? []), ...(change.go ?? [])]) {
    state.byUser.set(userId, new Set(byUser.get(userId)))
  }
  state.members.set(change.place, new Set(members.get(change.place)))
  placesFold.put(state, change, world.position)
  return withState(world, placesFold, state)
}
