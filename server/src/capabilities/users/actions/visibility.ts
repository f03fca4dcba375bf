import type { OrganizationState } from '../../../kernel/projection.ts'
import { ROLE, type Role } from '../../../kernel/actor.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { Member } from '../../groups/rules.ts'
import { userAdded, userRemoved, userStatusChanged } from '../contract/index.ts'
import { isAway, nonSystemUsers, userById, type UserRow } from '../queries/index.ts'
import { presentUserWithProfile } from '../queries/people.ts'
import {
  peopleIn,
  withMembershipChange,
  sharedChannelsProjection,
  type SharedChannelsChange,
} from '../queries/shared-rooms.ts'
import { NO_STATUS, statusesProjection, type StoredStatus } from '../queries/status.ts'
import { hasLimitedGuests, isLimitedGuest, canSeeUser } from '../rules/visibility.ts'

export interface SharedChannelChange {
  readonly userId: number
  readonly gaining: readonly number[]
  readonly losing: readonly number[]
}

export function joinSharedChannel(tx: Tx, place: number, userIds: readonly number[]): SharedChannelChange[] {
  return changeSharedChannelMembers(tx, { place, come: userIds })
}

export function leaveSharedChannel(tx: Tx, place: number, userIds: readonly number[]): SharedChannelChange[] {
  return changeSharedChannelMembers(tx, { place, go: userIds })
}

/** The organization with the changes that the transaction has made so far to channel and conversation members. */
const statesWithPendingChanges = new WeakMap<Tx, OrganizationState>()
const newcomersByTransaction = new WeakMap<Tx, UserRow[]>()

export function registerNewcomer(tx: Tx, user: UserRow): void {
  newcomersByTransaction.set(tx, [...(newcomersByTransaction.get(tx) ?? []), user])
}

export function withPendingChanges(tx: Tx): OrganizationState {
  return statesWithPendingChanges.get(tx) ?? tx.organization
}

function pendingUser(tx: Tx, userId: number): UserRow | undefined {
  return userById(tx.organization, userId) ?? newcomersByTransaction.get(tx)?.find((user) => user.id === userId)
}

export function visibleWithPendingChanges(tx: Tx, member: Member, userIds: readonly number[]): number[] {
  const organization = withPendingChanges(tx)
  return userIds.filter((userId) => {
    const user = pendingUser(tx, userId)
    return user !== undefined && canSeeUser(organization, member, user)
  })
}

function changeSharedChannelMembers(tx: Tx, change: SharedChannelsChange): SharedChannelChange[] {
  tx.change(sharedChannelsProjection, change)
  if (!hasLimitedGuests(tx.organization)) return []
  const before = withPendingChanges(tx)
  const after = withMembershipChange(before, change)
  statesWithPendingChanges.set(tx, after)
  const people = [...new Set([...peopleIn(before, change.place), ...peopleIn(after, change.place)])]
    .map((userId) => pendingUser(tx, userId))
    .filter((user) => user !== undefined)
  const viewers = people.filter(({ role }) => role === ROLE.guest).map((user) => unchangedViewer(user))
  return emitVisibilityChange(tx, viewers, people, before, after)
}

export function emitPeopleTo(tx: Tx, user: UserRow, role: Role): void {
  const viewer = { before: memberOf(user), after: { userId: user.id, role } }
  emitVisibilityChange(tx, [viewer], nonSystemUsers(tx.organization), tx.organization, tx.organization)
}

/** Tells guests which users become visible to them or hidden from them. `after` has the new settings. */
export function emitPeopleToGuests(tx: Tx, after: OrganizationState): SharedChannelChange[] {
  if (hasLimitedGuests(tx.organization) === hasLimitedGuests(after)) return []
  const everybody = nonSystemUsers(tx.organization)
  const guests = everybody.filter(({ role }) => role === ROLE.guest)
  return emitVisibilityChange(tx, guests.map(unchangedViewer), everybody, tx.organization, after)
}

interface ChangingViewer {
  readonly before: Member
  readonly after: Member
}

function unchangedViewer(user: UserRow): ChangingViewer {
  return { before: memberOf(user), after: memberOf(user) }
}

function memberOf({ id, role }: UserRow): Member {
  return { userId: id, role }
}

/** Clients without the capability `user_list_incomplete` keep hidden people in their lists, but without names. */
function emitVisibilityChange(
  tx: Tx,
  viewers: readonly ChangingViewer[],
  people: readonly UserRow[],
  before: OrganizationState,
  after: OrganizationState,
): SharedChannelChange[] {
  const changing = viewers.filter(
    (viewer) => isLimitedGuest(before, viewer.before) || isLimitedGuest(after, viewer.after),
  )
  if (changing.length === 0) return []
  const sightings: SharedChannelChange[] = []
  for (const person of people) {
    const [gaining, losing]: [number[], number[]] = [[], []]
    for (const viewer of changing) {
      const [saw, sees] = [canSeeUser(before, viewer.before, person), canSeeUser(after, viewer.after, person)]
      if (saw !== sees) (sees ? gaining : losing).push(viewer.after.userId)
    }
    if (losing.length > 0) tx.emit(userRemoved, { person: { user_id: person.id } }, { users: losing })
    const shown = presentUserWithProfile(person, memberOf(person), false)
    const affected = [...gaining, ...losing]
    if (affected.length === 0) continue
    sightings.push({ userId: person.id, gaining, losing })
    tx.emit(userAdded, { person: shown }, { users: affected })
    emitStatus(tx, person, before.of(statusesProjection).byUser.get(person.id), { gaining, losing })
  }
  return sightings
}

/** Viewers who can no longer see the person get an empty status. */
function emitStatus(
  tx: Tx,
  person: UserRow,
  status: StoredStatus | undefined,
  { gaining, losing }: { readonly gaining: number[]; readonly losing: number[] },
): void {
  if (status === undefined && !isAway(person)) return
  const awayField = (away: boolean): { away?: boolean } => (isAway(person) ? { away } : {})
  const [user_id, none] = [person.id, status === undefined ? {} : NO_STATUS]
  if (losing.length > 0) tx.emit(userStatusChanged, { user_id, ...awayField(false), ...none }, { users: losing })
  if (gaining.length > 0) tx.emit(userStatusChanged, { user_id, ...awayField(true), ...status }, { users: gaining })
}
