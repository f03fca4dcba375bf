import { ROLE } from '../../../kernel/actor.ts'
import { everyone, type Audience } from '../../../kernel/audience.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { isCovered, type Member } from '../../groups/rules.ts'
import { groupSetting } from '../../organizations/queries.ts'
import { userById, usersProjection, type UserRow } from '../queries.ts'
import { doMeet } from '../queries/shared-rooms.ts'

/** Whether the member sees only those whom it meets, as guests do where the organization wants it so. */
export function isLimitedGuest(organization: OrganizationState, member: Member): boolean {
  // The setting is everybody or all members.
  return (
    member.role === ROLE.guest &&
    !isCovered(organization, member, groupSetting(organization, 'can_access_all_users_group'))
  )
}

/** Whether somebody in the organization might be. */
export function hasLimitedGuests(organization: OrganizationState): boolean {
  return isLimitedGuest(organization, { userId: 0, role: ROLE.guest })
}

/** Whether the viewer may know who the user is. Everybody knows bots, and everybody whom it meets. */
export function canSeeUser(
  organization: OrganizationState,
  viewer: Member,
  user: Pick<UserRow, 'id' | 'botType'>,
): boolean {
  if (user.id === viewer.userId || user.botType !== null || !isLimitedGuest(organization, viewer)) return true
  return doMeet(organization, viewer.userId, user.id)
}

/** Everybody who may know who the user is. */
export function audienceSeeing(organization: OrganizationState, user: Pick<UserRow, 'id' | 'botType'>): Audience {
  if (!hasLimitedGuests(organization)) return everyone
  const guests = [...organization.of(usersProjection).byId.values()].filter(({ role }) => role === ROLE.guest)
  const seeing = guests.filter(({ id, role }) => canSeeUser(organization, { userId: id, role }, user))
  return { roleAtMost: ROLE.member, users: seeing.map(({ id }) => id) }
}

/** The user an id names, if the viewer may know who it is: whoever it may not is as absent. */
export function visibleUser(organization: OrganizationState, viewer: Member, userId: number): UserRow | undefined {
  const user = userById(organization, userId)
  return user !== undefined && canSeeUser(organization, viewer, user) ? user : undefined
}

/** The same, refused as if absent. */
export function knownTo(organization: OrganizationState, viewer: Member, userId: number): UserRow {
  const user = visibleUser(organization, viewer, userId)
  if (user === undefined) throw new Refusal('BAD_REQUEST', 'No such user')
  return user
}

/** Whether the member may name the user of an id. */
export function nameableBy(organization: OrganizationState, viewer: Member): (userId: number) => boolean {
  return (userId) => visibleUser(organization, viewer, userId) !== undefined
}

/** The receiver of an event or a snapshot, as permissions are asked for it. */
export function viewingMember({ organization, userId }: Viewer): Member {
  const user = userById(organization, userId)
  if (user === undefined) throw new Error(`user ${userId} receives something and is not there`)
  return { userId, role: user.role }
}

/** For events that look different to those who do not see everybody. */
export function isLimitedGuestViewer(_event: unknown, viewer: Viewer): boolean {
  return isLimitedGuest(viewer.organization, viewingMember(viewer))
}
