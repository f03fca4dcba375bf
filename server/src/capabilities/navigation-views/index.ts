import { capability, command, query } from '../../platform/capability.ts'
import { addNavigationView, removeNavigationView, updateNavigationView } from './actions.ts'
import * as contract from './contract.ts'
import { getNavigationViews, navigationViewsSnapshot } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const navigationViews = capability({
  name: 'navigation-views',
  tables: ['navigation_views'],
  migrations,
  exportedTables,
  limits: [contract.NAVIGATION_VIEW_LIMIT],
  routes: [
    query(contract.getNavigationViews, getNavigationViews),
    command(contract.addNavigationView, addNavigationView),
    command(contract.updateNavigationView, updateNavigationView),
    command(contract.removeNavigationView, removeNavigationView),
  ],
  events: [
    { event: contract.navigationViewAdded, administration: false },
    { event: contract.navigationViewUpdated, administration: false },
    { event: contract.navigationViewRemoved, administration: false },
  ],
  snapshot: [{ eventTypes: ['navigation_views'], read: navigationViewsSnapshot }],
})
