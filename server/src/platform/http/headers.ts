export type Headers = Readonly<Record<string, string>>

/** Headers of every response. They prevent scripts, subresources, framing, and type sniffing. */
export const SAFE_HEADERS: Headers = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Headers of every API response. Caches must not store personal data. */
export const API_HEADERS: Headers = {
  ...SAFE_HEADERS,
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
}

/** For responses that are compressed on request. */
export const VARY: Headers = { vary: 'accept-encoding' }
export const GZIP: Headers = { 'content-encoding': 'gzip' }

/**
 * In a response: the log position that a read includes at least (later changes may be included too), or that includes a
 * write. In a request: the highest position that the client received from any server.
 */
export const POSITION_HEADER = 'parley-position'

/** Request header with any value: the client uses only neutral API names, regardless of `PARLEY_API_NAMES`. */
export const CLIENT_HEADER = 'parley-client'
