import { capability, command } from '../../platform/capability.ts'
import { blockUser, muteUser, unblockUser, unmuteUser } from './actions.ts'
import * as contract from './contract.ts'
import { blockedUsersSnapshot, mutedUsersProjection, mutedUsersSnapshot } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const mutedUsers = capability({
  name: 'muted-users',
  tables: ['muted_users'],
  reads: ['messages'],
  migrations,
  exportedTables,
  limits: [contract.MUTED_USER_LIMIT],
  projections: [mutedUsersProjection],
  // The audit log omits blocks: administrators must not learn of them either.
  events: [
    { event: contract.mutedUsersChanged, administration: false },
    { event: contract.blockedUsersChanged, administration: false },
  ],
  snapshot: [
    { eventTypes: ['muted_users'], observe: mutedUsersSnapshot },
    { eventTypes: ['blocked_users'], observe: blockedUsersSnapshot },
  ],
  routes: [
    command(contract.muteUser, muteUser),
    command(contract.unmuteUser, unmuteUser),
    command(contract.blockUser, blockUser),
    command(contract.unblockUser, unblockUser),
  ],
})
