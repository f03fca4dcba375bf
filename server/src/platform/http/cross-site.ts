import { Refusal } from '../../kernel/refusal.ts'
import type { Exchange } from './exchange.ts'

/** Methods that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Where a browser says that a request comes from: a page of this very origin, a page of another one, or the person, who typed
 * an address or opened a bookmark. Programs say nothing.
 */
type Source = 'own page' | 'other page' | 'person' | 'unsaid'

function sourceOf({ host, isSecure, request: { headers } }: Exchange): Source {
  const { 'sec-fetch-site': site, origin } = headers
  // Browsers send it to hosts that they trust, encrypted or their own machine, and no script can set it.
  if (site !== undefined) return site === 'same-origin' ? 'own page' : site === 'none' ? 'person' : 'other page'
  if (origin === undefined) return 'unsaid'
  if (!URL.canParse(origin)) return 'other page'
  const { protocol, host: sender } = new URL(origin)
  // A page that came unencrypted may have been written by anyone on its way.
  return sender === host.toLowerCase() && (protocol === 'https:' || !isSecure) ? 'own page' : 'other page'
}

/**
 * Refuses what a browser sends from a page of another site, with credentials that it remembers for this one. Programs
 * send neither header.
 * @throws Refusal CSRF_FAILED
 */
export function refuseCrossSite(exchange: Exchange): void {
  if (!SAFE_METHODS.has(exchange.method) && sourceOf(exchange) === 'other page') {
    throw new Refusal('CSRF_FAILED', 'This request comes from a page of another site.')
  }
}

/**
 * Whether the cookie of a session counts. A browser adds it by itself, so the request has to come from our own page: all
 * others are as if they had none. Without a word from the browser, a request that changes nothing may have it: the page of
 * another site could send it, but not read the answer. Every browser says where anything else comes from.
 * @param isFile of a file or a picture, which a person may also open by its address
 */
export function cookieCounts(exchange: Exchange, isFile: boolean): boolean {
  const source = sourceOf(exchange)
  if (source === 'own page') return true
  if (!SAFE_METHODS.has(exchange.method)) return false
  return source === 'unsaid' || (source === 'person' && isFile)
}
