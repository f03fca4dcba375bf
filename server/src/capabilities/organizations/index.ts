import * as contract from './contract/index.ts'
import {
  billingSnapshot,
  organizationProjection,
  realmSettingsToClient,
  sharedOrganizationFields,
  spectatorOrganizationFields,
} from './queries/index.ts'
import { capability, command, open, query } from '../../platform/capability.ts'
import { removeStoredFiles, removeUnusedFiles } from '../../platform/files/pending.ts'
import { API_PREFIX } from '../../platform/http/routing.ts'
import { exportedTables } from './actions/carried.ts'
import { deactivateRealm } from './actions/index.ts'
import { removeIcon, removeLogo, storeIcon, storeLogo, uploadIcon, uploadLogo } from './actions/pictures.ts'
import { currentIcon, currentLogo, uploadedPicture } from './queries/pictures.ts'
import { addRealmDomain, removeRealmDomain, updateRealmDomain } from './actions/email-domains.ts'
import { emailDomainsProjection, emailDomainsSnapshot, getRealmDomains } from './queries/email-domains.ts'
import { getServerSettings, updateRealm } from './actions/settings.ts'
import { migrations } from './tables.ts'

export const organizations = capability({
  name: 'organizations',
  tables: ['organizations', 'organization_settings', 'realm_domains'],
  migrations,
  exportedTables,
  limits: [contract.EMAIL_DOMAIN_LIMIT],
  projections: [organizationProjection, emailDomainsProjection],
  events: [
    { event: contract.realmSettingsUpdated, toClient: realmSettingsToClient },
    { event: contract.realmDeactivated },
    { event: contract.realmDomainAdded },
    { event: contract.realmDomainChanged },
    { event: contract.realmDomainRemoved },
  ],
  snapshot: [
    { eventTypes: ['realm'], share: sharedOrganizationFields, spectatorFields: spectatorOrganizationFields },
    { eventTypes: ['realm_billing'], observe: billingSnapshot },
    { eventTypes: ['realm_domains'], observe: emailDomainsSnapshot },
  ],
  routes: [
    command(contract.uploadIcon, uploadIcon, {
      prepare: storeIcon,
      undo: removeStoredFiles,
      finish: removeUnusedFiles,
    }),
    command(contract.removeIcon, removeIcon, { finish: removeUnusedFiles }),
    command(contract.uploadLogo, uploadLogo, {
      prepare: storeLogo,
      undo: removeStoredFiles,
      finish: removeUnusedFiles,
    }),
    command(contract.removeLogo, removeLogo, { finish: removeUnusedFiles }),
    query(contract.getRealmDomains, getRealmDomains),
    command(contract.addRealmDomain, addRealmDomain),
    command(contract.updateRealmDomain, updateRealmDomain),
    command(contract.removeRealmDomain, removeRealmDomain),
    open(contract.getServerSettings, getServerSettings),
    command(contract.updateRealm, updateRealm),
    command(contract.deactivateRealm, deactivateRealm),
  ],
  files: [
    { path: `${API_PREFIX}/realm/icon`, login: 'required', find: currentIcon },
    { path: `${API_PREFIX}/realm/logo`, login: 'required', find: currentLogo },
    // Pages show these pictures before sign-in.
    { path: '/organization_pictures/:file(^[\\w-]{24}$).png', login: 'none', find: uploadedPicture },
  ],
})
