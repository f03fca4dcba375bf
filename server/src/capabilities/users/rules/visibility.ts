import { ROLE } from '../../../kernel/actor.ts'
import { everyone, type Audience } from '../../../kernel/audience.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { isCovered, type Member } from '../../groups/rules.ts'
import { groupSetting } from '../../organizations/queries/index.ts'
import { userById, usersProjection, type UserRow } from '../queries/index.ts'
import { doMeet } from '../queries/shared-rooms.ts'

/**
 * Whether the member is a guest who may see only the people that share a room with it, as the organization's setting
 * says.
 */
export function isLimitedGuest(organization: OrganizationState, member: Member): boolean {
  // The setting is either everyone or all members.
  return (
    member.role === ROLE.guest &&
    !isCovered(organization, member, groupSetting(organization, 'can_access_all_users_group'))
  )
}

/** Whether guests of the organization are limited. */
export function hasLimitedGuests(organization: OrganizationState): boolean {
  return isLimitedGuest(organization, { userId: 0, role: ROLE.guest })
}

/** Whether the viewer may know who the user is. All accounts know bots and the people that share a room with them. */
export function canSeeUser(
  organization: OrganizationState,
  viewer: Member,
  user: Pick<UserRow, 'id' | 'botType'>,
): boolean {
  if (user.id === viewer.userId || user.botType !== null || !isLimitedGuest(organization, viewer)) return true
  return doMeet(organization, viewer.userId, user.id)
}

/** All accounts that may know who the user is, as an audience. */
export function audienceSeeing(organization: OrganizationState, user: Pick<UserRow, 'id' | 'botType'>): Audience {
  if (!hasLimitedGuests(organization)) return everyone
  const guests = [...organization.of(usersProjection).byId.values()].filter(({ role }) => role === ROLE.guest)
  const seeing = guests.filter(({ id, role }) => canSeeUser(organization, { userId: id, role }, user))
  return { roleAtMost: ROLE.member, users: seeing.map(({ id }) => id) }
}

/** The user of an id, if the viewer may know who it is; undefined otherwise, as for an absent user. */
export function visibleUser(organization: OrganizationState, viewer: Member, userId: number): UserRow | undefined {
  const user = userById(organization, userId)
  return user !== undefined && canSeeUser(organization, viewer, user) ? user : undefined
}

/** The user of an id, if the viewer may know who it is. A hidden user is refused as if absent. */
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

/** Whether the viewer is a limited guest: for events that look different to these. */
export function isLimitedGuestViewer(_event: unknown, viewer: Viewer): boolean {
  return isLimitedGuest(viewer.organization, viewingMember(viewer))
}
