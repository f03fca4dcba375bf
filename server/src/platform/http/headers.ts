export type Headers = Readonly<Record<string, string>>

export const SAFE_HEADERS: Headers = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Headers that keep caches from storing personal data. */
export const API_HEADERS: Headers = {
  ...SAFE_HEADERS,
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
}

export const VARY_HEADERS: Headers = { vary: 'accept-encoding' }
export const GZIP_HEADERS: Headers = { 'content-encoding': 'gzip' }

export const POSITION_HEADER = 'parley-position'

/** Request header of clients that use only neutral API names, regardless of `PARLEY_API_NAMES`. Any value counts. */
export const CLIENT_HEADER = 'parley-client'
