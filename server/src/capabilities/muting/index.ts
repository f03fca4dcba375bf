import { capability, command } from '../../platform/capability.ts'
import { muteUser, unmuteUser } from './actions.ts'
import * as contract from './contract.ts'

/** Muting users and hearing them again. */
export const muting = capability({
  name: 'muting',
  tables: ['muted_users'],
  reads: ['messages'],
  routes: [command(contract.muteUser, muteUser), command(contract.unmuteUser, unmuteUser)],
})
