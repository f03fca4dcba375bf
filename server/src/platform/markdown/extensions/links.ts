import { LinkifyIt, REBuilder, type Match } from 'linkify-it'
import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { JOINING_LETTER, MARK_PATTERN } from '../../../kernel/words.ts'
import { jobOf } from '../job.ts'
import { turnIntoText } from '../tokens.ts'

const ALLOWED_LINK_PATTERN = /^(?:https?:\/\/|mailto:|tel:|[/#])/i
const SCHEME_PATTERN = /^[a-z][a-z0-9+.-]{0,30}:/i
const HOST_AND_PORT_PATTERN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}:\d{1,5}(?:[/?#]|$)/i
/** The DNS limit. Encoding a longer host takes quadratic time. */
const MAX_HOST_CHARACTERS = 253
const EMAIL_ADDRESS_PATTERN = /^[^\s@/:?#]{1,64}@[^\s@/:?#]{1,255}$/

/** Restricts link targets. `example.com/x` becomes `http://example.com/x`, never a relative URL. */
export function linksExtension(md: MarkdownIt): void {
  const encode = md.normalizeLink.bind(md)
  md.normalizeLink = (url) => encode(withAsciiHost(withScheme(url.trim())))
  md.validateLink = (url) => ALLOWED_LINK_PATTERN.test(url)
  md.inline.ruler2.before('fragments_join', 'unlink', removeNestedAndEmptyLinks)
  md.inline.ruler2.push('wordless_links', labelEmptyLinks)
  md.core.ruler.push('own_links', shortenOwnLinks)
}

function withScheme(url: string): string {
  if (url.startsWith('//')) return `http:${url}`
  if (url === '' || url.startsWith('/') || url.startsWith('#')) return url
  if (SCHEME_PATTERN.test(url) && !HOST_AND_PORT_PATTERN.test(url)) return url
  if (EMAIL_ADDRESS_PATTERN.test(url)) return `mailto:${url}`
  if (url.startsWith('user_uploads/')) return `/${url}`
  return `http://${url}`
}

/** Maps letters before encoding them, as browsers do: `Ü` to `ü`, and a decomposed `ü` to a composed one. */
function withAsciiHost(url: string): string {
  const [start = '', host = ''] = /^https?:\/\/(?:[^/?#@]*@)?([^\s/\\?#:@[\]]*)/i.exec(url) ?? []
  if (host.length > MAX_HOST_CHARACTERS || isAscii(host) || !URL.canParse(`http://${host}`)) return url
  return start.slice(0, -host.length) + new URL(`http://${host}`).hostname + url.slice(start.length)
}

function removeNestedAndEmptyLinks({ tokens }: StateInline): void {
  const open: ('kept' | 'inner' | 'empty')[] = []
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const state = open.includes('kept') ? 'inner' : token.attrGet('href') === '' ? 'empty' : 'kept'
      open.push(state)
      if (state !== 'kept') turnIntoText(token, state === 'empty' ? '[' : '')
    } else if (token.type === 'link_close') {
      const state = open.pop()
      if (state !== 'kept') turnIntoText(token, state === 'empty' ? ']()' : '')
    }
  }
}

/** Labels `[](url)` with the last part of its URL. */
function labelEmptyLinks(state: StateInline): void {
  for (let index = state.tokens.length - 2; index >= 0; index--) {
    const open = state.tokens[index]
    if (open?.type !== 'link_open' || state.tokens[index + 1]?.type !== 'link_close') continue
    const address = state.md.normalizeLinkText(String(open.attrGet('href')))
    const words = new state.Token('text', '', 0)
    words.content = address.split('/').findLast((part) => part !== '') ?? address
    words.level = open.level + 1
    state.tokens.splice(index + 1, 0, words)
  }
}

/** Makes links into this organization relative, so that they survive a change of domain. */
function shortenOwnLinks(state: StateCore): void {
  const { baseUrl } = jobOf(state.env).context
  for (const link of findLinkTokens(state.tokens)) {
    const href = String(link.attrGet('href') ?? '')
    if (href.startsWith(`${baseUrl}/#`) || href.startsWith(`${baseUrl}/user_uploads/`)) {
      link.attrSet('href', href.slice(baseUrl.length))
    } else if (href.startsWith('#narrow/')) {
      link.attrSet('href', `/${href}`)
    }
  }
}

function* findLinkTokens(tokens: readonly Token[]): Generator<Token> {
  for (const token of tokens) {
    for (const child of token.children ?? []) if (child.type === 'link_open') yield child
  }
}

/** Top-level domains, except those that resemble file endings or fields: `main.rs`, `notes.md`, `user.name`. */
const BARE_LINK_DOMAINS = new Set(
  (
    'com org net edu gov int mil info biz pro app dev io co me tv ai chat cloud online site tech blog news wiki xyz ' +
    'museum coop aero jobs asia ' +
    'ac ad ae ar at au ba bd be bg bh bo br by ca ch ci cl cn cr cu cy cz de dk dz ec ee eg es et eu fi fr ga ge gh ' +
    'gr gt hk hn hr hu ie il iq ir it jo jp ke kg kr kw kz lb li lk lt lu lv ly ma mk mn mt mx my ng ni nl no np ' +
    'nz om pa pe ph pk pt qa ro ru sa sd se sg si sk sn su sv sy th tn tr tw tz ua ug uk us uy uz ve vn ye za zw'
  ).split(' '),
)

/** Domains in scripts without spaces. In these scripts, any other word after `example.com.` starts a sentence. */
const SPACELESS_DOMAINS = new Set(
  (
    '中国 中國 香港 台湾 台灣 澳门 澳門 新加坡 公司 网络 網絡 网址 在线 商城 网店 网站 商标 集团 中文网 我爱你 手机 移动 公益 政务 ' +
    '政府 한국 닷컴 닷넷 삼성 ไทย คอม ລາວ みんな コム クラウド ストア グーグル'
  ).split(' '),
)

/** Quick test for possible URLs: most messages contain none, and a full search takes as long as all other parsing. */
const MAY_BE_ADDRESS_PATTERN = /(?:https?|mailto):|\.\S/i

/** Scripts that browsers show together in one label. Other mixtures could make a host look like another host. */
const SCRIPTS_ALLOWED_TOGETHER =
  'Latn+Hani+Hira+Kana Latn+Hani+Bopo Latn+Hani+Hang Cyrl Grek Armn Geor Hebr Arab Deva Beng Guru Gujr Orya Taml Telu ' +
  'Knda Mlym Sinh Thai Laoo Mymr Khmr Ethi Tibt'

const WORD_CHARACTER = `(?:${JOINING_LETTER}|_|${MARK_PATTERN})`
const NON_ASCII_CHARACTER = '[^\\0-\\x7F\\uFF5C\\p{P}\\p{Z}\\p{Cc}]'
const HOST_CHARACTER = `(?:\\w|${NON_ASCII_CHARACTER})`
/** A letter of a script without spaces, or a symbol. */
const NON_WORD_CHARACTER = `(?!${WORD_CHARACTER})${NON_ASCII_CHARACTER}`

let expressions: ReturnType<typeof createExpressions> | undefined

function createExpressions() {
  return {
    host: new RegExp(`${HOST_CHARACTER}(?:(?:\\.|-+)?${HOST_CHARACTER})*`, 'gu'),
    words: new RegExp(`(?:${JOINING_LETTER}|_)(?:[\\p{Cf}.-]*${WORD_CHARACTER})*`, 'gu'),
    inWord: new RegExp(WORD_CHARACTER, 'u'),
    besideWord: new RegExp(`[.-]?${NON_WORD_CHARACTER}`, 'uy'),
    foreignTo: SCRIPTS_ALLOWED_TOGETHER.split(' ').map((scripts) => {
      const letters = scripts.split('+').map((script) => `\\p{scx=${script}}`)
      return new RegExp(`(?![\\p{scx=Zyyy}${letters.join('')}])\\p{L}`, 'u')
    }),
  }
}

function hostExpressions() {
  return (expressions ??= createExpressions())
}

function matchStartingAt(expression: RegExp, text: string, position: number): string {
  expression.lastIndex = position
  const match = expression.exec(text)
  // Resets the position: otherwise, a later `matchAll` would start at the end of this match.
  expression.lastIndex = 0
  return match?.index === position ? match[0] : ''
}

const isAscii = (text: string): boolean => !/[^\0-\x7F]/.test(text)

function isHost(host: string): boolean {
  if (host.length > MAX_HOST_CHARACTERS) return false
  return host.split('.').every(isLabel) && (isAscii(host) || URL.canParse(`http://${host}`))
}

function isLabel(label: string): boolean {
  if (/^-|-$|^$/.test(label)) return false
  return isAscii(label) || hostExpressions().foreignTo.some((letter) => !letter.test(label))
}

const isDomain = (label: string): boolean =>
  BARE_LINK_DOMAINS.has(label.toLowerCase()) || /^xn--[a-z\d-]{1,59}$/i.test(label)

function isBareHost(host: string): boolean {
  const dot = host.lastIndexOf('.')
  return dot > 0 && isDomain(host.slice(dot + 1)) && isHost(host)
}

const REST_OF_URL_PATTERN = /:\d|\//y

/** Returns the end of a host at `start`, or undefined if its scripts could make it look like another host. */
function endOfHost(text: string, start: number): number | undefined {
  const { host, words } = hostExpressions()
  const written = matchStartingAt(host, text, start)
  if (written === '') return start
  const first = matchStartingAt(words, written, 0)
  const domain = written.slice(written.lastIndexOf('.') + 1)
  const word = matchStartingAt(words, domain, 0)
  let end = written.length
  const continues = written.charAt(first.length) === '.' && (isDomain(domain) || SPACELESS_DOMAINS.has(domain))
  if (isBareHost(first) && !continues) end = first.length
  else if (word !== '' && matchStartingAt(REST_OF_URL_PATTERN, text, start + end) === '')
    end -= domain.length - word.length
  return isHost(written.slice(0, end)) ? start + end : undefined
}

/** Finds hosts without a scheme. Beside Chinese text, only the part in Latin letters is the host. */
function findBareHosts(written: string): { readonly index: number; readonly host: string }[] {
  const { words, inWord } = hostExpressions()
  const parts = [...written.matchAll(words)].map(({ 0: host, index }) => ({ index, host }))
  const isMixed = written.split('.').some((label) => inWord.test(label) && matchStartingAt(words, label, 0) !== label)
  if (!isMixed && isBareHost(written)) return [{ index: 0, host: written }]
  return parts.filter(({ index, host }) => written.charAt(index - 1) !== '.' && isBareHost(host))
}

/** Also accepts hosts that cannot be registered: `my_bucket.s3.storage.example`, `http://my_service:8080`. */
class HostExpressions extends REBuilder {
  override get_url_host_port(): RegExp {
    const letter = this.get_pseudo_letter().source
    const label = `(?:(?:${letter}|_)(?:[-_]|${letter}){0,61}${letter}|${letter})`
    const host = `(?:${this.get_ipv6_url_host().source}|(?:${label}\\.){0,10}${label})`
    return (this.cache['url_host_port'] ??= new RegExp(
      host + this.get_port().source + this.get_host_terminator().source,
    ))
  }

  override get_schema_search(): RegExp {
    const before = `^|(?!_)[<>\\uFF5C\\p{P}\\p{Z}\\p{Cc}]|(?<=${NON_WORD_CHARACTER})`
    return (this.cache['schema_search'] ??= new RegExp(`(${before})(${this.get_schema_names().source})`, 'giu'))
  }

  override get_schema_at_start(): RegExp {
    return (this.cache['schema_at_start'] ??= new RegExp(`^()(${this.get_schema_names().source})`, 'i'))
  }

  override get_mail_name_validator(): RegExp {
    const before = `^|[<>"(\\p{Z}\\p{Cc}]|(?<=(?!${WORD_CHARACTER})[^\\0-\\x7F])`
    return (this.cache['mail_name_validator'] ??= new RegExp(`(?:${before})(${this.get_mail_name().source})$`, 'u'))
  }
}

const BEFORE_HOST_PATTERN = /\/\/(?:[^\s/[\]()@]{1,50}@)?(?:\[[\da-f:.]{2,45}\])?/giy
const PORT_PATTERN = /:\d{1,5}/gy
/** Matches `:x@` in `https://ann:x@example.com`, in which `ann` was matched as the host. */
const REST_OF_LOGIN_PATTERN = /(?::[^\s/?#@]{0,300})?@/y

const webSchema = {
  validate(text: string, pos: number, { re }: LinkifyIt): number {
    const before = matchStartingAt(BEFORE_HOST_PATTERN, text, pos)
    const start = pos + before.length
    const end = before.endsWith(']') ? start : endOfHost(text, start)
    if (end === undefined) return 0
    const portEnd = end + matchStartingAt(PORT_PATTERN, text, end).length
    const isCut = matchStartingAt(hostExpressions().besideWord, text, portEnd) !== ''
    const validator = re.get_http_validator()
    validator.lastIndex = pos
    const [found = ''] = validator.exec(isCut ? text.slice(0, portEnd) : text) ?? []
    REST_OF_LOGIN_PATTERN.lastIndex = pos + found.length
    // Rejects a URL with a login, because the link would lead to a different host.
    if (REST_OF_LOGIN_PATTERN.test(text)) return 0
    return found.endsWith('~~') ? found.length - 2 : found.length
  },
}

const NOT_BEFORE_LINK_PATTERN = /[.:/@-]/
const NOT_AFTER_LINK_PATTERN = /-|\.-|:\d|[$+=@^`|~]/y

function findBareLinks(text: string): Match[] {
  return [...text.matchAll(hostExpressions().host)].flatMap(({ 0: written, index: start }) => {
    if (!written.includes('.')) return []
    return findBareHosts(written).flatMap(({ index, host }) => {
      const end = start + index + host.length
      const isLast = index + host.length === written.length
      if (index === 0 && NOT_BEFORE_LINK_PATTERN.test(text.charAt(start - 1))) return []
      if (isLast && matchStartingAt(NOT_AFTER_LINK_PATTERN, text, end) !== '') return []
      return [createMatch(text, '', start + index, end)]
    })
  })
}

function createMatch(text: string, schema: string, index: number, lastIndex: number): Match {
  const raw = text.slice(index, lastIndex)
  const scheme = schema === '' ? 'http://' : /^mailto:/i.test(raw) ? '' : schema
  return { schema, index, lastIndex, raw, text: raw, url: scheme + raw }
}

/** Ends the host of an email address where the host of a URL would end. */
function correctEmailHost(text: string, match: Match): Match[] {
  if (match.schema !== 'mailto:') return [match]
  const start = match.index + match.raw.lastIndexOf('@') + 1
  const end = endOfHost(text, start)
  if (end === undefined) return []
  return end === start || end >= match.lastIndex ? [match] : [createMatch(text, match.schema, match.index, end)]
}

export function bareLinksExtension(md: MarkdownIt): void {
  md.set({ linkify: true })
  const rebuilder = new HostExpressions()
  md.linkify = new LinkifyIt({ fuzzyEmail: true, urlAuth: true, rebuilder })
  md.linkify.add('http:', webSchema).add('https:', webSchema).add('ftp:', null).add('//', null)
  const match = md.linkify.match.bind(md.linkify)
  const path = new RegExp(rebuilder.get_path().source, 'iy')
  md.linkify.match = (text) => {
    const found = (match(text) ?? []).flatMap((one) => correctEmailHost(text, one))
    let end = 0
    // Finds hosts without paths: reading the path after each of `a.io?a.io?…` would take quadratic time.
    return [...findBareLinks(text), ...found]
      .toSorted((a, b) => a.index - b.index)
      .flatMap((one) => {
        if (one.index < end) return []
        end = one.lastIndex
        if (one.schema !== '') return [one]
        end += matchStartingAt(path, text, end).length
        return [createMatch(text, '', one.index, end)]
      })
  }
  // The library's own test misses URLs after an underscore, as in `_https://example.com_`.
  md.linkify.test = (text) => MAY_BE_ADDRESS_PATTERN.test(text)
}

const EXCLAMATION_MARK_CODE = 33
const OPENING_BRACKET_CODE = 91
const CLOSING_PARENTHESIS_CODE = 41

/** Treats `![text](url)` as a link, so that messages never make readers load external images. */
export function imagesExtension(md: MarkdownIt): void {
  md.disable('image')
  md.inline.ruler.before('link', 'image_as_link', parseImageAsLink)
}

function parseImageAsLink(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== EXCLAMATION_MARK_CODE || src.charCodeAt(pos + 1) !== OPENING_BRACKET_CODE) return false
  const end = endOfLink(state, pos + 1)
  if (end < 0) return false
  if (silent) {
    state.pos = end
  } else if (state.linkLevel > 0) {
    // An image inside another link, such as a badge, is reduced to its alternative text.
    state.push('text', '', 0).content = src.slice(pos + 2, state.md.helpers.parseLinkLabel(state, pos + 1, true))
    state.pos = end
  } else {
    state.pos = pos + 1
  }
  return true
}

function endOfLink(state: StateInline, start: number): number {
  const { pos } = state
  state.pos = start
  if (start < state.posMax) state.md.inline.skipToken(state)
  const end = state.pos
  state.pos = pos
  return end > start + 1 && end <= state.posMax && state.src.charCodeAt(end - 1) === CLOSING_PARENTHESIS_CODE ? end : -1
}
