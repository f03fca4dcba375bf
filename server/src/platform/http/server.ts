import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { Refusal } from '../../kernel/refusal.ts'
import type { Db } from '../../kernel/transaction.ts'
import type { Route } from '../capability.ts'
import type { ServerFacts } from '../server-facts.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { isFullDisk } from '../files/receive.ts'
import { sendFile, type FileRoute } from '../files/serve.ts'
import { RateLimitHit, rateLimitHeaders } from '../limits/rate.ts'
import type { Logger } from '../logger.ts'
import { dropRest, LateBody, TooManyBodies, type FileLimits } from './body.ts'
import { calling, noOrganization, type LogAt } from './calls.ts'
import { openDeadlines } from './deadlines.ts'
import type { Exchange, Site } from './exchange.ts'
import { createListener, type Listener } from './listener.ts'
import { pathsForLog } from './logged-path.ts'
import { openLogins, type Authentication, type RateLimits } from './login.ts'
import type { ApiNames } from './names.ts'
import { API_PREFIX, routePattern } from './paths.ts'
import { router, type Address, type Answering } from './routing.ts'

/** What the HTTP layer needs from the rest, and what the rest may not know of HTTP. */
export interface HttpOptions {
  readonly routes: readonly Route[]
  readonly facts: ServerFacts
  readonly apiNames: ApiNames
  /** Checks every answer against its declaration; in tests and development. */
  readonly checkAnswers: boolean
  readonly trustProxy: boolean
  readonly logger: Logger
  /** How long a request may wait for its answer to begin. */
  readonly deadlineSeconds: number
  readonly reads: Db
  readonly logAt: LogAt
  readonly authentication: Authentication
  /** Undefined where rate limits are off. */
  readonly limits: RateLimits | undefined
  readonly fileLimits: FileLimits
  readonly fileRoutes: readonly FileRoute[]
  /** Pages and files beside the API. */
  readonly pages: readonly Address[]
}

// Zod says in English what is wrong with a parameter.
z.config(en())

export function createHttpServer(options: HttpOptions): Listener {
  const { logger } = options
  const site: Site = {
    apiNames: options.apiNames,
    trustProxy: options.trustProxy,
    idPrefix: Date.now().toString(36),
    requests: 0,
    isClosing: false,
  }
  const pathForLog = pathsForLog(options.fileRoutes)
  const logins = openLogins(options.authentication, options.limits)

  const fail = (exchange: Exchange, error: unknown): void => {
    if (error instanceof Refusal) {
      if (error.status === 401) exchange.set({ 'www-authenticate': 'Basic realm="Parley"' })
      // Its rest is not waited for.
      if (error instanceof LateBody || error instanceof TooManyBodies) exchange.set({ connection: 'close' })
      if (error instanceof RateLimitHit) exchange.set(rateLimitHeaders(error.verdict))
      const retryAfter = error.extra['retry-after']
      if (typeof retryAfter === 'number') exchange.set({ 'retry-after': String(Math.ceil(retryAfter)) })
      exchange.json(error.status, JSON.stringify(error.envelope()))
      if (!exchange.request.complete) dropRest(exchange.request)
      return
    }
    const { id } = exchange
    const path = pathForLog(exchange.path)
    if (isUnavailable(error)) {
      // Only the message: pg hangs the whole client on the error.
      logger.error({ reqId: id, reason: error instanceof Error ? error.message : '', path }, 'database unavailable')
      unavailable(exchange, 'The database cannot be reached. Try again.')
      return
    }
    if (isFullDisk(error)) {
      logger.error({ reqId: id, path }, 'no room for an uploaded file')
      exchange.json(507, notReady('The server has no room for this file. Tell its administrator.'))
      if (!exchange.request.complete) dropRest(exchange.request)
      return
    }
    logger.error({ reqId: id, err: withoutRow(error), path }, 'request failed')
    exchange.json(500, notReady(`Internal server error (request ${id})`))
  }

  const deadlines = openDeadlines(options.deadlineSeconds, (exchange) => {
    logger.error({ reqId: exchange.id, path: pathForLog(exchange.path) }, 'request took too long')
    unavailable(exchange, 'This takes too long. What it asks for may still happen.')
  })

  const answerTo = (exchange: Exchange, answer: Answering): void => {
    if (isNoted) noteWhenAnswered(exchange)
    try {
      // What is not refused could park a poll that closing waits for.
      const waiting = (site.isClosing ? refuseStopping : answer)(exchange)
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

  const serving =
    (route: FileRoute): Answering =>
    async (exchange) => {
      const log = await options.logAt(exchange.host)
      if (log === undefined) throw noOrganization()
      const found = await route.find({
        actor: logins.ofFile(exchange, log, route.login),
        log,
        reads: options.reads,
        parameters: exchange.parameters,
        query: new URLSearchParams(exchange.query),
      })
      if (found === undefined) throw new Refusal('NOT_FOUND', 'There is nothing at this address')
      await sendFile(options.facts.files, exchange, found)
    }

  const callOptions = { ...options, logins, failedLogins: options.limits?.failedLogins }
  const addresses: Address[] = [
    ...options.routes.map((route) => ({
      method: route.endpoint.method,
      path: API_PREFIX + route.endpoint.path,
      pattern: () => routePattern(route.endpoint),
      answer: calling(route, callOptions),
    })),
    ...options.fileRoutes.map((route) => ({ method: 'GET' as const, path: route.path, answer: serving(route) })),
    ...options.pages,
  ]
  const endpoints = options.routes.map(({ endpoint }) => endpoint)
  const listener = createListener(logger, router(site, addresses, endpoints, answerTo))
  return {
    ...listener,
    async close() {
      site.isClosing = true
      await Promise.all([listener.close(), deadlines.close()])
    },
  }
}

const RETRY_AFTER_SECONDS = 1

/** What may go well in a moment. */
function unavailable(exchange: Exchange, message: string): void {
  exchange.set({ 'retry-after': String(RETRY_AFTER_SECONDS) })
  exchange.json(503, notReady(message))
}

function refuseStopping(exchange: Exchange): void {
  exchange.set({ connection: 'close' })
  exchange.json(503, notReady('The server is stopping'))
}

/** PostgreSQL repeats the row that it refused in its details: that can be a key, and nothing for the log. */
function withoutRow(error: unknown): unknown {
  return error instanceof Error && 'detail' in error ? Object.assign(error, { detail: undefined }) : error
}

/** What is nobody's fault but the server's. */
function notReady(msg: string): string {
  return JSON.stringify({ result: 'error', msg, code: 'SERVER_NOT_READY' })
}
