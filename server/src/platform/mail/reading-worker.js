/*
 * Thread that reads one email. Written in JavaScript so that Node 20 can run it. Untrusted email is parsed only here,
 * so an email that exceeds the time or memory limit ends only this thread.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { TextDecoder } from '@exodus/bytes/encoding.js'
import { extension } from 'mime-types'

// Since 20.18.3, Node's decoder treats windows-1252 as ISO-8859-1, which loses quotation marks and euro signs.
globalThis.TextDecoder = TextDecoder
const { default: PostalMime } = await import('postal-mime')

/** Maximum nesting of parts, which exceeds that of all email programs. */
const MAX_DEPTH = 20
/** 20 times the length of a message; quotations and signatures are at the end. */
const MAX_TEXT_CHARACTERS = 200_000
/** Limit for finding the subject of an attached email. */
const MAX_HEAD_BYTES = 65_536
/** Names of unnamed files, by type. @type {Record<string, string>} */
const NAMES = { 'message/rfc822': 'email', 'text/calendar': 'invitation', 'application/ics': 'invitation' }
/** Limit for the subject, the sender, and each header. */
const MAX_WORDS_CHARACTERS = 1_000
const MAX_HEADERS = 1_000

/** @param {import('./reading.ts').ReadingOrder} order @returns {Promise<import('./reading.ts').ReadMail>} */
async function readMail({ bytes, prefersHtml, maxFiles }) {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: MAX_DEPTH })
  const text = (mail.text ?? '').slice(0, MAX_TEXT_CHARACTERS)
  const html = (mail.html ?? '').slice(0, MAX_TEXT_CHARACTERS)
  const isHtmlBetter = prefersHtml || text.trim() === ''
  return {
    headers: mail.headers.slice(0, MAX_HEADERS).map(({ key, value }) => ({ key, value: words(value) })),
    subject: words(mail.subject),
    fromName: words(mail.from?.name),
    fromAddress: words(mail.from?.address),
    text: storable(isHtmlBetter && html.trim() !== '' ? await markdownOf(html) : text),
    files: await Promise.all(mail.attachments.slice(0, maxFiles).map(fileOf)),
    leftOut: Math.max(0, mail.attachments.length - maxFiles),
  }
}

/** @param {import('postal-mime').Attachment} attachment @returns {Promise<import('./reading.ts').MailFile>} */
async function fileOf({ filename, mimeType, description = '', content }) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
  const given = words(filename ?? '').trim()
  const about = mimeType === 'message/rfc822' ? await subjectOf(bytes) : description
  return { name: given === '' ? nameFor(mimeType, words(about).trim()) : given, type: words(mimeType), bytes }
}

/** Returns the subject of an attached email. @param {Uint8Array} bytes */
async function subjectOf(bytes) {
  const head = Buffer.from(bytes.subarray(0, MAX_HEAD_BYTES)).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index
  const { subject = '' } = await PostalMime.parse(Buffer.from(head.slice(0, end), 'latin1'))
  return subject
}

/** Returns a name for an unnamed file. @param {string} type @param {string} about */
function nameFor(type, about) {
  const [kind = ''] = type.split('/')
  const base = about || NAMES[type] || (['image', 'audio', 'video'].includes(kind) ? kind : 'attachment')
  const end = type === 'application/octet-stream' ? false : extension(type)
  return end === false || base.toLowerCase().endsWith(`.${end}`) ? base : `${base}.${end}`
}

/** @param {string | undefined} text */
function words(text) {
  return storable((text ?? '').slice(0, MAX_WORDS_CHARACTERS))
}

/** Removes NUL and lone surrogates, which PostgreSQL cannot store. @param {string} text */
function storable(text) {
  return text.replaceAll('\0', '').toWellFormed()
}

/** @param {string} html */
async function markdownOf(html) {
  // Loaded lazily: most emails include plain text.
  const { default: Turndown } = await import('turndown')
  const turndown = new Turndown({ headingStyle: 'atx', bulletListMarker: '-', codeBlockStyle: 'fenced' })
  turndown.remove(['script', 'style', 'head', 'title', 'noscript'])
  // External images would reveal readers to their server; images inside the email are attached as files.
  turndown.addRule('pictures', {
    filter: 'img',
    replacement: (_, picture) => turndown.escape((picture.getAttribute('alt') ?? '').replace(/\s+/g, ' ')),
  })
  // Added last, because the last rule has precedence.
  turndown.addRule('hidden', { filter: isHidden, replacement: () => '' })
  return turndown.turndown(html)
}

/**
 * @typedef {object} HtmlElement element created by the parser; DOM types are not loaded here
 * @property {(name: string) => boolean} hasAttribute
 * @property {(name: string) => string | null} getAttribute
 * @property {ArrayLike<HtmlElement>} children
 */

/** Whether an element is invisible, such as the preview text that mail programs show beside a subject. @param {HtmlElement} element */
function isHidden(element) {
  const style = styleOf(element)
  return (
    element.hasAttribute('hidden') ||
    style.get('display') === 'none' ||
    style.get('visibility') === 'hidden' ||
    isZero(style.get('opacity')) ||
    isZero(style.get('max-height')) ||
    (isZero(style.get('height')) && style.get('overflow') === 'hidden') ||
    // Layouts also use this to close gaps between cells, which have their own font size.
    (isZero(style.get('font-size')) && !hasSize(element))
  )
}

const sized = new WeakMap()

/** @param {HtmlElement} element @returns {boolean} */
function hasSize(element) {
  const known = sized.get(element)
  if (known !== undefined) return known
  const has = Array.from(element.children).some((inner) => {
    const size = styleOf(inner).get('font-size')
    return (size !== undefined && !isZero(size)) || hasSize(inner)
  })
  sized.set(element, has)
  return has
}

/** @param {HtmlElement} element @returns {ReadonlyMap<string, string>} */
function styleOf(element) {
  const declarations = (element.getAttribute('style') ?? '').toLowerCase().split(';')
  return new Map(
    declarations.map((declaration) => {
      const [name = '', value = ''] = declaration.split(':', 2)
      return [name.trim(), value.replace('!important', '').trim()]
    }),
  )
}

/** @param {string | undefined} value */
function isZero(value) {
  return value !== undefined && /^(?:0+(?:\.0*)?|\.0+)(?:[a-z]{1,4}|%)?$/.test(value)
}

const answer = await readMail(workerData)
parentPort?.postMessage(answer)
