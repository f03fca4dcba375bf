import { capability, open } from '../../platform/capability.ts'
import { beginOpenidLogin, finishOpenidLogin } from './actions/login.ts'
import * as contract from './contract.ts'
import { deleteExpiredOpenidAttempts } from './jobs.ts'
import { exportedTables, migrations } from './tables.ts'

export const openidConnect = capability({
  name: 'openid-connect',
  tables: ['openid_attempts', 'openid_identities'],
  migrations,
  exportedTables,
  omitted: { openid_attempts: null },
  limits: [contract.OPENID_ATTEMPT_LIMIT],
  routes: [open(contract.beginOpenidLogin, beginOpenidLogin), open(contract.finishOpenidLogin, finishOpenidLogin)],
  jobs: [deleteExpiredOpenidAttempts],
})
