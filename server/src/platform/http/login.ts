import type { Socket } from 'node:net'
import type { Actor, Claim } from '../../kernel/actor.ts'
import { SPECTATOR_RATES, type Access, type Endpoint } from '../../kernel/endpoint.ts'
import { notLoggedInError, organizationDeactivatedError, ApiError } from '../../kernel/refusal.ts'
import type { AttemptLimiter } from '../limits/attempts.ts'
import { isSameSecret } from '../tokens/tokens.ts'
import { addressKey, RateLimitError, rateLimitHeaders, type RateLimit, type RateLimiter } from '../limits/rate.ts'
import type { FileRoute } from '../files/serve.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import { basicCredentials, bearerToken, clientName } from './credentials.ts'
import { isCookieAccepted } from './cross-site.ts'
import type { Exchange } from './exchange.ts'

export interface RateLimits {
  readonly user: RateLimiter
  readonly address: RateLimiter
  readonly failedLogins: AttemptLimiter
  readonly own: (name: string, limit: RateLimit) => RateLimiter
}

export interface Authentication {
  parseClaim(username: string, apiKey: string, client: string): Claim
  createBotClaim(apiKey: string, client: string): Claim
  parseTokenClaim(token: string, client: string): Claim | undefined
  parseSessionClaim(cookie: string, client: string): Claim
  /**
   * @throws ApiError INVALID_API_KEY, USER_DEACTIVATED, UNAUTHENTICATED_USER; BAD_REQUEST for a wrong kind of user,
   *   INSUFFICIENT_SCOPE for a token that does not allow the access
   */
  actorOf(log: OrganizationLog, claim: Claim, access: Access): Actor
  isDeactivated(log: OrganizationLog): boolean
  /** Whether the organization has web-public channels that spectators can read. */
  admitsSpectators(log: OrganizationLog): boolean
  /** Returns the cookie's new lifetime in seconds if it is due for renewal. */
  recordUse(log: OrganizationLog, sessionId: number): number | undefined
}

/** Login of a connection's last request. The next request usually repeats the credentials. */
interface CachedLogin {
  readonly credentials: Buffer
  readonly isCookie: boolean
  readonly userAgent: string | undefined
  readonly claim: Claim
}

/** Allows any token, because each endpoint called through a gateway checks the token itself. */
const GATEWAY_ACCESS: Access = { forTokens: 'reading', forChannelTokens: true }

function accessForTokens(forTokens: FileRoute['forTokens']): Access {
  return forTokens === undefined ? {} : { forTokens }
}

export interface Logins {
  /** Returns undefined if the request has no credentials and needs none. */
  of(exchange: Exchange, log: OrganizationLog | undefined, endpoint: Endpoint): Actor | undefined
  /** Rereads the permissions of a request that the rate limits have already counted. */
  again(exchange: Exchange, log: OrganizationLog, endpoint?: Endpoint): Actor
  /** Authenticates a program that uses another protocol. Accepts no session cookies. */
  ofProgram(exchange: Exchange, log: OrganizationLog): Actor
  /** Authenticates a request for a file. Counts only failures, because clients fetch many files at once. */
  ofFile(
    exchange: Exchange,
    log: OrganizationLog,
    route: Pick<FileRoute, 'login' | 'forTokens' | 'forSpectators'>,
  ): Actor | undefined
  /** Whether people without an account can read pages of the organization, to which the request then counts. */
  admitsReaders(exchange: Exchange, log: OrganizationLog): boolean
  isRefused(exchange: Exchange, log: OrganizationLog, endpoint: Endpoint | undefined): boolean
  countAddress(exchange: Exchange): void
}

export function openLogins(authentication: Authentication, limits: RateLimits | undefined): Logins {
  const countOwn = limits === undefined ? () => undefined : createEndpointLimits(limits)

  const countAddress = (exchange: Exchange): void => {
    if (limits !== undefined) countRequest(exchange, limits.address, addressKey(exchange.address))
  }

  const claimed = createClaimReader(authentication)
  const spectators = createSpectatorChecks(authentication, limits)

  const requireActive = (exchange: Exchange, log: OrganizationLog): void => {
    if (!authentication.isDeactivated(log)) return
    countAddress(exchange)
    throw organizationDeactivatedError()
  }

  const authenticated = (exchange: Exchange, log: OrganizationLog, asked: Endpoint | Access): Actor => {
    requireActive(exchange, log)
    const claim = claimed(exchange, 'id' in asked ? asked : undefined)
    if (claim === undefined) {
      countAddress(exchange)
      throw notLoggedInError()
    }
    try {
      return authentication.actorOf(log, claim, asked)
    } catch (error) {
      if (error instanceof ApiError) {
        if ('sessionId' in claim) exchange.dropSession()
        // Counted as a request without a login, so that valid credentials from the same address keep working.
        countAddress(exchange)
      }
      throw error
    }
  }

  return {
    countAddress,
    admitsReaders: spectators.admitsReaders,
    isRefused(exchange, log, endpoint) {
      if (authentication.isDeactivated(log)) return true
      const claim = claimed(exchange, endpoint)
      if (claim === undefined) return false
      try {
        authentication.actorOf(log, claim, endpoint ?? GATEWAY_ACCESS)
        return false
      } catch (error) {
        if (error instanceof ApiError) return true
        throw error
      }
    },
    of(exchange, log, endpoint) {
      if (log !== undefined) requireActive(exchange, log)
      if (log !== undefined && spectators.isFrom(exchange, log, endpoint.forSpectators, 'requests')) return undefined
      if (log === undefined || !needsLogin(exchange, endpoint.authentication ?? 'required', false)) {
        if (endpoint.ratePerAddress?.isApart !== true) countAddress(exchange)
        countOwn(exchange, endpoint)
        return undefined
      }
      const actor = authenticated(exchange, log, endpoint)
      countUse(exchange, log, actor, limits)
      if (actor.sessionId !== undefined) renewCookie(exchange, authentication.recordUse(log, actor.sessionId))
      return actor
    },
    again: (exchange, log, endpoint) => authenticated(exchange, log, endpoint ?? GATEWAY_ACCESS),
    ofProgram(exchange, log) {
      const actor = authenticated(exchange, log, GATEWAY_ACCESS)
      countUse(exchange, log, actor, limits)
      if (actor.sessionId !== undefined) throw notLoggedInError()
      return actor
    },
    ofFile(exchange, log, { login, forTokens, forSpectators }) {
      requireActive(exchange, log)
      if (spectators.isFrom(exchange, log, forSpectators, 'files')) return undefined
      return needsLogin(exchange, login, true) ? authenticated(exchange, log, accessForTokens(forTokens)) : undefined
    },
  }
}

function createClaimReader(
  authentication: Authentication,
): (exchange: Exchange, endpoint: Endpoint | undefined) => Claim | undefined {
  const said = new WeakMap<Socket, CachedLogin>()
  return (exchange, endpoint) => {
    const isFile = endpoint === undefined
    const { headers, socket } = exchange.request
    const { authorization = '', 'user-agent': userAgent } = headers
    const key = endpoint?.isWebhook === true ? apiKeyInUrl(exchange) : undefined
    if (key !== undefined) return authentication.createBotClaim(key, clientName(userAgent))
    const isCookie = authorization === ''
    const credentials = isCookie ? acceptedSessionCookie(exchange, isFile) : authorization
    if (credentials === undefined) return undefined
    const known = said.get(socket)
    if (known !== undefined && isSameLogin(known, credentials, isCookie, userAgent)) return known.claim
    const claim = isCookie
      ? authentication.parseSessionClaim(credentials, clientName(userAgent))
      : keyClaim(authentication, credentials, clientName(userAgent))
    if (claim !== undefined) said.set(socket, { credentials: Buffer.from(credentials), isCookie, userAgent, claim })
    return claim
  }
}

function isSameLogin(
  known: CachedLogin,
  credentials: string,
  isCookie: boolean,
  userAgent: string | undefined,
): boolean {
  // Compares in constant time, because a proxy can send several people's requests over one connection.
  return known.userAgent === userAgent && known.isCookie === isCookie && isSameSecret(credentials, known.credentials)
}

function createEndpointLimits({ own }: Pick<RateLimits, 'own'>): (exchange: Exchange, endpoint: Endpoint) => void {
  const limiters = new Map<string, RateLimiter>()
  return (exchange, { id, ratePerAddress }) => {
    if (ratePerAddress === undefined) return
    const limiter = limiters.get(id) ?? own(id, ratePerAddress)
    limiters.set(id, limiter)
    countRequest(exchange, limiter, addressKey(exchange.address))
  }
}

interface SpectatorChecks extends Pick<Logins, 'admitsReaders'> {
  /** Whether the request has no credentials and needs none. Counts it if so. */
  isFrom(
    exchange: Exchange,
    log: OrganizationLog,
    forSpectators: true | undefined,
    what: keyof typeof SPECTATOR_RATES,
  ): boolean
}

/** Spectators have their own limits, so that they never use up those of sign-ins from the same address. */
function createSpectatorChecks(authentication: Authentication, limits: RateLimits | undefined): SpectatorChecks {
  const limiters = limits && {
    requests: limits.own('spectator_requests', SPECTATOR_RATES.requests),
    files: limits.own('spectator_files', SPECTATOR_RATES.files),
    pages: limits.own('spectator_pages', SPECTATOR_RATES.pages),
  }
  const count = (exchange: Exchange, what: keyof typeof SPECTATOR_RATES): void => {
    if (limiters !== undefined) countRequest(exchange, limiters[what], addressKey(exchange.address))
  }
  return {
    isFrom(exchange, log, forSpectators, what) {
      if (forSpectators !== true || needsLogin(exchange, 'optional', what === 'files')) return false
      if (!authentication.admitsSpectators(log)) return false
      count(exchange, what)
      return true
    },
    admitsReaders(exchange, log) {
      if (authentication.isDeactivated(log) || !authentication.admitsSpectators(log)) return false
      count(exchange, 'pages')
      return true
    },
  }
}

function countUse(exchange: Exchange, log: OrganizationLog, { userId }: Actor, limits: RateLimits | undefined): void {
  if (limits !== undefined) countRequest(exchange, limits.user, `${log.organization.id}:${userId}`)
}

function keyClaim(authentication: Authentication, authorization: string, client: string): Claim | undefined {
  const token = bearerToken(authorization)
  if (token !== undefined) return authentication.parseTokenClaim(token, client)
  const credentials = basicCredentials(authorization)
  if (typeof credentials === 'string') return undefined
  return authentication.parseClaim(credentials.username, credentials.password, client)
}

function renewCookie(exchange: Exchange, seconds: number | undefined): void {
  const cookie = exchange.session
  if (seconds !== undefined && cookie !== undefined) exchange.giveSession(cookie, seconds)
}

/** Returns the URL's API key. It takes precedence over the header, in which a service can send its own credentials. */
function apiKeyInUrl({ query }: Exchange): string | undefined {
  return new URLSearchParams(query).get('api_key') ?? undefined
}

function acceptedSessionCookie(exchange: Exchange, isFile: boolean): string | undefined {
  const { session } = exchange
  return session !== undefined && isCookieAccepted(exchange, isFile) ? session : undefined
}

function needsLogin(exchange: Exchange, login: 'required' | 'optional' | 'none', isFile: boolean): boolean {
  if (login !== 'optional') return login === 'required'
  const { authorization = '' } = exchange.request.headers
  return authorization === '' ? acceptedSessionCookie(exchange, isFile) !== undefined : true
}

function countRequest(exchange: Exchange, limiter: RateLimiter, key: string): void {
  const verdict = limiter.use(key)
  exchange.set(rateLimitHeaders(verdict))
  if (!verdict.allowed) throw new RateLimitError(verdict, 'API usage exceeded rate limit')
}
