import { domainToASCII } from 'node:url'
import type { OrganizationState } from '../../kernel/projection.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { setting } from '../organizations/queries.ts'
import { checkedEmail } from '../users/actions/addresses.ts'
import type { UserRow } from '../users/queries.ts'
import { emailDomainsOf } from './queries.ts'

/** Two labels at least, in letters, digits and inner hyphens. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A domain as it is kept and compared, in small letters and as name servers have it; undefined for anything else. */
export function canonicalDomain(given: string): string | undefined {
  const domain = domainToASCII(given.trim().replace(/\.$/, ''))
  return DOMAIN.test(domain) ? domain : undefined
}

/**
 * Requires that a person may have an address in the organization. Users may keep the address that they already have,
 * and bots have addresses that the server makes.
 * @param own the user, who has another address until now
 * @throws Refusal BAD_REQUEST
 */
export async function requireAllowedAddress(
  organization: OrganizationState,
  given: string,
  own?: UserRow,
): Promise<void> {
  const email = checkedEmail(organization, given, own)
  if (own !== undefined && (own.botType !== null || email === own.deliveryEmail)) return
  const domain = canonicalDomain(email.slice(email.indexOf('@') + 1))
  if (setting(organization, 'emails_restricted_to_domains')) {
    // What administrators have named is good, whatever anybody else says of it.
    if (isInAllowedDomain(organization, domain)) return
    throw new Refusal('BAD_REQUEST', `Email '${email}' does not belong to a domain that this organization allows.`)
  }
  if (
    setting(organization, 'disallow_disposable_email_addresses') &&
    domain !== undefined &&
    (await isDisposable(domain))
  ) {
    throw new Refusal('BAD_REQUEST', 'Disposable email addresses are not allowed in this organization.')
  }
}

/** Whether addresses at a domain, or at one above it, are known to be thrown away. The list is loaded when it is asked. */
async function isDisposable(domain: string): Promise<boolean> {
  const { disposableEmailBlocklistSet } = await import('disposable-email-domains-js')
  const known = disposableEmailBlocklistSet()
  const labels = domain.split('.')
  return labels.some((_, index) => known.has(labels.slice(index).join('.')))
}

/** An organization without domains allows no address by its domain. */
function isInAllowedDomain(organization: OrganizationState, domain: string | undefined): boolean {
  return emailDomainsOf(organization).some(
    (allowed) =>
      domain === allowed.domain || (allowed.allow_subdomains && domain?.endsWith(`.${allowed.domain}`) === true),
  )
}
