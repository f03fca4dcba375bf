import { ApiError } from '../../kernel/refusal.ts'
import type { Exchange } from './exchange.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Source of the request, according to the headers that browsers send; `unsaid` without these headers. */
type RequestSource = 'own page' | 'other page' | 'person' | 'unsaid'

function requestSource({ host, isSecure, request: { headers } }: Exchange): RequestSource {
  const { 'sec-fetch-site': site, origin } = headers
  // Browsers send `Sec-Fetch-Site` only to secure origins, and scripts cannot set it.
  if (site !== undefined) return site === 'same-origin' ? 'own page' : site === 'none' ? 'person' : 'other page'
  if (origin === undefined) return 'unsaid'
  if (!URL.canParse(origin)) return 'other page'
  const { protocol, host: sender } = new URL(origin)
  // Excludes unencrypted pages, which could have been modified in transit.
  return sender === host.toLowerCase() && (protocol === 'https:' || !isSecure) ? 'own page' : 'other page'
}

/** @throws ApiError CSRF_FAILED */
export function refuseCrossSite(exchange: Exchange): void {
  if (!SAFE_METHODS.has(exchange.method) && requestSource(exchange) === 'other page') {
    throw new ApiError('CSRF_FAILED', 'This request came from another site.')
  }
}

/**
 * Whether the session cookie is accepted. Browsers attach it automatically, so the request must come from our own page,
 * or be a read without source headers; with other methods, every browser sends these headers. A person can open a file
 * (`isFile`) by its URL.
 */
export function isCookieAccepted(exchange: Exchange, isFile: boolean): boolean {
  const source = requestSource(exchange)
  if (source === 'own page') return true
  if (!SAFE_METHODS.has(exchange.method)) return false
  return source === 'unsaid' || (source === 'person' && isFile)
}
