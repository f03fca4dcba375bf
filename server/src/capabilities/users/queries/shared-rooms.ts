import { sql } from 'kysely'
import { withState, type Projection, type OrganizationState } from '../../../kernel/projection.ts'

/** Members of channels and direct conversations, whose IDs come from one sequence and thus never collide. */
export interface SharedChannelsState {
  readonly byUser: Map<number, Set<number>>
  readonly members: Map<number, Set<number>>
}

export interface SharedChannelsChange {
  readonly place: number
  readonly come?: readonly number[]
  readonly go?: readonly number[]
}

/** Limited guests see only people with whom they share a channel or conversation. */
export const sharedChannelsProjection: Projection<SharedChannelsState, SharedChannelsChange> = {
  name: 'places',
  takesRights: (_, { go = [] }) => go.length > 0,
  empty: () => ({ byUser: new Map(), members: new Map() }),
  async load(state, db, organizationId) {
    // Reads two arrays, because reading rows is much slower, and no other data has as many rows as memberships.
    const { rows } = await sql<{ places: number[]; userIds: number[] }>`
      select array_agg(place) as places, array_agg(user_id) as "userIds" from (
        select channel_id as place, user_id from subscriptions
        where organization_id = ${organizationId} and (upper_inf(periods) or is_resting)
        union all
        select conversation_id, user_id from conversation_members where organization_id = ${organizationId}) there
      having count(*) > 0`.execute(db)
    for (const { places, userIds } of rows) {
      for (const [index, place] of places.entries())
        sharedChannelsProjection.apply(state, { place, come: [userIds[index] ?? 0] }, 0)
    }
  },
  apply({ byUser, members }, { place, come = [], go = [] }) {
    for (const userId of come) {
      addToSet(members, place, userId)
      addToSet(byUser, userId, place)
    }
    for (const userId of go) {
      removeFromSet(members, place, userId)
      removeFromSet(byUser, userId, place)
    }
  },
}

function addToSet(sets: Map<number, Set<number>>, key: number, value: number): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([value]))
  else set.add(value)
}

function removeFromSet(sets: Map<number, Set<number>>, key: number, value: number): void {
  const set = sets.get(key)
  set?.delete(value)
  if (set?.size === 0) sets.delete(key)
}

export function haveSharedChannel(organization: OrganizationState, one: number, other: number): boolean {
  const { byUser } = organization.of(sharedChannelsProjection)
  const [some = NO_IDS, others = NO_IDS] = [byUser.get(one), byUser.get(other)]
  const [fewer, more] = some.size <= others.size ? [some, others] : [others, some]
  for (const place of fewer) if (more.has(place)) return true
  return false
}

const NO_IDS: ReadonlySet<number> = new Set()

export function sharedChannelsOf(organization: OrganizationState, userId: number): ReadonlySet<number> {
  return organization.of(sharedChannelsProjection).byUser.get(userId) ?? NO_IDS
}

export function peopleIn(organization: OrganizationState, place: number): ReadonlySet<number> {
  return organization.of(sharedChannelsProjection).members.get(place) ?? NO_IDS
}

export function withMembershipChange(organization: OrganizationState, change: SharedChannelsChange): OrganizationState {
  const { byUser, members } = organization.of(sharedChannelsProjection)
  const state: SharedChannelsState = { byUser: new Map(byUser), members: new Map(members) }
  for (const userId of [...(change.come ?? []), ...(change.go ?? [])]) {
    state.byUser.set(userId, new Set(byUser.get(userId)))
  }
  state.members.set(change.place, new Set(members.get(change.place)))
  sharedChannelsProjection.apply(state, change, organization.position)
  return withState(organization, sharedChannelsProjection, state)
}
