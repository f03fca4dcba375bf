import { capability } from '../../platform/capability.ts'
import { mutedUsersChanged } from './contract.ts'
import { mutedUsersProjection, mutedUsersOf } from './queries.ts'

/** Muted users: whom people do not want to hear of. Clients hide what they write. */
export const mutedUsers = capability({
  name: 'muted-users',
  tables: [],
  projections: [mutedUsersProjection],
  events: [{ event: mutedUsersChanged }],
  snapshot: [
    {
      eventTypes: ['muted_users'],
      observe: ({ organization, userId }) => ({ muted_users: mutedUsersOf(organization, userId) }),
    },
  ],
})
