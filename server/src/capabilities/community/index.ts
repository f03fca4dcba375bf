import { capability, command, query } from '../../platform/capability.ts'
import { getOwnLimits } from '../messages/queries/newcomers.ts'
import { endLockDown, startLockDown, updateSlowMode } from './actions.ts'
import * as contract from './contract.ts'
import { endLockDowns } from './jobs.ts'
import {
  getNewcomerSettings,
  getSlowMode,
  lockDownProjection,
  lockDownSnapshot,
  slowModesProjection,
} from './queries.ts'
import { isSlowModeEventWanted } from './rules.ts'
import { exportedTables, migrations } from './tables.ts'

export const community = capability({
  name: 'community',
  tables: ['slow_modes', 'slow_mode_turns', 'invited_people', 'lock_downs'],
  reads: ['organization_settings'],
  migrations,
  exportedTables,
  omitted: { slow_mode_turns: null, lock_downs: null },
  limits: [contract.SLOW_TOPIC_LIMIT],
  projections: [slowModesProjection, lockDownProjection],
  routes: [
    query(contract.getSlowMode, getSlowMode),
    command(contract.updateSlowMode, updateSlowMode),
    command(contract.startLockDown, startLockDown),
    command(contract.endLockDown, endLockDown),
    query(contract.getOwnLimits, getOwnLimits),
    query(contract.getNewcomerSettings, getNewcomerSettings),
  ],
  events: [{ event: contract.slowModeUpdated, isWanted: isSlowModeEventWanted }, { event: contract.lockDownUpdated }],
  snapshot: [{ eventTypes: ['lock_down'], read: lockDownSnapshot }],
  jobs: [endLockDowns],
})
