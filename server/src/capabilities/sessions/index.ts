import { capability, direct, open, query } from '../../platform/capability.ts'
import { confirmSession, endSession, logout } from './actions/index.ts'
import { login, loginByLink } from './actions/login.ts'
import * as contract from './contract.ts'
import { endExpired } from './jobs.ts'
import { getSessions, sessionsProjection } from './queries.ts'
import { migrations } from './tables.ts'

export const sessions = capability({
  name: 'sessions',
  tables: ['sessions', 'login_links', 'known_devices'],
  migrations,
  limits: [contract.SESSION_LIMIT, contract.LOGIN_LINK_LIMIT, contract.KNOWN_DEVICE_LIMIT],
  projections: [sessionsProjection],
  routes: [
    open(contract.login, login),
    open(contract.loginByLink, loginByLink),
    direct(contract.confirmSession, confirmSession),
    direct(contract.logout, logout),
    query(contract.getSessions, getSessions),
    direct(contract.endSession, endSession),
  ],
  jobs: [endExpired],
})
