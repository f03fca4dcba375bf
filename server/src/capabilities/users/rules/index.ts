import type { OrganizationState } from '../../../kernel/projection.ts'
import { ROLE, type Actor, type Role } from '../../../kernel/actor.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { Member } from '../../groups/rules.ts'
import { setting } from '../../organizations/queries/index.ts'
import { userByEmail, userById, userSetting, usersProjection, type UserRow } from '../queries/index.ts'
import { canSeeUser, visibleUser } from './visibility.ts'

/**
 * The user of an id, for viewers who see all users, or for the user itself; `knownTo` is for other viewers. An
 * unknown user is refused.
 */
export function knownUser(organization: OrganizationState, userId: number): UserRow {
  const user = userById(organization, userId)
  if (user === undefined) throw new Refusal('BAD_REQUEST', 'No such user')
  return user
}

/**
 * The user whose API email or, where the viewer may see it, whose real address this is: trying an address does not
 * reveal whose it is.
 */
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

/** The least privilege that sees a person's real address, by the person's `email_address_visibility`; 0 for no one. */
const ADDRESS_SEEN_UP_TO = { 1: ROLE.guest, 2: ROLE.member, 3: ROLE.administrator, 4: 0, 5: ROLE.moderator } as const

/** The addresses of bots are no secret, and users see their own address. */
export function canSeeAddress(viewer: Member, user: UserRow): boolean {
  if (user.botType !== null || user.id === viewer.userId) return true
  return viewer.role <= ADDRESS_SEEN_UP_TO[userSetting(user, 'email_address_visibility')]
}

export function knownUserByEmail(organization: OrganizationState, viewer: Member, email: string): UserRow {
  const user = visibleUserByEmail(organization, viewer, email)
  if (user === undefined) throw new Refusal('BAD_REQUEST', 'No such user')
  return user
}

/**
 * The users that ids and emails name, each once, as far as the viewer may know of them.
 * @throws Refusal BAD_REQUEST for users who are unknown or deactivated
 */
export function activeUsers(
  organization: OrganizationState,
  viewer: Member,
  named: readonly (string | number)[],
): UserRow[] {
  const users = named.map((one) => {
    const user =
      typeof one === 'number' ? visibleUser(organization, viewer, one) : visibleUserByEmail(organization, viewer, one)
    if (user === undefined || user.isSystemBot) throw new Refusal('BAD_REQUEST', 'No such user')
    if (!user.isActive) throw new Refusal('BAD_REQUEST', `User '${user.fullName}' is deactivated`)
    return user
  })
  return [...new Set(users)]
}

export function isAdministrator(actor: { role: Role }): boolean {
  return actor.role <= ROLE.administrator
}

/** Whether people may change their own address, to one that is good. */
export function mayChangeOwnEmail(organization: OrganizationState, user: { readonly role: Role }): boolean {
  return !setting(organization, 'email_changes_disabled') || isAdministrator(user)
}

/** Changing others' accounts takes an administrator; what touches an owner takes an owner. */
export function requireMayManage(actor: Actor, target: UserRow, newRole: Role = target.role): void {
  if (!isAdministrator(actor) || target.isSystemBot) throw new Refusal('BAD_REQUEST', 'Insufficient permission')
  if (actor.role !== ROLE.owner && (target.role === ROLE.owner || newRole === ROLE.owner)) {
    throw new Refusal('BAD_REQUEST', 'Must be an organization owner')
  }
}

const DAY_SECONDS = 86_400

/**
 * Whether a user has been a member for the waiting period; by default, it is the period that the organization has
 * set.
 */
export function isFullMember(
  organization: OrganizationState,
  user: Pick<UserRow, 'dateJoined'>,
  now: number,
  waitingDays = setting(organization, 'waiting_period_threshold'),
): boolean {
  return hasWaited(user.dateJoined, now, waitingDays)
}

/**
 * Whether a member has waited long enough to be a full member.
 * @param dateJoined when the member joined, and `now` the present time, both in UNIX seconds
 */
export function hasWaited(dateJoined: number, now: number, waitingDays: number): boolean {
  return now - dateJoined >= waitingDays * DAY_SECONDS
}

/** Whether the organization would be left without an owner if the user were no owner any more. */
export function isLastOwner(organization: OrganizationState, target: UserRow): boolean {
  if (target.role !== ROLE.owner || !target.isActive) return false
  for (const user of organization.of(usersProjection).byId.values()) {
    if (user.id !== target.id && user.role === ROLE.owner && user.isActive && user.botType === null) return false
  }
  return true
}
