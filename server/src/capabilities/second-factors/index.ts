import { capability, command, direct, open, query } from '../../platform/capability.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  removeSecondFactorOf,
  renewRecoveryCodes,
} from './actions/index.ts'
import { beginRequiredSecondFactor, confirmRequiredSecondFactor, finishLogin } from './actions/login.ts'
import * as contract from './contract.ts'
import { forgetPendingLogins } from './jobs.ts'
import { getSecondFactor, getSecondFactorOf } from './queries.ts'
import { migrations } from './tables.ts'

export const secondFactors = capability({
  name: 'second-factors',
  tables: ['second_factors', 'recovery_codes', 'pending_logins'],
  migrations,
  limits: [contract.PENDING_LOGIN_LIMIT],
  routes: [
    query(contract.getSecondFactor, getSecondFactor),
    direct(contract.beginSecondFactor, beginSecondFactor),
    direct(contract.confirmSecondFactor, confirmSecondFactor),
    direct(contract.renewRecoveryCodes, renewRecoveryCodes),
    direct(contract.removeSecondFactor, removeSecondFactor),
    query(contract.getSecondFactorOf, getSecondFactorOf),
    command(contract.removeSecondFactorOf, removeSecondFactorOf),
    open(contract.finishLogin, finishLogin),
    open(contract.beginRequiredSecondFactor, beginRequiredSecondFactor),
    open(contract.confirmRequiredSecondFactor, confirmRequiredSecondFactor),
  ],
  jobs: [forgetPendingLogins],
})
