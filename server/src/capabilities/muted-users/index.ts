import { capability } from '../../platform/capability.ts'
import { mutedUsersChanged } from './contract.ts'
import { mutedUsersProjection, mutedUsersSnapshot } from './queries.ts'

/** Muted users: whom people do not want to hear of. Clients hide what they write. */
export const mutedUsers = capability({
  name: 'muted-users',
  tables: [],
  reads: ['muted_users'],
  projections: [mutedUsersProjection],
  events: [{ event: mutedUsersChanged }],
  snapshot: [{ eventTypes: ['muted_users'], observe: mutedUsersSnapshot }],
})
