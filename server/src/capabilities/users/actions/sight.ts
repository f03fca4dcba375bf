import type { World } from '../../../kernel/fold.ts'
import { ROLE, type Role } from '../../../kernel/actor.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import type { Member } from '../../groups/rules.ts'
import { userAdded, userRemoved, userStatusChanged } from '../contract/index.ts'
import { members, userById, type UserRow } from '../queries.ts'
import { presentUserWithProfile } from '../queries/present.ts'
import { peopleIn, placesAfter, placesFold, type PlacesChange } from '../queries/places.ts'
import { NO_STATUS, statusesFold } from '../queries/status.ts'
import { hasSheltered, isSheltered, maySee } from '../rules/sight.ts'

/** Users come into a channel or a conversation: from now on they see each other. */
export function meet(tx: Tx, place: number, userIds: readonly number[]): void {
  move(tx, { place, come: userIds })
}

/** Users leave a channel. */
export function part(tx: Tx, place: number, userIds: readonly number[]): void {
  move(tx, { place, go: userIds })
}

/** The places as a transaction leaves them so far: it may take people out of several. */
const foreseen = new WeakMap<Tx, World>()
/** Users whom a transaction makes: they may meet others in it at once. */
const newcomers = new WeakMap<Tx, UserRow[]>()

/** A user is made by this transaction. */
export function introduce(tx: Tx, user: UserRow): void {
  newcomers.set(tx, [...(newcomers.get(tx) ?? []), user])
}

function move(tx: Tx, change: PlacesChange): void {
  tx.change(placesFold, change)
  if (!hasSheltered(tx.world)) return
  const before = foreseen.get(tx) ?? tx.world
  const after = placesAfter(before, change)
  foreseen.set(tx, after)
  const people = [...new Set([...peopleIn(before, change.place), ...peopleIn(after, change.place)])]
    .map((userId) => userById(tx.world, userId) ?? newcomers.get(tx)?.find((user) => user.id === userId))
    .filter((user) => user !== undefined)
  const viewers = people.filter(({ role }) => role === ROLE.guest).map((user) => unchanged(user))
  announce(tx, viewers, people, before, after)
}

/** Tells somebody whose role was changed whom it sees now, and whom not any more. */
export function announcePeopleTo(tx: Tx, user: UserRow, role: Role): void {
  const viewer = { before: memberOf(user), after: { userId: user.id, role } }
  announce(tx, [viewer], members(tx.world), tx.world, tx.world)
}

/** Tells guests whom they see now, and whom not any more. @param after the organization with its new settings */
export function announcePeopleToGuests(tx: Tx, after: World): void {
  if (hasSheltered(tx.world) === hasSheltered(after)) return
  const everybody = members(tx.world)
  const guests = everybody.filter(({ role }) => role === ROLE.guest)
  announce(tx, guests.map(unchanged), everybody, tx.world, after)
}

interface ChangingViewer {
  readonly before: Member
  readonly after: Member
}

function unchanged(user: UserRow): ChangingViewer {
  return { before: memberOf(user), after: memberOf(user) }
}

function memberOf({ id, role }: UserRow): Member {
  return { userId: id, role }
}

/** Clients that list nobody unknown are told that somebody is gone; the others get the person anew, without a name. */
function announce(
  tx: Tx,
  viewers: readonly ChangingViewer[],
  people: readonly UserRow[],
  before: World,
  after: World,
): void {
  const changing = viewers.filter((viewer) => isSheltered(before, viewer.before) || isSheltered(after, viewer.after))
  if (changing.length === 0) return
  for (const person of people) {
    const [gaining, losing]: [number[], number[]] = [[], []]
    for (const viewer of changing) {
      const [saw, sees] = [maySee(before, viewer.before, person), maySee(after, viewer.after, person)]
      if (saw !== sees) (sees ? gaining : losing).push(viewer.after.userId)
    }
    if (losing.length > 0) tx.emit(userRemoved, { person: { user_id: person.id } }, { users: losing })
    const shown = presentUserWithProfile(person, memberOf(person), false)
    const told = [...gaining, ...losing]
    if (told.length > 0) tx.emit(userAdded, { person: shown }, { users: told })
    const status = before.of(statusesFold).byUser.get(person.id)
    if (status === undefined) continue
    if (losing.length > 0) tx.emit(userStatusChanged, { user_id: person.id, ...NO_STATUS }, { users: losing })
    if (gaining.length > 0) tx.emit(userStatusChanged, { user_id: person.id, ...status }, { users: gaining })
  }
}
