import type { Socket } from 'node:net'
import type { Actor, Claim } from '../../kernel/actor.ts'
import type { Access, Endpoint } from '../../kernel/endpoint.ts'
import { notLoggedIn, organizationDeactivated, Refusal } from '../../kernel/refusal.ts'
import type { AttemptLimiter } from '../limits/attempts.ts'
import { addressKey, RateLimitHit, rateLimitHeaders, type RateLimit, type RateLimiter } from '../limits/rate.ts'
import type { FileRoute } from '../files/serve.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { basicCredentials, bearerToken, clientName } from './credentials.ts'
import { cookieCounts } from './cross-site.ts'
import type { Exchange } from './exchange.ts'

export interface RateLimits {
  readonly user: RateLimiter
  readonly address: RateLimiter
  readonly failedLogins: AttemptLimiter
  /** Makes the limiter of an endpoint that may be asked less often than others. */
  readonly own: (name: string, limit: RateLimit) => RateLimiter
}

export interface Authentication {
  claimOf(username: string, apiKey: string, client: string): Claim
  /** The claim that the API key of a bot makes alone. */
  botClaimOf(apiKey: string, client: string): Claim
  /** The claim that an API token makes alone; undefined for what is none. */
  tokenClaimOf(token: string, client: string): Claim | undefined
  /** The claim that the cookie of a session makes. */
  sessionClaimOf(cookie: string, client: string): Claim
  /**
   * @throws Refusal INVALID_API_KEY, USER_DEACTIVATED; BAD_REQUEST where the endpoint is not for such a user, INSUFFICIENT_SCOPE
   * where it is not for such a token; UNAUTHENTICATED_USER where it is a session and that has ended
   */
  actorOf(log: OrganizationLog, claim: Claim, access: Access): Actor
  /** Whether the organization has ended, so that whoever asks is refused. */
  isDeactivated(log: OrganizationLog): boolean
  /** Notes that a session is used. @returns for how many seconds its browser keeps the cookie from now on, now and then */
  noteUse(log: OrganizationLog, sessionId: number): number | undefined
}

/** The credentials of the last request on a connection. The next request mostly has the same, and reading them takes long. */
interface Said {
  /** The header with an API key, or the cookie of a session. */
  readonly credentials: string
  readonly isCookie: boolean
  readonly userAgent: string | undefined
  readonly claim: Claim
}

/** Another protocol is open to every token: what it asks for are endpoints, each of which is asked for by itself. */
const GATEWAY: Access = { forTokens: 'reading', forChannelTokens: true }

function accessOf(forTokens: FileRoute['forTokens']): Access {
  return forTokens === undefined ? {} : { forTokens }
}

/** Says who is asking, by the rate limits' leave. */
export interface Logins {
  /** The account that calls an endpoint; undefined where the endpoint asks for none, or the request names none. */
  of(exchange: Exchange, log: OrganizationLog | undefined, endpoint: Endpoint): Actor | undefined
  /** The actor as it is now, of a request that was counted. @param endpoint undefined for another protocol */
  again(exchange: Exchange, log: OrganizationLog, endpoint?: Endpoint): Actor
  /** The account of a program that speaks another protocol, which has to say it itself: no browser says it by its cookie. */
  ofProgram(exchange: Exchange, log: OrganizationLog): Actor
  /** The account that fetches a file. Clients fetch many files at once, so only failures are counted. */
  ofFile(exchange: Exchange, log: OrganizationLog, route: Pick<FileRoute, 'login' | 'forTokens'>): Actor | undefined
  /** Whether the request's credentials open nothing here, as far as is known. Counts nothing. */
  isRefused(exchange: Exchange, log: OrganizationLog, endpoint: Endpoint | undefined): boolean
  /** Counts a request without an account. */
  countAddress(exchange: Exchange): void
}

/** @param limits undefined where rate limits are off */
export function openLogins(authentication: Authentication, limits: RateLimits | undefined): Logins {
  const countOwn = limits === undefined ? () => undefined : ownLimits(limits)

  const countAddress = (exchange: Exchange): void => {
    if (limits !== undefined) count(exchange, limits.address, addressKey(exchange.address))
  }

  const claimed = claimReader(authentication)

  const requireActive = (exchange: Exchange, log: OrganizationLog): void => {
    if (!authentication.isDeactivated(log)) return
    countAddress(exchange)
    throw organizationDeactivated()
  }

  /** @param asked an endpoint, or what else is asked for */
  const authenticated = (exchange: Exchange, log: OrganizationLog, asked: Endpoint | Access): Actor => {
    requireActive(exchange, log)
    const claim = claimed(exchange, 'id' in asked ? asked : undefined)
    if (claim === undefined) {
      countAddress(exchange)
      throw notLoggedIn()
    }
    try {
      return authentication.actorOf(log, claim, asked)
    } catch (error) {
      if (error instanceof Refusal) {
        // The browser need not send it again.
        if ('sessionId' in claim) exchange.dropSession()
        // Wrong credentials count as no login; right ones from the same address go on working.
        countAddress(exchange)
      }
      throw error
    }
  }

  return {
    countAddress,
    isRefused(exchange, log, endpoint) {
      if (authentication.isDeactivated(log)) return true
      const claim = claimed(exchange, endpoint)
      if (claim === undefined) return false
      try {
        authentication.actorOf(log, claim, endpoint ?? GATEWAY)
        return false
      } catch (error) {
        if (error instanceof Refusal) return true
        throw error
      }
    },
    of(exchange, log, endpoint) {
      if (log !== undefined) requireActive(exchange, log)
      if (log === undefined || !isAsked(exchange, endpoint.authentication ?? 'required', false)) {
        if (endpoint.ratePerAddress?.isApart !== true) countAddress(exchange)
        countOwn(exchange, endpoint)
        return undefined
      }
      const actor = authenticated(exchange, log, endpoint)
      countUse(exchange, log, actor, limits)
      if (actor.sessionId !== undefined) renewCookie(exchange, authentication.noteUse(log, actor.sessionId))
      return actor
    },
    again: (exchange, log, endpoint) => authenticated(exchange, log, endpoint ?? GATEWAY),
    ofProgram(exchange, log) {
      const actor = authenticated(exchange, log, GATEWAY)
      countUse(exchange, log, actor, limits)
      if (actor.sessionId !== undefined) throw notLoggedIn()
      return actor
    },
    ofFile(exchange, log, { login, forTokens }) {
      requireActive(exchange, log)
      return isAsked(exchange, login, true) ? authenticated(exchange, log, accessOf(forTokens)) : undefined
    },
  }
}

/** Reads the claim that a request makes; undefined where it makes none. */
function claimReader(
  authentication: Authentication,
): (exchange: Exchange, endpoint: Endpoint | undefined) => Claim | undefined {
  const said = new WeakMap<Socket, Said>()
  return (exchange, endpoint) => {
    const isFile = endpoint === undefined
    const { headers, socket } = exchange.request
    const { authorization = '', 'user-agent': userAgent } = headers
    const key = endpoint?.isWebhook === true ? keyInAddress(exchange) : undefined
    if (key !== undefined) return authentication.botClaimOf(key, clientName(userAgent))
    const isCookie = authorization === ''
    const credentials = isCookie ? cookieOf(exchange, isFile) : authorization
    if (credentials === undefined) return undefined
    const known = said.get(socket)
    if (known !== undefined && isSaidAgain(known, credentials, isCookie, userAgent)) return known.claim
    const claim = isCookie
      ? authentication.sessionClaimOf(credentials, clientName(userAgent))
      : keyClaim(authentication, credentials, clientName(userAgent))
    if (claim !== undefined) said.set(socket, { credentials, isCookie, userAgent, claim })
    return claim
  }
}

function isSaidAgain(known: Said, credentials: string, isCookie: boolean, userAgent: string | undefined): boolean {
  return known.userAgent === userAgent && known.isCookie === isCookie && isSame(known.credentials, credentials)
}

/** Counts requests to endpoints that may be asked less often than others. */
function ownLimits({ own }: Pick<RateLimits, 'own'>): (exchange: Exchange, endpoint: Endpoint) => void {
  const limiters = new Map<string, RateLimiter>()
  return (exchange, { id, ratePerAddress }) => {
    if (ratePerAddress === undefined) return
    const limiter = limiters.get(id) ?? own(id, ratePerAddress)
    limiters.set(id, limiter)
    count(exchange, limiter, addressKey(exchange.address))
  }
}

/** Counts a request of an account. */
function countUse(exchange: Exchange, log: OrganizationLog, { userId }: Actor, limits: RateLimits | undefined): void {
  if (limits !== undefined) count(exchange, limits.user, `${log.organization.id}:${userId}`)
}

function keyClaim(authentication: Authentication, authorization: string, client: string): Claim | undefined {
  const token = bearerToken(authorization)
  if (token !== undefined) return authentication.tokenClaimOf(token, client)
  const credentials = basicCredentials(authorization)
  if (typeof credentials === 'string') return undefined
  return authentication.claimOf(credentials.username, credentials.password, client)
}

/** Has a browser keep its cookie for longer while it is used. Files may be kept by caches on the way, cookie and all. */
function renewCookie(exchange: Exchange, seconds: number | undefined): void {
  const cookie = exchange.session
  if (seconds !== undefined && cookie !== undefined) exchange.giveSession(cookie, seconds)
}

/** In a time that says nothing of where they differ: a proxy sends several people's requests over one connection. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}

/** Wins over the header: a service may have credentials of its own to send there. */
function keyInAddress({ query }: Exchange): string | undefined {
  return new URLSearchParams(query).get('api_key') ?? undefined
}

/** The cookie of a session, where it counts. */
function cookieOf(exchange: Exchange, isFile: boolean): string | undefined {
  const { session } = exchange
  return session !== undefined && cookieCounts(exchange, isFile) ? session : undefined
}

/** Whether the request must have credentials, or may have them and does. */
function isAsked(exchange: Exchange, login: 'required' | 'optional' | 'none', isFile: boolean): boolean {
  if (login !== 'optional') return login === 'required'
  const { authorization = '' } = exchange.request.headers
  return authorization === '' ? cookieOf(exchange, isFile) !== undefined : true
}

function count(exchange: Exchange, limiter: RateLimiter, key: string): void {
  const verdict = limiter.use(key)
  exchange.set(rateLimitHeaders(verdict))
  if (!verdict.allowed) throw new RateLimitHit(verdict, 'API usage exceeded rate limit')
}
