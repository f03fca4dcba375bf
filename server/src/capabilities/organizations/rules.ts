import { domainToASCII } from 'node:url'
import type { OrganizationState } from '../../kernel/projection.ts'
import { emailDomainsOf } from './queries/email-domains.ts'

/** Two labels at least, in letters, digits and inner hyphens. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** A domain as it is kept and compared, in small letters and as name servers have it; undefined for anything else. */
export function canonicalDomain(given: string): string | undefined {
  const domain = domainToASCII(given.trim().replace(/\.$/, ''))
  return DOMAIN.test(domain) ? domain : undefined
}

/** Whether addresses at a domain, or at one above it, are known to be thrown away. The list is loaded when it is asked. */
export async function isDisposable(domain: string): Promise<boolean> {
  const { disposableEmailBlocklistSet } = await import('disposable-email-domains-js')
  const known = disposableEmailBlocklistSet()
  const labels = domain.split('.')
  return labels.some((_, index) => known.has(labels.slice(index).join('.')))
}

/** An organization without domains allows no address by its domain. */
export function isInAllowedDomain(organization: OrganizationState, domain: string | undefined): boolean {
  return emailDomainsOf(organization).some(
    (allowed) =>
      domain === allowed.domain || (allowed.allow_subdomains && domain?.endsWith(`.${allowed.domain}`) === true),
  )
}
