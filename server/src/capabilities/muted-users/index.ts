import { capability } from '../../platform/capability.ts'
import { mutedUsersChanged } from './contract.ts'
import { mutedUsersFold, mutedUsersOf } from './queries.ts'

/** Muted users: whom people do not want to hear of. Clients hide what they write. */
export const mutedUsers = capability({
  name: 'muted-users',
  tables: [],
  folds: [mutedUsersFold],
  events: [{ event: mutedUsersChanged }],
  snapshot: [
    {
      eventTypes: ['muted_users'],
      observe: ({ world, userId }) => ({ muted_users: mutedUsersOf(world, userId) }),
    },
  ],
})
