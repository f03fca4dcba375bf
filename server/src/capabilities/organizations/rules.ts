import { domainToASCII } from 'node:url'
import { isPrintable, hasVisibleCharacter } from '../../kernel/characters.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import { countCodePoints } from '../../kernel/schemas.ts'
import { MAX_ORGANIZATION_NAME_CHARACTERS } from './contract/organization.ts'
import { emailDomainsOf } from './queries/email-domains.ts'

const DOMAIN_PATTERN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

export function canonicalDomain(given: string): string | undefined {
  const domain = domainToASCII(given.trim().replace(/\.$/, ''))
  return DOMAIN_PATTERN.test(domain) ? domain : undefined
}

export function validOrganizationName(given: string): string {
  const name = given.trim().normalize('NFC')
  if (name === '') throw new ApiError('BAD_REQUEST', 'Organization name cannot be blank')
  if (countCodePoints(name) > MAX_ORGANIZATION_NAME_CHARACTERS) {
    throw new ApiError('BAD_REQUEST', `An organization's name has 1 to ${MAX_ORGANIZATION_NAME_CHARACTERS} characters`)
  }
  // The name appears in email subjects and page titles.
  if (!hasVisibleCharacter(name) || !isPrintable(name)) {
    throw new ApiError('BAD_REQUEST', 'Invalid characters in organization name!')
  }
  return name
}

/** Loaded lazily, because most servers never need this list of 8,900 domains. */
let disposableDomains: Promise<ReadonlySet<string>> | undefined

async function loadDisposableDomains(): Promise<ReadonlySet<string>> {
  const { disposableEmailBlocklistSet } = await import('disposable-email-domains-js')
  return disposableEmailBlocklistSet()
}

export async function isDisposableDomain(domain: string): Promise<boolean> {
  disposableDomains ??= loadDisposableDomains()
  const known = await disposableDomains
  const labels = domain.split('.')
  return labels.some((_, index) => known.has(labels.slice(index).join('.')))
}

export function isAllowedDomain(organization: OrganizationState, domain: string | undefined): boolean {
  return emailDomainsOf(organization).some(
    (allowed) =>
      domain === allowed.domain || (allowed.allow_subdomains && domain?.endsWith(`.${allowed.domain}`) === true),
  )
}
