import { capability, direct, query } from '../../platform/capability.ts'
import { updateOwnStatus, updateUserStatus } from './actions.ts'
import * as contract from './contract.ts'
import { getUserStatus } from './queries.ts'

/** Saying what oneself, or somebody else, is about. */
export const userStatus = capability({
  name: 'user-status',
  tables: [],
  routes: [
    query(contract.getUserStatus, getUserStatus),
    direct(contract.updateOwnStatus, updateOwnStatus),
    direct(contract.updateUserStatus, updateUserStatus),
  ],
})
