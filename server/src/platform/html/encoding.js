/* Detects encodings by the WHATWG standards, unlike Node. In JavaScript, because a worker of Node 20 loads it. */
import { getBOMEncoding, normalizeEncoding, TextDecoder } from '@exodus/bytes/encoding.js'

/** Browsers search this much of a page for its encoding declaration. */
const DECLARATION_BYTES = 1_024
const DEFAULT_ENCODING = 'windows-1252'

/** Decodes a page. `declared` is the response header's encoding. @param {Uint8Array} bytes @param {string} declared */
export function decodeHtml(bytes, declared) {
  const encoding = getBOMEncoding(bytes) ?? normalizeEncoding(declared) ?? findEncodingInHtml(bytes)
  return decodeAs(bytes, encoding ?? (isLikeUtf8(bytes) ? 'utf-8' : DEFAULT_ENCODING))
}

/** Decodes text without a reliable external declaration. @param {Uint8Array} bytes @param {string} [fallback] */
export function decodeUndeclared(bytes, fallback = DEFAULT_ENCODING) {
  const marked = getBOMEncoding(bytes)
  if (marked !== null) return decodeAs(bytes, marked)
  // Some Japanese and Chinese encodings use only ASCII bytes, with escape sequences.
  const isAscii = bytes.every((byte) => byte < 0x80 && byte !== 0x1b)
  if (isAscii || (bytes.some((byte) => byte >= 0x80) && isLikeUtf8(bytes))) return decodeAs(bytes, 'utf-8')
  return decodeAs(bytes, findEncodingInHtml(bytes) ?? fallback)
}

/** Returns a label's encoding, unless it is a Unicode or special encoding. @param {string} label */
export function legacyEncoding(label) {
  const encoding = normalizeEncoding(label)
  return encoding === null || /^(?:utf-|replacement|x-user-defined)/.test(encoding) ? undefined : encoding
}

/** @param {Uint8Array} bytes @param {string} encoding */
function decodeAs(bytes, encoding) {
  return new TextDecoder(encoding === 'replacement' ? DEFAULT_ENCODING : encoding).decode(bytes)
}

/** Whether bytes are UTF-8 with few errors. The last character can be incomplete. @param {Uint8Array} bytes */
function isLikeUtf8(bytes) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes)
    const errors = text.split('\uFFFD').length - 1
    return text.replace(/[\0-\x7F\uFFFD]+/g, '').length >= errors
  }
}

/** Returns the encoding that a page declares at its start. @param {Uint8Array} bytes */
function findEncodingInHtml(bytes) {
  const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES))
    .toString('latin1')
    .replace(/<!--[^]*?(?:-->|$)/g, '')
  const tags = [...start.matchAll(/<meta[\s/]([^>]*)/gi)].map(([, attributes = '']) => findEncodingLabel(attributes))
  const [, ofXml = ''] = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]*)/i.exec(start) ?? []
  const [declared] = [...tags, ofXml].map((label) => normalizeEncoding(label)).filter((encoding) => encoding !== null)
  // Text with a declaration that is readable as ASCII is not UTF-16.
  if (declared?.startsWith('utf-16')) return 'utf-8'
  return declared === 'x-user-defined' ? DEFAULT_ENCODING : declared
}

const ATTRIBUTE_PATTERN = /([^\s"'>/=]{1,40})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g

/** @param {string} attributes of a `meta` element */
function findEncodingLabel(attributes) {
  const given = new Map(
    [...attributes.matchAll(ATTRIBUTE_PATTERN)].map(([, name = '', ...values]) => [
      name.toLowerCase(),
      values.find((value) => value !== undefined) ?? '',
    ]),
  )
  const charset = given.get('charset')
  if (charset !== undefined) return charset
  if (given.get('http-equiv')?.toLowerCase() !== 'content-type') return ''
  return /charset\s{0,9}=\s{0,9}["']?\s{0,9}([^\s"';]{1,40})/i.exec(given.get('content') ?? '')?.[1] ?? ''
}
