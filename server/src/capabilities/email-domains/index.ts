import { capability, command, query } from '../../platform/capability.ts'
import { addRealmDomain, removeRealmDomain, updateRealmDomain } from './actions.ts'
import * as contract from './contract.ts'
import { emailDomainsProjection, emailDomainsSnapshot, getRealmDomains } from './queries.ts'

/** E-mail domains: where the addresses of an organization's people may be. */
export const emailDomains = capability({
  name: 'email-domains',
  tables: ['realm_domains'],
  projections: [emailDomainsProjection],
  routes: [
    query(contract.getRealmDomains, getRealmDomains),
    command(contract.addRealmDomain, addRealmDomain),
    command(contract.updateRealmDomain, updateRealmDomain),
    command(contract.removeRealmDomain, removeRealmDomain),
  ],
  events: [
    { event: contract.realmDomainAdded },
    { event: contract.realmDomainChanged },
    { event: contract.realmDomainRemoved },
  ],
  snapshot: [{ eventTypes: ['realm_domains'], observe: emailDomainsSnapshot }],
})
