import { ROLE } from '../../../kernel/actor.ts'
import { everyone, type Audience } from '../../../kernel/audience.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { isCovered, type Member } from '../../groups/rules.ts'
import { groupSetting } from '../../organizations/queries/index.ts'
import { userById, usersProjection, type UserRow } from '../queries/index.ts'
import { doMeet } from '../queries/shared-rooms.ts'

/** Whether the member is a guest who can see only the people with whom the guest shares a room. */
export function isLimitedGuest(organization: OrganizationState, member: Member): boolean {
  // The setting is either everyone or all members.
  return (
    member.role === ROLE.guest &&
    !isCovered(organization, member, groupSetting(organization, 'can_access_all_users_group'))
  )
}

/** Whether the organization limits its guests. */
export function hasLimitedGuests(organization: OrganizationState): boolean {
  return isLimitedGuest(organization, { userId: 0, role: ROLE.guest })
}

/** Whether the viewer can see the user. Bots and people with whom the viewer shares a room are always visible. */
export function canSeeUser(
  organization: OrganizationState,
  viewer: Member,
  user: Pick<UserRow, 'id' | 'botType'>,
): boolean {
  if (user.id === viewer.userId || user.botType !== null || !isLimitedGuest(organization, viewer)) return true
  return doMeet(organization, viewer.userId, user.id)
}

/** All users who can see the user, as an audience. */
export function audienceSeeing(organization: OrganizationState, user: Pick<UserRow, 'id' | 'botType'>): Audience {
  if (!hasLimitedGuests(organization)) return everyone
  const guests = [...organization.of(usersProjection).byId.values()].filter(({ role }) => role === ROLE.guest)
  const seeing = guests.filter(({ id, role }) => canSeeUser(organization, { userId: id, role }, user))
  return { roleAtMost: ROLE.member, users: seeing.map(({ id }) => id) }
}

/** The user with an id, if the viewer can see that user. Otherwise undefined, as for a missing user. */
export function visibleUser(organization: OrganizationState, viewer: Member, userId: number): UserRow | undefined {
  const user = userById(organization, userId)
  return user !== undefined && canSeeUser(organization, viewer, user) ? user : undefined
}

/** The user with an id. Hidden users are refused as if they did not exist. */
export function knownTo(organization: OrganizationState, viewer: Member, userId: number): UserRow {
  const user = visibleUser(organization, viewer, userId)
  if (user === undefined) throw new Refusal('BAD_REQUEST', 'No such user')
  return user
}

/** Returns a test for whether the viewer can name the user with an id. */
export function nameableBy(organization: OrganizationState, viewer: Member): (userId: number) => boolean {
  return (userId) => visibleUser(organization, viewer, userId) !== undefined
}

/** The receiver of an event or a snapshot, for permission checks. */
export function viewingMember({ organization, userId }: Viewer): Member {
  const user = userById(organization, userId)
  if (user === undefined) throw new Error(`user ${userId} receives something and is not there`)
  return { userId, role: user.role }
}

/** For events that limited guests see differently. */
export function isLimitedGuestViewer(_event: unknown, viewer: Viewer): boolean {
  return isLimitedGuest(viewer.organization, viewingMember(viewer))
}
