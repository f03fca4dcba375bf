import type { Exchange } from './exchange.ts'

/** Reads Basic credentials; `malformed` for any other scheme. */
export function basicCredentials(
  header: string | undefined,
): { username: string; password: string } | 'absent' | 'malformed' {
  if (header === undefined || header === '') return 'absent'
  const encoded = /^basic +(\S+)$/i.exec(header.trim())?.[1]
  if (encoded === undefined) return 'malformed'
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1) return 'malformed'
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

export function bearerToken(header: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(header.trim())?.[1]
}

const MAX_CLIENT_NAME_CHARACTERS = 30

/** Returns the first product in a User-Agent, or `website` for browsers. */
export function clientName(userAgent: string | undefined): string {
  const product = /^[^\s/;(]+/.exec(userAgent ?? '')?.[0]
  if (product === undefined) return 'unspecified'
  if (product === 'Mozilla') return 'website'
  return product.length <= MAX_CLIENT_NAME_CHARACTERS
    ? product
    : [...product].slice(0, MAX_CLIENT_NAME_CHARACTERS).join('')
}

/** Returns the challenge: `Session` for our own pages, because browsers open their own dialog for `Basic`. */
export function challengeTo({ request: { headers } }: Pick<Exchange, 'request'>): string {
  const mode = headers['sec-fetch-mode']
  const isPage = mode === undefined ? headers.accept?.includes('text/html') === true : mode === 'navigate'
  const isBrowser = mode !== undefined || clientName(headers['user-agent']) === 'website'
  return isBrowser && !isPage ? 'Session realm="Parley"' : 'Basic realm="Parley"'
}
