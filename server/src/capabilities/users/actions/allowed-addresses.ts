import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { canonicalDomain, isDisposableDomain, isAllowedDomain } from '../../organizations/rules.ts'
import type { UserRow } from '../queries/index.ts'
import { availableEmail } from './addresses.ts'

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
