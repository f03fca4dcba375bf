import { isSpectator, ROLE } from '../../../kernel/actor.ts'
import { everyone, type Audience } from '../../../kernel/audience.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { isCovered, type Member } from '../../groups/rules.ts'
import { groupSetting } from '../../organizations/queries/index.ts'
import { userById, usersProjection, type UserRow } from '../queries/index.ts'
import { haveSharedChannel } from '../queries/shared-rooms.ts'

/** Limited guests see only people with whom they share a channel or conversation. Spectators are among them. */
export function isLimitedGuest(organization: OrganizationState, member: Member): boolean {
  // The setting's group contains either all guests or no guests.
  return (
    member.role >= ROLE.guest &&
    !isCovered(organization, member, groupSetting(organization, 'can_access_all_users_group'))
  )
}

export function hasLimitedGuests(organization: OrganizationState): boolean {
  return isLimitedGuest(organization, { userId: 0, role: ROLE.guest })
}

/**
 * Even limited guests see bots, and people with whom they share a channel or conversation. Spectators see nobody: each
 * message that they can read names its sender.
 */
export function canSeeUser(
  organization: OrganizationState,
  viewer: Member,
  user: Pick<UserRow, 'id' | 'botType'>,
): boolean {
  if (isSpectator(viewer)) return false
  if (user.id === viewer.userId || user.botType !== null || !isLimitedGuest(organization, viewer)) return true
  return haveSharedChannel(organization, viewer.userId, user.id)
}

export function audienceSeeing(organization: OrganizationState, user: Pick<UserRow, 'id' | 'botType'>): Audience {
  if (!hasLimitedGuests(organization)) return everyone
  const guests = [...organization.of(usersProjection).byId.values()].filter(({ role }) => role === ROLE.guest)
  const seeing = guests.filter(({ id, role }) => canSeeUser(organization, { userId: id, role }, user))
  return { roleAtMost: ROLE.member, users: seeing.map(({ id }) => id) }
}

export function visibleUser(organization: OrganizationState, viewer: Member, userId: number): UserRow | undefined {
  const user = userById(organization, userId)
  return user !== undefined && canSeeUser(organization, viewer, user) ? user : undefined
}

export function requireVisibleUser(organization: OrganizationState, viewer: Member, userId: number): UserRow {
  const user = visibleUser(organization, viewer, userId)
  if (user === undefined) throw new ApiError('BAD_REQUEST', 'No such user')
  return user
}

export function createNameVisibilityTest(organization: OrganizationState, viewer: Member): (userId: number) => boolean {
  return (userId) => visibleUser(organization, viewer, userId) !== undefined
}

export function viewingMember({ organization, userId }: Viewer): Member {
  const user = userById(organization, userId)
  if (user === undefined) throw new Error(`user ${userId} receives an event but is missing`)
  return { userId, role: user.role }
}

export function isLimitedGuestViewer(_event: unknown, viewer: Viewer): boolean {
  return isLimitedGuest(viewer.organization, viewingMember(viewer))
}
