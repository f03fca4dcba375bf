import { capability, command, open, query } from '../../platform/capability.ts'
import { confirmSession, clearOwnCookie, endSession, logout, requireSessionOwner } from './actions/index.ts'
import { login, loginByLink } from './actions/login.ts'
import * as contract from './contract.ts'
import { endExpiredSessions } from './jobs.ts'
import { getSessions, sessionsProjection } from './queries.ts'
import { migrations } from './tables.ts'

export const sessions = capability({
  name: 'sessions',
  tables: ['sessions', 'login_links', 'known_devices'],
  migrations,
  omitted: { login_links: null, known_devices: null, sessions: 'browser sessions: people sign in again' },
  limits: [contract.SESSION_LIMIT, contract.LOGIN_LINK_LIMIT, contract.KNOWN_DEVICE_LIMIT],
  projections: [sessionsProjection],
  routes: [
    open(contract.login, login),
    open(contract.loginByLink, loginByLink),
    command(contract.confirmSession, confirmSession, { prepare: requireSessionOwner }),
    command(contract.logout, logout, { finish: clearOwnCookie }),
    query(contract.getSessions, getSessions),
    command(contract.endSession, endSession, { finish: clearOwnCookie }),
  ],
  jobs: [endExpiredSessions],
})
