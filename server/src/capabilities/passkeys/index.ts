import { capability, command, direct, open, query } from '../../platform/capability.ts'
import { beginPasskey, createPasskey, removePasskey, renamePasskey } from './actions/index.ts'
import { beginPasskeyLogin, confirmSessionWithPasskey, finishPasskeyLogin } from './actions/login.ts'
import * as contract from './contract.ts'
import { forgetChallenges } from './jobs.ts'
import { getPasskeys } from './queries.ts'
import { migrations } from './tables.ts'

export const passkeys = capability({
  name: 'passkeys',
  tables: ['passkeys', 'passkey_challenges'],
  migrations,
  limits: [contract.PASSKEY_LIMIT, contract.CHALLENGE_LIMIT],
  routes: [
    query(contract.getPasskeys, getPasskeys),
    direct(contract.beginPasskey, beginPasskey),
    direct(contract.createPasskey, createPasskey),
    command(contract.renamePasskey, renamePasskey),
    direct(contract.removePasskey, removePasskey),
    direct(contract.confirmSessionWithPasskey, confirmSessionWithPasskey),
    open(contract.beginPasskeyLogin, beginPasskeyLogin),
    open(contract.finishPasskeyLogin, finishPasskeyLogin),
  ],
  jobs: [forgetChallenges],
})
