import { capability, command } from '../../platform/capability.ts'
import { addPlayground, removePlayground } from './actions.ts'
import * as contract from './contract.ts'
import { playgroundsProjection, playgroundsSnapshot } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const playgrounds = capability({
  name: 'playgrounds',
  tables: ['realm_playgrounds'],
  migrations,
  exportedTables,
  limits: [contract.PLAYGROUND_LIMIT],
  projections: [playgroundsProjection],
  routes: [command(contract.addPlayground, addPlayground), command(contract.removePlayground, removePlayground)],
  events: [{ event: contract.playgroundsChanged }],
  snapshot: [{ eventTypes: ['realm_playgrounds'], observe: playgroundsSnapshot }],
})
