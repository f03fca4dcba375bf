import { capability, command, query } from '../../platform/capability.ts'
import { addLinkifier, checkPattern, removeLinkifier, reorderLinkifiers, updateLinkifier } from './actions.ts'
import * as contract from './contract.ts'
import {
  getLinkifiers,
  legacyLinkifiersChangedToClient,
  legacyLinkifiersSnapshot,
  linkifiersChangedToClient,
  linkifiersProjection,
  linkifiersSnapshot,
} from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const linkifiers = capability({
  name: 'linkifiers',
  tables: ['realm_linkifiers'],
  migrations,
  exportedTables,
  limits: [contract.LINKIFIER_LIMIT],
  projections: [linkifiersProjection],
  routes: [
    query(contract.getLinkifiers, getLinkifiers),
    command(contract.addLinkifier, addLinkifier, { prepare: checkPattern }),
    command(contract.updateLinkifier, updateLinkifier, { prepare: checkPattern }),
    command(contract.removeLinkifier, removeLinkifier),
    command(contract.reorderLinkifiers, reorderLinkifiers),
  ],
  events: [
    { event: contract.linkifiersChanged, toClient: linkifiersChangedToClient },
    { event: contract.legacyLinkifiersChanged, administration: false, toClient: legacyLinkifiersChangedToClient },
  ],
  snapshot: [
    { eventTypes: ['realm_linkifiers'], observe: linkifiersSnapshot },
    { eventTypes: ['realm_filters'], observe: legacyLinkifiersSnapshot },
  ],
})
