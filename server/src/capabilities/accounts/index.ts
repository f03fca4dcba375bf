import { capability, command, direct } from '../../platform/capability.ts'
import {
  createUser,
  deactivateOwnUser,
  deactivateUser,
  reactivateUser,
  updateUser,
  updateUserByEmail,
} from './actions.ts'
import * as contract from './contract.ts'

/** Accounts: making, changing, ending and resuming them, with all that an account has elsewhere. */
export const accounts = capability({
  name: 'accounts',
  tables: ['newcomers'],
  reads: ['organization_settings'],
  routes: [
    direct(contract.createUser, createUser),
    command(contract.updateUser, updateUser),
    command(contract.updateUserByEmail, updateUserByEmail),
    command(contract.deactivateOwnUser, deactivateOwnUser),
    command(contract.deactivateUser, deactivateUser),
    command(contract.reactivateUser, reactivateUser),
  ],
})
