import { ROLE } from '../../../kernel/actor.ts'
import { everyone, type Audience } from '../../../kernel/audience.ts'
import type { World } from '../../../kernel/fold.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { isCovered, type Member } from '../../groups/rules.ts'
import { groupSetting } from '../../organizations/queries.ts'
import { userById, usersFold, type UserRow } from '../queries.ts'
import { doMeet } from '../queries/places.ts'

/** Whether the member sees only those whom it meets, as guests do where the organization wants it so. */
export function isSheltered(world: World, member: Member): boolean {
  // The setting is everybody or all members.
  return member.role === ROLE.guest && !isCovered(world, member, groupSetting(world, 'can_access_all_users_group'))
}

/** Whether somebody in the organization might be. */
export function hasSheltered(world: World): boolean {
  return isSheltered(world, { userId: 0, role: ROLE.guest })
}

/** Whether the viewer may know who the user is. Everybody knows bots, and everybody whom it meets. */
export function maySee(world: World, viewer: Member, user: Pick<UserRow, 'id' | 'botType'>): boolean {
  if (user.id === viewer.userId || user.botType !== null || !isSheltered(world, viewer)) return true
  return doMeet(world, viewer.userId, user.id)
}

/** Everybody who may know who the user is. */
export function audienceSeeing(world: World, user: Pick<UserRow, 'id' | 'botType'>): Audience {
  if (!hasSheltered(world)) return everyone
  const guests = [...world.of(usersFold).byId.values()].filter(({ role }) => role === ROLE.guest)
  const seeing = guests.filter(({ id, role }) => maySee(world, { userId: id, role }, user))
  return { roleAtMost: ROLE.member, users: seeing.map(({ id }) => id) }
}

/** The user an id names, if the viewer may know who it is: whoever it may not is as absent. */
export function visibleUser(world: World, viewer: Member, userId: number): UserRow | undefined {
  const user = userById(world, userId)
  return user !== undefined && maySee(world, viewer, user) ? user : undefined
}

/** The same, refused as if absent. */
export function knownTo(world: World, viewer: Member, userId: number): UserRow {
  const user = visibleUser(world, viewer, userId)
  if (user === undefined) throw new Refusal('BAD_REQUEST', 'No such user')
  return user
}

/** Whether the member may name the user of an id. */
export function nameableBy(world: World, viewer: Member): (userId: number) => boolean {
  return (userId) => visibleUser(world, viewer, userId) !== undefined
}

/** The receiver of an event or a snapshot, as permissions are asked for it. */
export function viewingMember({ world, userId }: Viewer): Member {
  const user = userById(world, userId)
  if (user === undefined) throw new Error(`user ${userId} receives something and is not there`)
  return { userId, role: user.role }
}

/** For events that look different to those who do not see everybody. */
export function isShelteredViewer(_event: unknown, viewer: Viewer): boolean {
  return isSheltered(viewer.world, viewingMember(viewer))
}
