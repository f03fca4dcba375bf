import { capability, command, open, query } from '../../platform/capability.ts'
import {
  beginPasskey,
  checkPasskey,
  createPasskey,
  prepareRegistration,
  removePasskey,
  renamePasskey,
  requirePasskeyOwner,
} from './actions/index.ts'
import { beginPasskeyLogin, confirmSessionWithPasskey, finishPasskeyLogin, requireOwnPasskey } from './actions/login.ts'
import * as contract from './contract.ts'
import { deleteExpiredChallenges } from './jobs.ts'
import { getPasskeys } from './queries.ts'
import { migrations } from './tables.ts'

export const passkeys = capability({
  name: 'passkeys',
  tables: ['passkeys', 'passkey_challenges'],
  migrations,
  omitted: {
    passkey_challenges: null,
    passkeys: 'passkeys, which are bound to the address of the server: people create new ones',
  },
  limits: [contract.PASSKEY_LIMIT, contract.CHALLENGE_LIMIT],
  routes: [
    query(contract.getPasskeys, getPasskeys),
    command(contract.beginPasskey, beginPasskey, { prepare: prepareRegistration }),
    command(contract.createPasskey, createPasskey, { prepare: checkPasskey }),
    command(contract.renamePasskey, renamePasskey),
    command(contract.removePasskey, removePasskey, { prepare: requirePasskeyOwner }),
    command(contract.confirmSessionWithPasskey, confirmSessionWithPasskey, { prepare: requireOwnPasskey }),
    open(contract.beginPasskeyLogin, beginPasskeyLogin),
    open(contract.finishPasskeyLogin, finishPasskeyLogin),
  ],
  jobs: [deleteExpiredChallenges],
})
