import { capability, command } from '../../platform/capability.ts'
import { muteUser, unmuteUser } from './actions.ts'
import * as contract from './contract.ts'
import { mutedUsersProjection, mutedUsersSnapshot } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const mutedUsers = capability({
  name: 'muted-users',
  tables: ['muted_users'],
  reads: ['messages'],
  migrations,
  exportedTables,
  limits: [contract.MUTED_USER_LIMIT],
  projections: [mutedUsersProjection],
  events: [{ event: contract.mutedUsersChanged, administration: false }],
  snapshot: [{ eventTypes: ['muted_users'], observe: mutedUsersSnapshot }],
  routes: [command(contract.muteUser, muteUser), command(contract.unmuteUser, unmuteUser)],
})
