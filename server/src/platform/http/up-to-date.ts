import type { Endpoint } from '../../kernel/endpoint.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { Exchange } from './exchange.ts'
import { POSITION_HEADER } from './headers.ts'
import type { Logins } from './login.ts'
import type { RequestHandler } from './routing.ts'

const POSITION = /^\d{1,15}$/

export interface FreshnessSources {
  readonly openLogAt: (host: string) => OrganizationLog | undefined
  readonly logins: Logins
  /** Whether this server has polled for changes recently enough. */
  readonly isCurrent: () => boolean
}

/**
 * Makes a request wait until this server has read the log, if it may have missed a change of another server, or could
 * not poll recently: other servers then no longer wait until it has applied revoked permissions
 * (`platform/log/peer-nodes.ts`).
 * @param endpoint undefined for pages and files
 */
export function upToDate(
  answer: RequestHandler,
  endpoint: Endpoint | undefined,
  behind: FreshnessSources,
): RequestHandler {
  return (exchange) => {
    const log = behind.openLogAt(exchange.host)
    if (log === undefined) return answer(exchange)
    if (behind.isCurrent() && !hasNews(exchange, log, endpoint, behind.logins)) return answer(exchange)
    return log.follower.catchUp().then(() => answer(exchange))
  }
}

function hasNews(exchange: Exchange, log: OrganizationLog, endpoint: Endpoint | undefined, logins: Logins): boolean {
  // A client without a login can hold a link, password, or email address created moments ago on another server.
  if (endpoint?.authentication === 'none') return true
  const seen = exchange.request.headers[POSITION_HEADER]
  if (typeof seen === 'string' && POSITION.test(seen) && Number(seen) > log.organization.position) return true
  return logins.isRefused(exchange, log, endpoint)
}
