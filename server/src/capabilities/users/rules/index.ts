import type { OrganizationState } from '../../../kernel/projection.ts'
import { ROLE, type Role, type ViewerRole } from '../../../kernel/actor.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Member } from '../../groups/rules.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { userByEmail, userById, userSetting, usersProjection, type UserRow } from '../queries/index.ts'
import { canSeeUser, visibleUser } from './visibility.ts'

export function knownUser(organization: OrganizationState, userId: number): UserRow {
  const user = userById(organization, userId)
  if (user === undefined) throw new ApiError('BAD_REQUEST', 'No such user')
  return user
}

/** Finds a user by API email or visible real email, so that guessing an email does not reveal its owner. */
export function visibleUserByEmail(
  organization: OrganizationState,
  viewer: Member,
  email: string,
): UserRow | undefined {
  const user = userByEmail(organization, email)
  if (user === undefined || !canSeeUser(organization, viewer, user)) return undefined
  if (caseKey(user.email) === caseKey(email)) return user
  return canSeeAddress(viewer, user) ? user : undefined
}

/** Lowest role that can see a person's real email, by `email_address_visibility`; 0 for none. */
const LOWEST_ROLE_SEEING_ADDRESS = {
  1: ROLE.guest,
  2: ROLE.member,
  3: ROLE.administrator,
  4: 0,
  5: ROLE.moderator,
} as const

export function canSeeAddress(viewer: Member, user: UserRow): boolean {
  if (user.botType !== null || user.id === viewer.userId) return true
  return viewer.role <= LOWEST_ROLE_SEEING_ADDRESS[userSetting(user, 'email_address_visibility')]
}

export function knownUserByEmail(organization: OrganizationState, viewer: Member, email: string): UserRow {
  const user = visibleUserByEmail(organization, viewer, email)
  if (user === undefined) throw new ApiError('BAD_REQUEST', 'No such user')
  return user
}

/** Finds users by ID or visible email. @throws ApiError BAD_REQUEST for unknown or deactivated users */
export function activeUsers(
  organization: OrganizationState,
  viewer: Member,
  named: readonly (string | number)[],
): UserRow[] {
  const users = named.map((one) => {
    const user =
      typeof one === 'number' ? visibleUser(organization, viewer, one) : visibleUserByEmail(organization, viewer, one)
    if (user === undefined || user.isSystemBot) throw new ApiError('BAD_REQUEST', 'No such user')
    if (!user.isActive) throw new ApiError('BAD_REQUEST', `User '${user.fullName}' is deactivated`)
    return user
  })
  return [...new Set(users)]
}

export function isAdministrator(actor: { role: ViewerRole }): boolean {
  return actor.role <= ROLE.administrator
}

/** @throws ApiError BAD_REQUEST */
export function requireModerator({ role }: Pick<Member, 'role'>): void {
  if (role > ROLE.moderator) throw new ApiError('BAD_REQUEST', 'Must be an organization moderator')
}

export function mayChangeOwnEmail(organization: OrganizationState, user: { readonly role: Role }): boolean {
  return !settingOf(organization, 'email_changes_disabled') || isAdministrator(user)
}

/** Only administrators can change other accounts, and only owners can change owners or appoint them. */
export function requireMayManage(actor: Member, target: UserRow, newRole: Role = target.role): void {
  if (!isAdministrator(actor) || target.isSystemBot) throw new ApiError('BAD_REQUEST', 'Insufficient permission')
  if (actor.role !== ROLE.owner && (target.role === ROLE.owner || newRole === ROLE.owner)) {
    throw new ApiError('BAD_REQUEST', 'Must be an organization owner')
  }
}

const DAY_SECONDS = 86_400

export function isFullMember(
  organization: OrganizationState,
  user: Pick<UserRow, 'dateJoined'>,
  now: number,
  waitingDays = settingOf(organization, 'waiting_period_threshold'),
): boolean {
  return hasWaitingPeriodEnded(user.dateJoined, now, waitingDays)
}

/** `dateJoined` and `now` in UNIX seconds. */
export function hasWaitingPeriodEnded(dateJoined: number, now: number, waitingDays: number): boolean {
  return now - dateJoined >= waitingDays * DAY_SECONDS
}

export function isLastOwner(organization: OrganizationState, target: UserRow): boolean {
  if (target.role !== ROLE.owner || !target.isActive) return false
  for (const user of organization.of(usersProjection).byId.values()) {
    if (user.id !== target.id && user.role === ROLE.owner && user.isActive && user.botType === null) return false
  }
  return true
}
