/*
 * Requests as they go over the line, made from parameters. What is sent is as large as the server takes it.
 */

/** As the server has it: `MAX_BODY_BYTES` in platform/http/body.ts. */
export const BODY_BYTES = 2 * 1024 * 1024
/** As the server has it: `MAX_FIELDS` there. */
export const FIELDS = 1_000
/** Node takes no more of a request's head. */
export const QUERY_BYTES = 14 * 1024

/**
 * @typedef {object} Request
 * @property {string} what is bad about it, in a few words
 * @property {string} method
 * @property {string} path below the API's prefix
 * @property {string} [type] the body's
 * @property {string | Buffer} [body]
 */

/** @typedef {Readonly<Record<string, unknown>>} Fields texts, and values that are sent as JSON */

/**
 * A form; behind the path where a request has no body.
 * @param {string} what
 * @param {string} address the method and the path
 * @param {Fields} [fields]
 * @returns {Request}
 */
export function form(what, address, fields = {}) {
  const [method = '', path = ''] = address.split(' ')
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const text = parameters.toString()
  if (method === 'GET' && text.length <= QUERY_BYTES)
    return { what, method, path: text === '' ? path : `${path}?${text}` }
  return { what, method, path, type: 'application/x-www-form-urlencoded', body: text }
}

/**
 * A form whose fields are as they are given.
 * @param {string} what
 * @param {string} address
 * @param {string} body
 * @param {string} [type]
 * @returns {Request}
 */
export function raw(what, address, body, type = 'application/x-www-form-urlencoded') {
  const [method = '', path = ''] = address.split(' ')
  return { what, method, path, type, body }
}

const BOUNDARY = 'between-the-parts'

/**
 * A form with a file.
 * @param {string} what
 * @param {string} address
 * @param {{ name: string, content: Buffer | string }} file
 * @param {Fields} [fields]
 * @returns {Request}
 */
export function upload(what, address, { name, content }, fields = {}) {
  const [method = '', path = ''] = address.split(' ')
  const before = Object.entries(fields).map(
    ([field, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${String(value)}\r\n`,
  )
  const head = `${before.join('')}--${BOUNDARY}\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  return { what, method, path, type: `multipart/form-data; boundary=${BOUNDARY}`, body }
}

/** Many parts of a form in parts. @param {string} what @param {string} address @param {number} count @returns {Request} */
export function inParts(what, address, count) {
  const [method = '', path = ''] = address.split(' ')
  const part = (/** @type {number} */ index) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="p${index}"\r\n\r\nx\r\n`
  const body = `${Array.from({ length: count }, (_, index) => part(index)).join('')}--${BOUNDARY}--\r\n`
  return { what, method, path, type: `multipart/form-data; boundary=${BOUNDARY}`, body }
}

/** A text of a piece again and again. @param {string} piece @param {number} length in characters */
export function repeated(piece, length) {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
}

/** @template T @param {number} count @param {(index: number) => T} make */
export function list(count, make) {
  return Array.from({ length: count }, (_, index) => make(index))
}
