import { capability, direct, query } from '../../platform/capability.ts'
import { statusOf } from '../users/queries/status.ts'
import { knownTo } from '../users/rules/visibility.ts'
import { updateOwnStatus, updateUserStatus } from './actions.ts'
import * as contract from './contract.ts'

/** Saying what oneself, or somebody else, is about. */
export const userStatus = capability({
  name: 'user-status',
  tables: [],
  routes: [
    query(contract.getUserStatus, ({ organization, actor }, { user_id }) => ({
      status: statusOf(organization, knownTo(organization, actor, user_id).id),
    })),
    direct(contract.updateOwnStatus, updateOwnStatus),
    direct(contract.updateUserStatus, updateUserStatus),
  ],
})
