import { capability, command, query } from '../../platform/capability.ts'
import { updatePreferences } from './actions.ts'
import * as contract from './contract.ts'
import { getPreferences, preferencesSnapshot } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const preferences = capability({
  name: 'preferences',
  tables: ['preferences'],
  migrations,
  exportedTables,
  limits: [contract.PREFERENCE_LIMIT, contract.PREFERENCE_CHARACTER_LIMIT],
  routes: [query(contract.getPreferences, getPreferences), command(contract.updatePreferences, updatePreferences)],
  events: [{ event: contract.preferencesChanged, administration: false }],
  snapshot: [{ eventTypes: ['preferences'], read: preferencesSnapshot }],
})
