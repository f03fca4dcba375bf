import * as z from 'zod/mini'
import type { Limit } from '../../../kernel/limits.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { event, type ClientState } from '../../../kernel/event.ts'
import { boolean, nothing, string, text } from '../../../kernel/schemas.ts'

export const MAX_DOMAIN_CHARACTERS = 253
export const EMAIL_DOMAIN_LIMIT: Limit = { most: 100, per: 'organization', what: 'email domains' }

export const realmDomain = z.strictObject({
  domain: string,
  allow_subdomains: boolean,
})
export type RealmDomain = z.output<typeof realmDomain>

const domain = text(MAX_DOMAIN_CHARACTERS)
const allowSubdomains = boolean

export const getRealmDomains = endpoint({
  id: 'getRealmDomains',
  method: 'GET',
  path: '/realm/domains',
  summary: 'List the email domains allowed for new users when `emails_restricted_to_domains` is on.',
  since: 0,
  input: nothing,
  output: z.object({ domains: z.array(realmDomain) }),
  errors: [],
})

export const addRealmDomain = endpoint({
  id: 'addRealmDomain',
  method: 'POST',
  path: '/realm/domains',
  summary: 'Add an allowed email domain.',
  since: 0,
  input: z.object({ domain, allow_subdomains: allowSubdomains }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const updateRealmDomain = endpoint({
  id: 'updateRealmDomain',
  method: 'PATCH',
  path: '/realm/domains/:domain',
  summary: 'Set whether a domain includes its subdomains.',
  since: 0,
  input: z.object({ domain, allow_subdomains: allowSubdomains }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const removeRealmDomain = endpoint({
  id: 'removeRealmDomain',
  method: 'DELETE',
  path: '/realm/domains/:domain',
  summary: 'Remove an allowed email domain. Without domains, `emails_restricted_to_domains` turns off. Accounts stay.',
  since: 0,
  input: z.object({ domain }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const realmDomainAdded = event({
  type: 'realm_domains',
  op: 'add',
  summary: 'An allowed email domain was added.',
  payload: z.strictObject({ realm_domain: realmDomain }),
  touches: ['realm_domains'],
  apply(state, { realm_domain }) {
    if (state['realm_domains'] !== undefined) state['realm_domains'] = [...domainsIn(state), realm_domain]
  },
})

export const realmDomainChanged = event({
  type: 'realm_domains',
  op: 'change',
  summary: 'Whether a domain includes its subdomains changed.',
  payload: z.strictObject({ realm_domain: realmDomain }),
  touches: ['realm_domains'],
  apply(state, { realm_domain }) {
    if (state['realm_domains'] === undefined) return
    state['realm_domains'] = domainsIn(state).map((one) => (one.domain === realm_domain.domain ? realm_domain : one))
  },
})

export const realmDomainRemoved = event({
  type: 'realm_domains',
  op: 'remove',
  summary: 'An allowed email domain was removed.',
  payload: z.strictObject({ domain: string }),
  touches: ['realm_domains'],
  apply(state, { domain: removed }) {
    if (state['realm_domains'] === undefined) return
    state['realm_domains'] = domainsIn(state).filter((one) => one.domain !== removed)
  },
})

declare module '../../../kernel/event.ts' {
  interface StateFields {
    realm_domains: RealmDomain[]
  }
}

function domainsIn(state: ClientState): RealmDomain[] {
  return state['realm_domains'] ?? []
}
