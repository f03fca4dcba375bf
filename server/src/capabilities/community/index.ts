import { capability, command, query } from '../../platform/capability.ts'
import { updateSlowMode } from './actions.ts'
import * as contract from './contract.ts'
import { getSlowMode, slowModesProjection } from './queries.ts'
import { isSlowModeEventWanted } from './rules.ts'
import { exportedTables, migrations } from './tables.ts'

export const community = capability({
  name: 'community',
  tables: ['slow_modes', 'slow_mode_turns'],
  migrations,
  exportedTables,
  omitted: { slow_mode_turns: null },
  limits: [contract.SLOW_TOPIC_LIMIT],
  projections: [slowModesProjection],
  routes: [query(contract.getSlowMode, getSlowMode), command(contract.updateSlowMode, updateSlowMode)],
  events: [{ event: contract.slowModeUpdated, isWanted: isSlowModeEventWanted }],
})
