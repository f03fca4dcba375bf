import { ApiError } from '../../kernel/refusal.ts'
import { preferredCoding } from '../answers/gzip.ts'
import { DatabaseBehindError, isFullDatabase, isUnavailable } from '../db/unavailable.ts'
import { isFullDisk, StoreUnavailableError } from '../files/store.ts'
import { RateLimitError, rateLimitHeaders } from '../limits/rate.ts'
import type { Logger } from '../logger.ts'
import { discardRest, LateBodyError, TooManyBodiesError } from './body.ts'
import { challengeTo } from './credentials.ts'
import { isOutOfDescriptors } from './descriptors.ts'
import type { Exchange } from './exchange.ts'
import { API_PREFIX } from './routing.ts'

/** Sends a page on which the web client explains the error or asks the person to sign in. */
export type ShowPage = (exchange: Exchange, status: number) => Promise<void>

export function createFailureHandler(
  logger: Logger,
  pathForLog: (path: string) => string,
  onFullDatabase: () => void,
  showPage: ShowPage,
): (exchange: Exchange, error: unknown) => void {
  return (exchange, error) => {
    if (error instanceof ApiError) {
      if (error instanceof RateLimitError || !wantsPage(exchange)) return sendRefusal(exchange, error)
      showPage(exchange, error.status).catch(() => sendRefusal(exchange, error))
      if (!exchange.request.complete) discardRest(exchange.request)
      return
    }
    const { id } = exchange
    const path = pathForLog(exchange.path)
    if (isOutOfDescriptors(error)) {
      logger.error({ reqId: id, path }, 'out of file descriptors: raise the limit of open files')
      sendUnavailable(exchange, 'The server is too busy. Try again.')
      return
    }
    if (isFullDatabase(error)) {
      logger.error({ reqId: id, path }, 'database out of space')
      onFullDatabase()
      sendUnavailable(exchange, 'The server is out of space. Tell its operator.')
      return
    }
    if (isUnavailable(error)) {
      // Logs only the message, because pg attaches the whole client to the error.
      logger.error({ reqId: id, reason: error instanceof Error ? error.message : '', path }, 'database unavailable')
      sendUnavailable(
        exchange,
        error instanceof DatabaseBehindError
          ? 'Committed data cannot be read. Try again.'
          : 'The database is unreachable. Try again.',
      )
      return
    }
    if (error instanceof StoreUnavailableError) {
      logger.error({ reqId: id, reason: error.message, path }, 'files unavailable')
      sendUnavailable(exchange, 'The file store is unreachable. Try again.')
      if (!exchange.request.complete) discardRest(exchange.request)
      return
    }
    if (isFullDisk(error)) {
      logger.error({ reqId: id, path }, 'no space for an uploaded file')
      exchange.json(507, notReadyBody('The server has no space for this file. Tell its operator.'))
      if (!exchange.request.complete) discardRest(exchange.request)
      return
    }
    logger.error({ reqId: id, err: withoutRowDetails(error), path }, 'request failed')
    exchange.json(500, notReadyBody(`Internal server error (request ${id})`))
  }
}

function sendRefusal(exchange: Exchange, error: ApiError): void {
  if (error.status === 401) exchange.set({ 'www-authenticate': challengeTo(exchange) })
  if (error instanceof LateBodyError || error instanceof TooManyBodiesError) exchange.set({ connection: 'close' })
  if (error instanceof RateLimitError) exchange.set(rateLimitHeaders(error.verdict))
  const retryAfter = error.extra['retry-after']
  if (typeof retryAfter === 'number') exchange.set({ 'retry-after': String(Math.ceil(retryAfter)) })
  exchange.json(error.status, JSON.stringify(error.envelope()))
  if (!exchange.request.complete) discardRest(exchange.request)
}

function wantsPage({ method, path, request: { headers } }: Exchange): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || headers.authorization !== undefined) return false
  if (`${path}/`.startsWith(`${API_PREFIX}/`)) return false
  return preferredCoding(headers.accept, ['application/json', 'text/html']) === 'text/html'
}

const RETRY_AFTER_SECONDS = 1

export function sendUnavailable(exchange: Exchange, message: string): void {
  exchange.set({ 'retry-after': String(RETRY_AFTER_SECONDS) })
  exchange.json(503, notReadyBody(message))
}

export function refuseWhileStopping(exchange: Exchange): void {
  exchange.set({ connection: 'close' })
  exchange.json(503, notReadyBody('The server is stopping'))
}

function withoutRowDetails(error: unknown): unknown {
  return error instanceof Error && 'detail' in error ? Object.assign(error, { detail: undefined }) : error
}

function notReadyBody(msg: string): string {
  return JSON.stringify({ result: 'error', msg, code: 'SERVER_NOT_READY' })
}
