import { capability } from '../../platform/capability.ts'
import { realmSettingsUpdated } from './contract/events.ts'
import { billingSnapshot, organizationProjection, sharedOrganization, spectatorOrganization } from './queries.ts'

/** Organizations: their settings, and what the server says of itself. */
export const organizations = capability({
  name: 'organizations',
  tables: ['organizations', 'organization_settings'],
  projections: [organizationProjection],
  // What names channels is shown by `channels`, and `realmUpdated` bound there.
  events: [{ event: realmSettingsUpdated }],
  snapshot: [
    { eventTypes: ['realm'], share: sharedOrganization, spectatorFields: spectatorOrganization },
    { eventTypes: ['realm_billing'], observe: billingSnapshot },
  ],
})
