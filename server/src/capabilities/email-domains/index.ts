import { capability, command, query } from '../../platform/capability.ts'
import { addRealmDomain, removeRealmDomain, updateRealmDomain } from './actions.ts'
import * as contract from './contract.ts'
import { emailDomainsFold, emailDomainsOf, presentDomain } from './queries.ts'

/** E-mail domains: where the addresses of an organization's people may be. */
export const emailDomains = capability({
  name: 'email-domains',
  tables: ['realm_domains'],
  folds: [emailDomainsFold],
  routes: [
    query(contract.getRealmDomains, ({ world }) => ({ domains: emailDomainsOf(world).map(presentDomain) })),
    command(contract.addRealmDomain, addRealmDomain),
    command(contract.updateRealmDomain, updateRealmDomain),
    command(contract.removeRealmDomain, removeRealmDomain),
  ],
  events: [
    { event: contract.realmDomainAdded },
    { event: contract.realmDomainChanged },
    { event: contract.realmDomainRemoved },
  ],
  snapshot: [
    {
      eventTypes: ['realm_domains'],
      observe: ({ world }) => ({ realm_domains: emailDomainsOf(world).map(presentDomain) }),
    },
  ],
})
