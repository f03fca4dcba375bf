import { everyone } from '../../../kernel/audience.ts'
import { caseKey } from '../../../kernel/case-key.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { userUpdated } from '../contract/index.ts'
import {
  hiddenAddress,
  nonSystemUsers,
  RESERVED_DOMAIN,
  userByEmail,
  userSetting,
  type UserRow,
} from '../queries/index.ts'
import { canSeeAddress } from '../rules/index.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { canonicalDomain, isDisposableDomain, isAllowedDomain } from '../../organizations/rules.ts'

const MAX_EMAIL_CHARACTERS = 254

export function availableEmail(organization: OrganizationState, given: string, own?: UserRow): string {
  const email = validEmail(given)
  const known = userByEmail(organization, email)
  if (known !== undefined && known.id !== own?.id) {
    throw new ApiError('BAD_REQUEST', `Email '${email}' already in use`)
  }
  return email
}

export function validEmail(given: string): string {
  const email = given.trim().normalize('NFC')
  // Requires one `@` with text on both sides and no white space. Only the mail server can check more.
  const hasForm = /^[^\s\p{Cc}@<>"`*\\]+@[^\s\p{Cc}@<>"`*\\]+$/u.test(email)
  const isAddress = hasForm && email.length <= MAX_EMAIL_CHARACTERS && !caseKey(email).endsWith(RESERVED_DOMAIN)
  if (!isAddress) throw new ApiError('BAD_REQUEST', 'Enter a valid email address.')
  return email
}

export function apiEmail(
  organization: OrganizationState,
  user: Pick<UserRow, 'id' | 'botType' | 'deliveryEmail' | 'settings'>,
): string {
  if (user.botType !== null || userSetting(user, 'email_address_visibility') === 1) return user.deliveryEmail
  return hiddenAddress(organization, user.id)
}

/** Sends changed email addresses. Users who can no longer see the real address get null. */
export function emitEmailChange(tx: Tx, before: UserRow, after: UserRow): void {
  if (after.email !== before.email) {
    tx.emit(userUpdated, { person: { user_id: after.id, new_email: after.email } }, everyone)
  }
  const isSeenAsBefore =
    userSetting(after, 'email_address_visibility') === userSetting(before, 'email_address_visibility')
  if (isSeenAsBefore && after.deliveryEmail === before.deliveryEmail) return
  const people = nonSystemUsers(tx.organization).filter((user) => user.isActive)
  const seeing = people.filter((viewer) => {
    const [saw, sees] = [mayViewerSeeAddress(viewer, before), mayViewerSeeAddress(viewer, after)]
    return sees && (!saw || after.deliveryEmail !== before.deliveryEmail)
  })
  const losing = people.filter((viewer) => mayViewerSeeAddress(viewer, before) && !mayViewerSeeAddress(viewer, after))
  const { id: user_id, deliveryEmail: delivery_email } = after
  const audience = seeing.length === people.length ? everyone : { users: userIdsOf(seeing) }
  if (seeing.length > 0) tx.emit(userUpdated, { person: { user_id, delivery_email } }, audience)
  if (losing.length > 0)
    tx.emit(userUpdated, { person: { user_id, delivery_email: null } }, { users: userIdsOf(losing) })
}

/** Sends a user the real email addresses that become visible to them, and null for addresses that become hidden. */
export function emitAddressesTo(tx: Tx, before: UserRow, after: UserRow): void {
  for (const user of nonSystemUsers(tx.organization)) {
    const sees = mayViewerSeeAddress(after, user)
    if (sees === mayViewerSeeAddress(before, user)) continue
    const delivery_email = sees ? user.deliveryEmail : null
    tx.emit(userUpdated, { person: { user_id: user.id, delivery_email } }, { users: [after.id] })
  }
}

function mayViewerSeeAddress(viewer: UserRow, user: UserRow): boolean {
  return canSeeAddress({ userId: viewer.id, role: viewer.role }, user)
}

function userIdsOf(users: readonly UserRow[]): number[] {
  return users.map(({ id }) => id)
}

/** Accepts a user's current email address, and any address for bots. `own` is the user whose address changes. */
export async function requireAllowedAddress(
  organization: OrganizationState,
  given: string,
  own?: UserRow,
): Promise<void> {
  const email = availableEmail(organization, given, own)
  if (own !== undefined && (own.botType !== null || email === own.deliveryEmail)) return
  await requireAllowedDomain(organization, email)
}

/** @throws ApiError BAD_REQUEST if the domain is not allowed, or is known for disposable addresses */
export async function requireAllowedDomain(organization: OrganizationState, email: string): Promise<void> {
  const domain = canonicalDomain(email.slice(email.indexOf('@') + 1))
  if (settingOf(organization, 'emails_restricted_to_domains')) {
    // An explicitly allowed domain can also be known for disposable addresses.
    if (isAllowedDomain(organization, domain)) return
    throw new ApiError('BAD_REQUEST', `Email '${email}' does not belong to a domain that this organization allows.`)
  }
  if (
    settingOf(organization, 'disallow_disposable_email_addresses') &&
    domain !== undefined &&
    (await isDisposableDomain(domain))
  ) {
    throw new ApiError('BAD_REQUEST', 'Disposable email addresses are not allowed in this organization.')
  }
}
