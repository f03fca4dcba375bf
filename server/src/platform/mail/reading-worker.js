/* Thread that reads an untrusted email: a harmful one ends only this thread. In JavaScript, so Node 20 can run it. */
import { parentPort, workerData } from 'node:worker_threads'
import { TextDecoder } from '@exodus/bytes/encoding.js'
import { extension } from 'mime-types'
import { legacyEncoding, decodeUndeclared } from '../html/encoding.js'

/** Encoding labels that the parser assumes, or that programs declare without checking. */
const UNRELIABLE_LABELS = ['utf8', 'utf-8', 'us-ascii', 'ascii', 'ansi_x3.4-1968']

/** Encoding that the email's other parts declare. @type {string | undefined} */
let declaredEncoding

/** Decodes headers and text whose encoding is undeclared or wrongly declared. */
class MailDecoder extends TextDecoder {
  #isReliable

  /** @param {string} [label] @param {ConstructorParameters<typeof TextDecoder>[1]} [options] */
  constructor(label = 'utf-8', options) {
    super(label, options)
    this.#isReliable = !UNRELIABLE_LABELS.includes(label)
  }

  /** @override @param {ArrayBuffer | Uint8Array} [input] @returns {string} */
  decode(input = new Uint8Array()) {
    if (this.#isReliable) return super.decode(input)
    const bytes = ArrayBuffer.isView(input)
      ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
      : new Uint8Array(input)
    // Keeps a byte order mark before a header, because the parser has to see it.
    return this.ignoreBOM && (bytes[0] ?? 0) >= 0xef ? super.decode(input) : decodeUndeclared(bytes, declaredEncoding)
  }
}

globalThis.TextDecoder = MailDecoder
const { default: PostalMime } = await import('postal-mime')

/** Maximum nesting of parts, deeper than any email program produces. */
const MAX_MIME_DEPTH = 20
/** 20 times the maximum length of a message. Text beyond this limit is usually quotations and signatures. */
const MAX_TEXT_CHARACTERS = 200_000
/** How much of an email is searched for its encoding, and of an attached email for its subject. */
const MAX_MIME_HEADER_BYTES = 65_536
/** Names for unnamed files, by type. @type {Record<string, string>} */
const NAME_BY_TYPE = { 'message/rfc822': 'email', 'text/calendar': 'invitation', 'application/ics': 'invitation' }
/** Limit for the subject, the sender, and each header. */
const MAX_LINE_CHARACTERS = 1_000
const MAX_HEADERS = 1_000

/** @param {import('./reading.ts').MailReadRequest} order @returns {Promise<import('./reading.ts').ParsedMail>} */
async function readMail({ bytes, prefersHtml, maxFiles }) {
  const mail = await parse(bytes)
  const text = (mail.text ?? '').slice(0, MAX_TEXT_CHARACTERS)
  const html = (mail.html ?? '').slice(0, MAX_TEXT_CHARACTERS)
  const isHtmlBetter = prefersHtml || text.trim() === ''
  const files = []
  for (const attachment of mail.attachments.slice(0, maxFiles)) files.push(await convertAttachment(attachment))
  return {
    headers: mail.headers.slice(0, MAX_HEADERS).map(({ key, value }) => ({ key, value: limitText(value) })),
    subject: limitText(mail.subject),
    fromName: limitText(mail.from?.name),
    fromAddress: limitText(mail.from?.address),
    text: removeUnstorable(isHtmlBetter && html.trim() !== '' ? await htmlToMarkdown(html) : text),
    files,
    leftOut: Math.max(0, mail.attachments.length - maxFiles),
  }
}

/** Parses one email at a time. @param {Uint8Array} bytes */
async function parse(bytes) {
  const head = Buffer.from(bytes.subarray(0, MAX_MIME_HEADER_BYTES)).toString('latin1')
  const labels = Array.from(head.matchAll(/charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/gi), ([, label = '']) => label)
  declaredEncoding = labels.map(legacyEncoding).find((encoding) => encoding !== undefined)
  return PostalMime.parse(bytes, { maxNestingDepth: MAX_MIME_DEPTH })
}

/** @param {import('postal-mime').Attachment} attachment @returns {Promise<import('./reading.ts').MailFile>} */
async function convertAttachment({ filename, mimeType, description = '', content }) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
  const given = limitText(filename ?? '').trim()
  const about = mimeType === 'message/rfc822' ? await readSubject(bytes) : description
  return {
    name: given === '' ? nameUnnamedFile(mimeType, limitText(about).trim()) : given,
    type: limitText(mimeType),
    bytes,
  }
}

/** Returns the subject of an attached email. @param {Uint8Array} bytes */
async function readSubject(bytes) {
  const head = Buffer.from(bytes.subarray(0, MAX_MIME_HEADER_BYTES)).toString('latin1')
  const end = /\r?\n\r?\n/.exec(head)?.index
  const { subject = '' } = await parse(Buffer.from(head.slice(0, end), 'latin1'))
  return subject
}

/** Returns a name for an unnamed file. @param {string} type @param {string} about */
function nameUnnamedFile(type, about) {
  const [kind = ''] = type.split('/')
  const base = about || NAME_BY_TYPE[type] || (['image', 'audio', 'video'].includes(kind) ? kind : 'attachment')
  const end = type === 'application/octet-stream' ? false : extension(type)
  return end === false || base.toLowerCase().endsWith(`.${end}`) ? base : `${base}.${end}`
}

/** @param {string | undefined} text */
function limitText(text) {
  return removeUnstorable((text ?? '').slice(0, MAX_LINE_CHARACTERS))
}

/** Removes NUL and lone surrogates, which PostgreSQL cannot store. @param {string} text */
function removeUnstorable(text) {
  return text.replaceAll('\0', '').toWellFormed()
}

/** @param {string} html */
async function htmlToMarkdown(html) {
  // Loaded lazily: most emails include plain text.
  const { default: Turndown } = await import('turndown')
  const turndown = new Turndown({ headingStyle: 'atx', bulletListMarker: '-', codeBlockStyle: 'fenced' })
  turndown.remove(['script', 'style', 'head', 'title', 'noscript'])
  // External images would reveal readers to their server; images inside the email are attached as files.
  turndown.addRule('pictures', {
    filter: 'img',
    replacement: (_, picture) => turndown.escape((picture.getAttribute('alt') ?? '').replace(/\s+/g, ' ')),
  })
  const rules = parseStyleRules(html)
  // Added last, because the last rule has precedence.
  turndown.addRule('hidden', { filter: (element) => isHidden(element, rules), replacement: () => '' })
  return turndown.turndown(html)
}

/**
 * @typedef {object} HtmlElement element created by the parser; DOM types are not loaded here
 * @property {string} nodeName
 * @property {(name: string) => boolean} hasAttribute
 * @property {(name: string) => string | null} getAttribute
 * @property {ArrayLike<HtmlElement>} children
 */

/** @typedef {ReadonlyMap<string, string>} Style value by property, in lower case */

/** @typedef {{ name: string, value: string, isImportant: boolean }} Declaration */

/** @typedef {Map<string, { value: string, rank: number }>} RankedStyle value with the highest rank, by property */

/** @typedef {ReadonlyMap<string, RankedStyle>} StyleRules by simple selector */

/** Whether an element is invisible, such as preview text. @param {HtmlElement} element @param {StyleRules} rules */
function isHidden(element, rules) {
  const style = computeStyle(element, rules)
  const position = style.get('position') ?? 'static'
  return (
    element.hasAttribute('hidden') ||
    style.get('display') === 'none' ||
    style.get('visibility') === 'hidden' ||
    isLengthUpTo(0, style.get('opacity')) ||
    // Unless `overflow` is hidden, content that exceeds its box is visible.
    (style.get('overflow') === 'hidden' && ['width', 'height'].some((side) => isAtMostOnePixel(style, side))) ||
    OFFSET_PROPERTIES.some((property) => isFarOffScreen(style.get(property))) ||
    (position !== 'static' && POSITION_PROPERTIES.some((side) => isFarOffScreen(style.get(side)))) ||
    // Layouts also use a tiny font size to close gaps between cells, which have their own font size.
    (isLengthUpTo(2, style.get('font-size')) && !containsFontSize(element, rules))
  )
}

/** @param {Style} style @param {string} side */
function isAtMostOnePixel(style, side) {
  const least = style.get(`min-${side}`)
  return (
    [style.get(side), style.get(`max-${side}`)].some((size) => isLengthUpTo(1, size)) &&
    (least === undefined || isLengthUpTo(1, least))
  )
}

const OFFSET_PROPERTIES = ['text-indent', 'margin-left', 'margin-top']
const POSITION_PROPERTIES = ['left', 'right', 'top']

/** Whether a CSS offset moves content far off-screen. @param {string | undefined} value */
function isFarOffScreen(value = '') {
  return /^-\d{3,9}(?:\.\d{0,9})?(?:px|pt|em|rem|%)$/.test(value) && Number.parseFloat(value) <= -500
}

const sizedElements = new WeakMap()

/** Whether an element contains an element with its own font size. @param {HtmlElement} element @param {StyleRules} rules @returns {boolean} */
function containsFontSize(element, rules) {
  const known = sizedElements.get(element)
  if (known !== undefined) return known
  const has = Array.from(element.children).some((inner) => {
    const size = inner.nodeName === 'FONT' ? inner.getAttribute('size') : computeStyle(inner, rules).get('font-size')
    return (typeof size === 'string' && size !== 'inherit' && !isLengthUpTo(2, size)) || containsFontSize(inner, rules)
  })
  sizedElements.set(element, has)
  return has
}

const RELEVANT_PROPERTIES = new Set(
  [
    'display,visibility,opacity,overflow,width,height,min-width,min-height,max-width,max-height,position,font-size'.split(
      ',',
    ),
    OFFSET_PROPERTIES,
    POSITION_PROPERTIES,
  ].flat(),
)

/** Returns the last declaration of each property, with and without `!important`. @param {string} css @returns {Declaration[]} */
function parseDeclarations(css) {
  /** @type {Map<string, Declaration>} */
  const declarations = new Map()
  for (const declaration of css.replace(COMMENT_PATTERN, '').toLowerCase().split(';')) {
    const [given = '', written = ''] = declaration.split(':', 2).map((part) => part.trim())
    const name = given === 'font' ? 'font-size' : given
    if (!RELEVANT_PROPERTIES.has(name)) continue
    const value = written.replace(/\s{0,9}!\s{0,9}important$/, '')
    const isImportant = value !== written
    const read = name === given ? value : (FONT_SIZE_PATTERN.exec(value)?.[1] ?? 'inherit')
    declarations.set(`${name} ${isImportant}`, { name, value: read, isImportant })
  }
  return [...declarations.values()]
}

const COMMENT_PATTERN = /\/\*[^]*?(?:\*\/|$)/g
/** Matches the size but not the weight in `700 14px/20px Arial`. */
const FONT_SIZE_PATTERN = /(?:^|\s)(0|\d{0,4}\.?\d{1,4}(?:px|pt|em|rem|%))(?:\s|\/)/

/** Lets declarations replace those of lower or equal rank. @param {RankedStyle} style @param {readonly Declaration[]} declarations @param {number} level @param {number} order */
function applyDeclarations(style, declarations, level, order) {
  for (const { name, value, isImportant } of declarations) {
    const rank = (level + (isImportant ? IMPORTANT_LEVEL : 0)) * MAX_STYLE_RULES + order
    if (rank >= (style.get(name)?.rank ?? 0)) style.set(name, { value, rank })
  }
}

/** Levels of precedence. Within a level, later rules have precedence, up to `MAX_STYLE_RULES`. */
const PRECEDENCE_LEVELS = { tag: 1, '.': 2, '#': 4, attribute: 6 }
const IMPORTANT_LEVEL = 8
const MAX_STYLE_RULES = 2_000
const MAX_SELECTORS = 10_000
const MAX_CLASSES_PER_ELEMENT = 20

const knownStyles = new WeakMap()

/** @param {HtmlElement} element @param {StyleRules} rules @returns {Style} */
function computeStyle(element, rules) {
  const known = knownStyles.get(element)
  if (known !== undefined) return known
  const tag = element.nodeName.toLowerCase()
  const names = (element.getAttribute('class') ?? '').split(/\s+/, MAX_CLASSES_PER_ELEMENT).map((name) => `.${name}`)
  const selectors = ['', ...names, `#${element.getAttribute('id') ?? ''}`].flatMap((name) => [name, `${tag}${name}`])
  /** @type {RankedStyle} */
  const ranked = new Map()
  for (const [name, one] of selectors.flatMap((selector) => [...(rules.get(selector) ?? [])]))
    if (one.rank >= (ranked.get(name)?.rank ?? 0)) ranked.set(name, one)
  applyDeclarations(ranked, parseDeclarations(element.getAttribute('style') ?? ''), PRECEDENCE_LEVELS.attribute, 0)
  const style = new Map(Array.from(ranked, ([name, { value }]) => [name, value]))
  knownStyles.set(element, style)
  return style
}

/** Reads style rules that apply in every mail client, at any window size. @param {string} html @returns {StyleRules} */
function parseStyleRules(html) {
  /** @type {Map<string, RankedStyle>} */
  const rules = new Map()
  let left = MAX_SELECTORS
  for (const [order, rule] of extractStyleSheet(html).split('}', MAX_STYLE_RULES).entries()) {
    const [prelude = '', body = ''] = rule.split('{', 2)
    const declarations = parseDeclarations(body)
    const selectors = declarations.length === 0 ? [] : prelude.split(',', left)
    left -= selectors.length
    for (const selector of selectors) {
      const [, tag = '', mark = '', name = ''] = SELECTOR_PATTERN.exec(selector.trim()) ?? []
      if (tag === '' && mark === '') continue
      const key = tag.toLowerCase() + mark + name
      const style = rules.get(key) ?? new Map()
      rules.set(key, style)
      const level =
        (tag === '' ? 0 : PRECEDENCE_LEVELS.tag) + (mark === '.' || mark === '#' ? PRECEDENCE_LEVELS[mark] : 0)
      applyDeclarations(style, declarations, level, order)
    }
  }
  return rules
}

const SELECTOR_PATTERN = /^([a-z]\w{0,20})?(?:([.#])([\w-]{1,100}))?$/i
/** Matches style elements, and comments, which can contain style elements. */
const STYLE_ELEMENT_PATTERN = /<!--(?:-?>|[^]*?(?:-->|$))|<style([^<>]*)>([^]*?)(?:<\/style|$)/gi
const OTHER_MEDIA_PATTERN = /\smedia\s{0,9}=\s{0,9}["']?\s{0,9}(?!all\b|screen\s{0,9}(?:["',]|$))[^\s"']/i

/** @param {string} html */
function extractStyleSheet(html) {
  const sheets = Array.from(html.matchAll(STYLE_ELEMENT_PATTERN), ([, attributes = '', css = '']) =>
    OTHER_MEDIA_PATTERN.test(attributes) ? '' : css,
  )
  return withoutAtRules(
    sheets
      .join('\n')
      .replace(COMMENT_PATTERN, '')
      .replace(/<!--|-->/g, ''),
  )
}

/** Removes rules with conditions, such as those for narrow windows. @param {string} css */
function withoutAtRules(css) {
  let [text, depth, isConditional] = ['', 0, false]
  for (const [piece] of css.matchAll(/[{};]|@|[^{};@]+/g)) {
    if (piece === '@' && depth === 0) isConditional = true
    if (!isConditional) text += piece
    if (piece === '{') depth += 1
    else if (piece === '}') depth = Math.max(0, depth - 1)
    if (depth === 0 && (piece === '}' || piece === ';')) isConditional = false
  }
  return text
}

/** Whether a CSS length is at most `most` pixels or points. @param {number} most @param {string | undefined} value */
function isLengthUpTo(most, value) {
  if (value === undefined || !/^(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:[a-z]{1,4}|%)?$/.test(value)) return false
  const number = Number.parseFloat(value)
  return number === 0 || (number <= most && /\d(?:px|pt)$/.test(value))
}

const answer = await readMail(workerData)
parentPort?.postMessage(answer)
