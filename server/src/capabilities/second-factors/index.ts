import { capability, command, open, query } from '../../platform/capability.ts'
import {
  beginSecondFactor,
  proofFromOwnCode,
  confirmSecondFactor,
  resetOwnCodeAttempts,
  prepareSecondFactor,
  removeSecondFactor,
  removeSecondFactorOf,
  renewRecoveryCodes,
} from './actions/index.ts'
import { beginRequiredSecondFactor, confirmRequiredSecondFactor, finishLogin } from './actions/login.ts'
import * as contract from './contract.ts'
import { deleteExpiredPendingLogins } from './jobs.ts'
import { getSecondFactor, getSecondFactorOf } from './queries.ts'
import { migrations } from './tables.ts'

export const secondFactors = capability({
  name: 'second-factors',
  tables: ['second_factors', 'recovery_codes', 'pending_logins'],
  migrations,
  omitted: {
    pending_logins: null,
    recovery_codes: null,
    second_factors: 'second factors, which only this server can check: people set them up again',
  },
  limits: [contract.PENDING_LOGIN_LIMIT],
  routes: [
    query(contract.getSecondFactor, getSecondFactor),
    command(contract.beginSecondFactor, beginSecondFactor, { prepare: prepareSecondFactor }),
    command(contract.confirmSecondFactor, confirmSecondFactor, {
      prepare: proofFromOwnCode,
      finish: resetOwnCodeAttempts,
    }),
    command(contract.renewRecoveryCodes, renewRecoveryCodes, {
      prepare: proofFromOwnCode,
      finish: resetOwnCodeAttempts,
    }),
    command(contract.removeSecondFactor, removeSecondFactor, {
      prepare: proofFromOwnCode,
      finish: resetOwnCodeAttempts,
    }),
    query(contract.getSecondFactorOf, getSecondFactorOf),
    command(contract.removeSecondFactorOf, removeSecondFactorOf),
    open(contract.finishLogin, finishLogin),
    open(contract.beginRequiredSecondFactor, beginRequiredSecondFactor),
    open(contract.confirmRequiredSecondFactor, confirmRequiredSecondFactor),
  ],
  jobs: [deleteExpiredPendingLogins],
})
