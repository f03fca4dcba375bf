import type { Socket } from 'node:net'
import type { Actor, Claim } from '../../kernel/actor.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { notLoggedIn, Refusal } from '../../kernel/refusal.ts'
import { addressKey, RateLimitHit, rateLimitHeaders, type RateLimiter } from '../limits/rate.ts'
import type { FileRoute } from '../files/serve.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { basicCredentials, clientName } from './credentials.ts'
import type { Exchange } from './exchange.ts'

export interface RateLimits {
  readonly user: RateLimiter
  readonly address: RateLimiter
  readonly failedLogins: RateLimiter
}

export interface Authentication {
  claimOf(username: string, apiKey: string, client: string): Claim
  /** @throws Refusal INVALID_API_KEY, USER_DEACTIVATED; BAD_REQUEST where the endpoint is not for such a user */
  actorOf(log: OrganizationLog, claim: Claim, endpoint: Endpoint | undefined): Actor
}

/** The credentials of the last request on a connection. The next request mostly has the same, and reading them takes long. */
interface Said {
  readonly authorization: string
  readonly userAgent: string | undefined
  readonly claim: Claim
}

/** Says who is asking, by the rate limits' leave. */
export interface Logins {
  /** The account that calls an endpoint; undefined where the endpoint asks for none, or the request names none. */
  of(exchange: Exchange, log: OrganizationLog | undefined, endpoint: Endpoint): Actor | undefined
  /** The actor as it is now, of a request that was counted. */
  again(exchange: Exchange, log: OrganizationLog, endpoint: Endpoint): Actor
  /** The account that fetches a file. Clients fetch many files at once, so only failures are counted. */
  ofFile(exchange: Exchange, log: OrganizationLog, login: FileRoute['login']): Actor | undefined
  /** Counts a request without an account. */
  countAddress(exchange: Exchange): void
}

/** @param limits undefined where rate limits are off */
export function openLogins(authentication: Authentication, limits: RateLimits | undefined): Logins {
  const said = new WeakMap<Socket, Said>()

  const countAddress = (exchange: Exchange): void => {
    if (limits !== undefined) count(exchange, limits.address, addressKey(exchange.address))
  }

  const claimed = ({ request: { headers, socket } }: Exchange): Claim | undefined => {
    const { authorization = '', 'user-agent': userAgent } = headers
    const known = said.get(socket)
    if (known !== undefined && known.userAgent === userAgent && isSame(known.authorization, authorization)) {
      return known.claim
    }
    const credentials = basicCredentials(authorization)
    if (typeof credentials === 'string') return undefined
    const claim = authentication.claimOf(credentials.username, credentials.password, clientName(userAgent))
    said.set(socket, { authorization, userAgent, claim })
    return claim
  }

  const authenticated = (exchange: Exchange, log: OrganizationLog, endpoint?: Endpoint): Actor => {
    const claim = claimed(exchange)
    if (claim === undefined) {
      countAddress(exchange)
      throw notLoggedIn()
    }
    try {
      return authentication.actorOf(log, claim, endpoint)
    } catch (error) {
      // Wrong credentials count as no login; right ones from the same address go on working.
      if (error instanceof Refusal) countAddress(exchange)
      throw error
    }
  }

  return {
    countAddress,
    of(exchange, log, endpoint) {
      if (log === undefined || !isAsked(exchange, endpoint.authentication ?? 'required')) {
        countAddress(exchange)
        return undefined
      }
      const actor = authenticated(exchange, log, endpoint)
      if (limits !== undefined) count(exchange, limits.user, `${log.organization.id}:${actor.userId}`)
      return actor
    },
    again: authenticated,
    ofFile(exchange, log, login) {
      return isAsked(exchange, login) ? authenticated(exchange, log) : undefined
    },
  }
}

/** In a time that says nothing of where they differ: a proxy sends several people's requests over one connection. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}

/** Whether the request must have credentials, or may have them and does. */
function isAsked({ request }: Exchange, login: 'required' | 'optional' | 'none'): boolean {
  if (login !== 'optional') return login === 'required'
  return basicCredentials(request.headers.authorization) !== 'absent'
}

function count(exchange: Exchange, limiter: RateLimiter, key: string): void {
  const verdict = limiter.use(key)
  exchange.set(rateLimitHeaders(verdict))
  if (!verdict.allowed) throw new RateLimitHit(verdict, 'API usage exceeded rate limit')
}
