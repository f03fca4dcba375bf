import type { Endpoint } from '../../kernel/endpoint.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { Exchange } from './exchange.ts'
import { POSITION_HEADER } from './headers.ts'
import type { Logins } from './login.ts'
import type { Answering } from './routing.ts'

const POSITION = /^\d{1,15}$/

export interface Behind {
  /** The log of the organization that a host name stands for, where it is open. */
  readonly openLogAt: (host: string) => OrganizationLog | undefined
  readonly logins: Logins
  /** Whether this server has looked for news lately. */
  readonly isCurrent: () => boolean
}

/**
 * Where several servers share a database, one may not have heard yet of what a client did or saw at another. It then reads
 * the log before it answers, once for all who ask meanwhile. It does so, too, where it could not look for news: others do not wait any
 * longer for it to know that rights were taken away (`platform/log/members.ts`).
 * @param endpoint undefined for what is no endpoint
 */
export function upToDate(answer: Answering, endpoint: Endpoint | undefined, behind: Behind): Answering {
  return (exchange) => {
    const log = behind.openLogAt(exchange.host)
    // One that has yet to be opened is read then.
    if (log === undefined) return answer(exchange)
    if (behind.isCurrent() && !hasNews(exchange, log, endpoint, behind.logins)) return answer(exchange)
    return log.follower.catchUp().then(() => answer(exchange))
  }
}

/** Whether whoever asks seems to know what this server does not. */
function hasNews(exchange: Exchange, log: OrganizationLog, endpoint: Endpoint | undefined, logins: Logins): boolean {
  // Who has no login can be known by a link, a password or an address that was just made.
  if (endpoint?.authentication === 'none') return true
  const seen = exchange.request.headers[POSITION_HEADER]
  if (typeof seen === 'string' && POSITION.test(seen) && Number(seen) > log.organization.position) return true
  return logins.isRefused(exchange, log, endpoint)
}
