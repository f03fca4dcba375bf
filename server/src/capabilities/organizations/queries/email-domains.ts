import type { Projection, OrganizationState } from '../../../kernel/projection.ts'
import type { Output } from '../../../kernel/endpoint.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type { RealmDomain } from '../contract/email-domains.ts'
import type * as contract from '../contract/email-domains.ts'

export interface EmailDomain extends RealmDomain {
  readonly id: number
}

interface EmailDomainsState {
  readonly byId: Map<number, EmailDomain>
}

export type EmailDomainChange = { readonly put: EmailDomain } | { readonly removed: number }

export const emailDomainsProjection: Projection<EmailDomainsState, EmailDomainChange> = {
  name: 'email_domains',
  takesRights: ({ byId }, change) => 'removed' in change || byId.has(change.put.id),
  empty: () => ({ byId: new Map() }),
  async load(state, db, organizationId) {
    const rows = await db
      .selectFrom('realm_domains')
      .select(['id', 'domain', 'allow_subdomains'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
    for (const row of rows) state.byId.set(row.id, row)
  },
  apply(state, change) {
    if ('put' in change) state.byId.set(change.put.id, change.put)
    else state.byId.delete(change.removed)
  },
}

export function emailDomainsOf(organization: OrganizationState): EmailDomain[] {
  return [...organization.of(emailDomainsProjection).byId.values()]
}

export function presentDomain({ domain, allow_subdomains }: RealmDomain): RealmDomain {
  return { domain, allow_subdomains }
}

export function getRealmDomains({ organization }: Reader): Output<typeof contract.getRealmDomains> {
  return { domains: emailDomainsOf(organization).map(presentDomain) }
}

export function emailDomainsSnapshot({ organization }: Viewer): Record<string, unknown> {
  return { realm_domains: emailDomainsOf(organization).map(presentDomain) }
}
