import { ROLE } from '../../../kernel/actor.ts'
import { everyone } from '../../../kernel/audience.ts'
import type { Input } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { mergeSettings } from '../../../kernel/setting.ts'
import type { ActorTx } from '../../../kernel/transaction.ts'
import { requireRecentConfirmation } from '../../authentication/actions/owner.ts'
import { changeOrganization } from './index.ts'
import { realmUpdated } from '../contract/index.ts'
import { organizationOf, settingOf, SETTING_DEFAULTS } from '../queries/index.ts'
import { isAdministrator } from '../../users/rules/index.ts'
import type * as contract from '../contract/email-domains.ts'
import {
  EMAIL_DOMAIN_LIMIT,
  realmDomainAdded,
  realmDomainChanged,
  realmDomainRemoved,
} from '../contract/email-domains.ts'
import { emailDomainsProjection, emailDomainsOf, presentDomain, type EmailDomain } from '../queries/email-domains.ts'
import { canonicalDomain } from '../rules.ts'

export async function addRealmDomain(
  tx: ActorTx,
  { domain: given, allow_subdomains }: Input<typeof contract.addRealmDomain>,
): Promise<Record<string, never>> {
  await requireConfirmedAdministrator(tx)
  const domain = canonicalDomain(given)
  if (domain === undefined) throw new ApiError('BAD_REQUEST', `Invalid domain '${given}'`)
  const known = emailDomainsOf(tx.organization)
  if (known.some((one) => one.domain === domain)) {
    throw new ApiError('BAD_REQUEST', `The domain ${domain} is already a part of your organization.`)
  }
  if (known.length >= EMAIL_DOMAIN_LIMIT.most)
    throw new ApiError('BAD_REQUEST', `An organization can have at most ${EMAIL_DOMAIN_LIMIT.most} domains.`)
  const added: EmailDomain = { id: tx.nextId(), domain, allow_subdomains }
  await tx.db
    .insertInto('realm_domains')
    .values({ organization_id: tx.organizationId, ...added })
    .execute()
  tx.change(emailDomainsProjection, { put: added })
  tx.emit(realmDomainAdded, { realm_domain: presentDomain(added) }, everyone)
  return {}
}

export async function updateRealmDomain(
  tx: ActorTx,
  { domain, allow_subdomains }: Input<typeof contract.updateRealmDomain>,
): Promise<Record<string, never>> {
  await requireConfirmedAdministrator(tx)
  const known = knownDomain(tx, domain)
  if (known.allow_subdomains === allow_subdomains) return {}
  await tx.db
    .updateTable('realm_domains')
    .set({ allow_subdomains })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', known.id)
    .execute()
  const changed = { ...known, allow_subdomains }
  tx.change(emailDomainsProjection, { put: changed })
  tx.emit(realmDomainChanged, { realm_domain: presentDomain(changed) }, everyone)
  return {}
}

export async function removeRealmDomain(
  tx: ActorTx,
  { domain }: Input<typeof contract.removeRealmDomain>,
): Promise<Record<string, never>> {
  await requireConfirmedAdministrator(tx)
  const known = knownDomain(tx, domain)
  const endsRestriction =
    emailDomainsOf(tx.organization).length === 1 && settingOf(tx.organization, 'emails_restricted_to_domains')
  if (endsRestriction && tx.actor.role !== ROLE.owner) {
    throw new ApiError('BAD_REQUEST', 'Must be an organization owner')
  }
  await tx.db
    .deleteFrom('realm_domains')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', known.id)
    .execute()
  tx.change(emailDomainsProjection, { removed: known.id })
  tx.emit(realmDomainRemoved, { domain: known.domain }, everyone)
  if (endsRestriction) await endDomainRestriction(tx)
  return {}
}

/** Called when the last allowed domain is removed: otherwise, the restriction would let no one join. */
async function endDomainRestriction(tx: ActorTx): Promise<void> {
  const { settings } = organizationOf(tx.organization)
  const change = { emails_restricted_to_domains: false }
  await changeOrganization(tx, { settings: mergeSettings(settings, change, SETTING_DEFAULTS) })
  tx.emit(realmUpdated, { property: 'emails_restricted_to_domains', value: false }, everyone)
}

async function requireConfirmedAdministrator(tx: ActorTx): Promise<void> {
  if (!isAdministrator(tx.actor)) throw new ApiError('BAD_REQUEST', 'Must be an organization administrator')
  await requireRecentConfirmation(tx)
}

function knownDomain(tx: ActorTx, given: string): EmailDomain {
  const domain = canonicalDomain(given)
  const known = emailDomainsOf(tx.organization).find((one) => one.domain === domain)
  if (known === undefined) throw new ApiError('BAD_REQUEST', `No entry found for domain ${given}.`)
  return known
}
