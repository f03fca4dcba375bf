import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { ApiError, notLoggedInError } from '../../kernel/refusal.ts'
import type { ReadDb } from '../../kernel/transaction.ts'
import type { Route, Gateway } from '../capability.ts'
import type { Replicas } from '../db/replicas.ts'
import type { OrganizationLog } from '../log/organization-log.ts'
import type { ServerFacts } from '../server-facts.ts'
import { sendFile, type FileRoute } from '../files/serve.ts'
import type { Logger } from '../logger.ts'
import type { PageRoute } from '../pages/page-route.ts'
import { createPageHandler } from '../pages/public.ts'
import { AccountTurns } from './account-turns.ts'
import type { FileLimits } from './body.ts'
import { createCallHandler, noOrganizationError, type CallOptions, type UseLogAt } from './calls.ts'
import { openDeadlines } from './deadlines.ts'
import type { Exchange, Site } from './exchange.ts'
import { createFailureHandler, refuseWhileStopping, sendUnavailable, type ShowPage } from './failures.ts'
import { gatewayAddresses } from './gateways.ts'
import { POSITION_HEADER } from './headers.ts'
import type { Listener } from './listener.ts'
import { openLogins, type Authentication, type Logins, type RateLimits } from './login.ts'
import type { ApiNames } from './names.ts'
import { API_PREFIX, routePattern, createRouter, type Address, type RequestHandler } from './routing.ts'

export interface HttpOptions {
  readonly listener: Listener
  readonly routes: readonly Route[]
  readonly facts: ServerFacts
  readonly apiNames: ApiNames
  readonly checkAnswers: boolean
  readonly trustProxy: boolean
  readonly isSecure: boolean
  readonly logger: Logger
  readonly deadlineSeconds: number
  readonly reads: ReadDb
  readonly replicas: Replicas | undefined
  readonly useLogAt: UseLogAt
  readonly openLogAt: FreshnessSources['openLogAt']
  readonly shared: boolean
  readonly isCurrent: () => boolean
  readonly authentication: Authentication
  readonly limits: RateLimits | undefined
  readonly fileLimits: FileLimits
  readonly fileRoutes: readonly FileRoute[]
  readonly pageRoutes: readonly PageRoute[]
  readonly gateways: readonly Gateway[]
  readonly pages: readonly Address[]
  readonly showPage: ShowPage
  readonly counted?: ((address: Address) => Address) | undefined
}

z.config(en())

export function createHttpServer(options: HttpOptions): Listener {
  const { listener, logger } = options
  const site: Site = {
    apiNames: options.apiNames,
    trustProxy: options.trustProxy,
    isSecure: options.isSecure,
    idPrefix: Date.now().toString(36),
    requests: 0,
    isClosing: false,
  }
  const pathForLog = createPathRedactor(options.fileRoutes)
  const logins = openLogins(options.authentication, options.limits)

  const fail = createFailureHandler(logger, pathForLog, () => options.facts.health.reportFull(), options.showPage)

  const deadlines = openDeadlines(options.deadlineSeconds, (exchange) => {
    logger.error({ reqId: exchange.id, path: pathForLog(exchange.path) }, 'request took too long')
    sendUnavailable(exchange, 'The request takes too long. It may still complete.')
  })

  const answerTo = (exchange: Exchange, answer: RequestHandler): void => {
    if (isNoted) noteWhenAnswered(exchange)
    try {
      // Refuses requests while closing: a new request could park a poll, for which shutdown would wait.
      const waiting = (site.isClosing ? refuseWhileStopping : answer)(exchange)
      if (waiting !== undefined) deadlines.follow(exchange, waiting, (error) => fail(exchange, error))
    } catch (error) {
      fail(exchange, error)
    }
  }

  const isNoted = logger.isLevelEnabled('info')
  const noteWhenAnswered = (exchange: Exchange): void => {
    const began = performance.now()
    const { id, method, path, response } = exchange
    response.on('finish', () => {
      const ms = Math.round(performance.now() - began)
      logger.info({ reqId: id, method, path: pathForLog(path), status: response.statusCode, ms }, 'request')
    })
  }

  const callOptions = { ...options, logins, failedLogins: options.limits?.failedLogins, turns: new AccountTurns() }
  const addresses = createAddresses(options, callOptions)
  const endpoints = options.routes.map(({ endpoint }) => endpoint)
  listener.server.on('request', createRouter(site, addresses, endpoints, answerTo))
  return {
    ...listener,
    async close() {
      site.isClosing = true
      await Promise.all([listener.close(), deadlines.close()])
    },
  }
}

function createAddresses(options: HttpOptions, callOptions: CallOptions): Address[] {
  const whenUpToDate = (answer: RequestHandler, endpoint?: Endpoint): RequestHandler =>
    options.shared ? afterReadingLog(answer, endpoint, { ...options, logins: callOptions.logins }) : answer
  return [
    ...options.routes.map((route) => ({
      method: route.endpoint.method,
      path: API_PREFIX + route.endpoint.path,
      pattern: () => routePattern(route.endpoint),
      answer: whenUpToDate(createCallHandler(route, callOptions), route.endpoint),
    })),
    ...options.fileRoutes.map((route) => ({
      method: 'GET' as const,
      path: route.path,
      answer: whenUpToDate(createFileHandler(route, options, callOptions.logins)),
    })),
    ...options.pageRoutes.map((route) => ({
      method: 'GET' as const,
      path: route.path,
      answer: whenUpToDate(createPageHandler(route, options, callOptions.logins)),
    })),
    ...gatewayAddresses(options.gateways, options.routes, callOptions).map((address) => ({
      ...address,
      answer: whenUpToDate(address.answer),
    })),
    ...options.pages,
  ].map(options.counted ?? ((address) => address))
}

function createFileHandler(route: FileRoute, options: HttpOptions, logins: Logins): RequestHandler {
  return async (exchange) => {
    const found = await options.useLogAt(exchange.host, async (log) => {
      if (log === undefined) throw noOrganizationError()
      const actor = logins.ofFile(exchange, log, route)
      const { parameters } = exchange
      const query = new URLSearchParams(exchange.query)
      const file = await route.find({ actor, log, reads: options.reads, parameters, query })
      // Spectators get the same error as clients of an organization without them.
      if (file === undefined && actor === undefined && route.forSpectators === true) throw notLoggedInError()
      return file
    })
    if (found === undefined) throw new ApiError('NOT_FOUND', 'No such endpoint or file')
    await sendFile(options.facts.files, exchange, found)
  }
}

const TOKEN_SEGMENT = ':token'
const SLASH_PATTERN = /(\/|%2f)/i

/** Returns a function that removes access tokens from paths, even for unknown addresses and wrong methods. */
function createPathRedactor(routes: readonly Pick<FileRoute, 'path'>[]): (path: string) => string {
  const beginnings = routes
    .map(({ path }) => path.split('/').filter((segment) => segment !== ''))
    .filter((segments) => segments.includes(TOKEN_SEGMENT))
    .map((segments) => segments.slice(0, segments.indexOf(TOKEN_SEGMENT)))
  return (path) => {
    const before: string[] = []
    const shown = path.split(SLASH_PATTERN).map((segment) => {
      if (segment === '' || SLASH_PATTERN.test(segment)) return segment
      const isPass = beginnings.some((beginning) => endsWithWords(before, beginning))
      before.push(decodeSegment(segment).toLowerCase())
      return isPass ? TOKEN_SEGMENT : segment
    })
    return shown.join('')
  }
}

function endsWithWords(words: readonly string[], end: readonly string[]): boolean {
  return end.every((word, index) => words[words.length - end.length + index] === word)
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const POSITION_PATTERN = /^\d{1,15}$/

interface FreshnessSources {
  readonly openLogAt: (host: string) => OrganizationLog | undefined
  readonly logins: Logins
  /** Whether this server polled for changes recently enough to answer requests. */
  readonly isCurrent: () => boolean
}

/** Reads the log first if this server may have missed a change: other servers wait only briefly (`peer-nodes.ts`). */
function afterReadingLog(
  answer: RequestHandler,
  endpoint: Endpoint | undefined,
  behind: FreshnessSources,
): RequestHandler {
  return (exchange) => {
    const log = behind.openLogAt(exchange.host)
    if (log === undefined) return answer(exchange)
    if (behind.isCurrent() && !mayLackChanges(exchange, log, endpoint, behind.logins)) return answer(exchange)
    return log.follower.catchUp().then(() => answer(exchange))
  }
}

function mayLackChanges(
  exchange: Exchange,
  log: OrganizationLog,
  endpoint: Endpoint | undefined,
  logins: Logins,
): boolean {
  // A client without a login can hold a link, password, or email address created moments ago on another server.
  if (endpoint?.authentication === 'none') return true
  const seen = exchange.request.headers[POSITION_HEADER]
  if (typeof seen === 'string' && POSITION_PATTERN.test(seen) && Number(seen) > log.organization.position) return true
  return logins.isRefused(exchange, log, endpoint)
}
