/** `MAX_BODY_BYTES` in the server's platform/http/body.ts. */
export const BODY_BYTES = 2 * 1024 * 1024
/** `MAX_FIELDS_PER_BODY` in the server's platform/http/body.ts. */
export const MAX_FIELDS = 1_000
/** Fits into a request's head, which Node limits to 16 KiB. */
export const MAX_QUERY_BYTES = 14 * 1024

/**
 * @typedef {object} Request @property {string} what what makes the request expensive
 * @property {string} method @property {string} path without the API's prefix
 * @property {string} [type] content type of the body
 * @property {string | Buffer} [body]
 */

/** @typedef {Readonly<Record<string, unknown>>} Fields strings, and values to send as JSON */

/**
 * Builds a form request, with the fields in the query if the method has no body.
 * @param {string} what @param {string} address method and path @param {Fields} [fields] @returns {Request}
 */
export function formRequest(what, address, fields = {}) {
  const [method = '', path = ''] = address.split(' ')
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const text = parameters.toString()
  if (method === 'GET' && text.length <= MAX_QUERY_BYTES)
    return { what, method, path: text === '' ? path : `${path}?${text}` }
  return { what, method, path, type: 'application/x-www-form-urlencoded', body: text }
}

/** @param {string} what @param {string} address @param {string} body @param {string} [type] @returns {Request} */
export function rawRequest(what, address, body, type = 'application/x-www-form-urlencoded') {
  const [method = '', path = ''] = address.split(' ')
  return { what, method, path, type, body }
}

const BOUNDARY = 'between-the-parts'

/**
 * @param {string} what @param {string} address @param {{ name: string, content: Buffer | string }} file
 * @param {Fields} [fields] @returns {Request}
 */
export function uploadRequest(what, address, { name, content }, fields = {}) {
  const [method = '', path = ''] = address.split(' ')
  const before = Object.entries(fields).map(
    ([field, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${String(value)}\r\n`,
  )
  const head = `${before.join('')}--${BOUNDARY}\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  return { what, method, path, type: `multipart/form-data; boundary=${BOUNDARY}`, body }
}

/** A multipart form. @param {string} what @param {string} address @param {number} count of fields @returns {Request} */
export function multipartRequest(what, address, count) {
  const [method = '', path = ''] = address.split(' ')
  const part = (/** @type {number} */ index) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="p${index}"\r\n\r\nx\r\n`
  const body = `${Array.from({ length: count }, (_, index) => part(index)).join('')}--${BOUNDARY}--\r\n`
  return { what, method, path, type: `multipart/form-data; boundary=${BOUNDARY}`, body }
}

/** @param {string} piece @param {number} length in characters */
export function repeatText(piece, length) {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
}

/** @template T @param {number} count @param {(index: number) => T} make */
export function createList(count, make) {
  return Array.from({ length: count }, (_, index) => make(index))
}
