import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../../kernel/refusal.ts'
import type { Exchange } from './exchange.ts'

/** Methods that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what a browser sends from a page of another site, with credentials that it remembers for this one. Programs
 * send neither header.
 * @throws Refusal CSRF_FAILED
 */
export function refuseCrossSite({ method, host, request: { headers } }: Exchange): void {
  if (!SAFE_METHODS.has(method) && isCrossSite(headers, host)) {
    throw new Refusal('CSRF_FAILED', 'This request comes from a page of another site.')
  }
}

function isCrossSite({ 'sec-fetch-site': site, origin }: IncomingHttpHeaders, host: string): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host.toLowerCase()
}
