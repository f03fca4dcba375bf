export type Headers = Readonly<Record<string, string>>

/** On every answer: nothing in it runs, loads, is framed or is taken for another type. */
export const SAFE_HEADERS: Headers = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Of every answer of the API. What one person may see is kept by no cache on its way. */
export const API_HEADERS: Headers = {
  ...SAFE_HEADERS,
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
}

/** Of an answer that is compressed for those who take it so. */
export const VARY: Headers = { vary: 'accept-encoding' }
/** Of one that is. */
export const GZIP: Headers = { 'content-encoding': 'gzip' }

/**
 * Of an answer: the position of the log that a read holds at least (what lies after it may have been read as well), or at
 * which what a write changed is there. Of a request: the highest that its client was told, by whichever server.
 */
export const POSITION_HEADER = 'parley-position'

/** Of a request, with any value: its client knows the API's own words alone, whatever `PARLEY_API_NAMES` says. */
export const CLIENT_HEADER = 'parley-client'
