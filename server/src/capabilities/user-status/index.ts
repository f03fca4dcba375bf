import { capability, direct, query } from '../../platform/capability.ts'
import { knownTo } from '../users/rules/sight.ts'
import { updateOwnStatus, updateUserStatus } from './actions.ts'
import * as contract from './contract.ts'
import { statusesIn, statusOf } from './queries.ts'

/** Status: what people say they are about. */
export const userStatus = capability({
  name: 'user-status',
  tables: ['user_statuses'],
  routes: [
    query(contract.getUserStatus, async ({ world, actor, db, organizationId }, { user_id }) => ({
      status: await statusOf(db, organizationId, knownTo(world, actor, user_id).id),
    })),
    direct(contract.updateOwnStatus, updateOwnStatus),
    direct(contract.updateUserStatus, updateUserStatus),
  ],
  events: [{ event: contract.userStatusChanged }],
  snapshot: [
    {
      eventTypes: ['user_status'],
      read: async (db, { world }) => ({ user_status: await statusesIn(db, world.organizationId) }),
    },
  ],
})
