import { LinkifyIt, REBuilder } from 'linkify-it'
import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { jobOf } from '../job.ts'
import { toText } from '../text-pieces.ts'

const ALLOWED_LINK = /^(?:https?:\/\/|mailto:|tel:|[/#])/i
const SCHEME = /^[a-z][a-z0-9+.-]{0,30}:/i
const HOST_AND_PORT = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}:\d{1,5}(?:[/?#]|$)/i
const EMAIL_ADDRESS = /^[^\s@/:?#]{1,64}@[^\s@/:?#]{1,255}$/

/** Restricts link targets. `example.com/x` becomes `http://example.com/x`, never a relative URL. */
export function links(md: MarkdownIt): void {
  const encode = md.normalizeLink.bind(md)
  md.normalizeLink = (url) => encode(withScheme(url.trim()))
  md.validateLink = (url) => ALLOWED_LINK.test(url)
  md.inline.ruler2.before('fragments_join', 'unlink', unlink)
  md.inline.ruler2.push('wordless_links', nameWordless)
  md.core.ruler.push('own_links', shortenOwnLinks)
}

function withScheme(url: string): string {
  if (url.startsWith('//')) return `http:${url}`
  if (url === '' || url.startsWith('/') || url.startsWith('#')) return url
  if (SCHEME.test(url) && !HOST_AND_PORT.test(url)) return url
  if (EMAIL_ADDRESS.test(url)) return `mailto:${url}`
  if (url.startsWith('user_uploads/')) return `/${url}`
  return `http://${url}`
}

function unlink({ tokens }: StateInline): void {
  const open: ('kept' | 'inner' | 'empty')[] = []
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const state = open.includes('kept') ? 'inner' : token.attrGet('href') === '' ? 'empty' : 'kept'
      open.push(state)
      if (state !== 'kept') toText(token, state === 'empty' ? '[' : '')
    } else if (token.type === 'link_close') {
      const state = open.pop()
      if (state !== 'kept') toText(token, state === 'empty' ? ']()' : '')
    }
  }
}

/** Gives `[](url)` the last part of its URL as words. */
function nameWordless(state: StateInline): void {
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
  for (const link of linksIn(state.tokens)) {
    const href = String(link.attrGet('href') ?? '')
    if (href.startsWith(`${baseUrl}/#`) || href.startsWith(`${baseUrl}/user_uploads/`)) {
      link.attrSet('href', href.slice(baseUrl.length))
    } else if (href.startsWith('#narrow/')) {
      link.attrSet('href', `/${href}`)
    }
  }
}

function* linksIn(tokens: readonly Token[]): Generator<Token> {
  for (const token of tokens) {
    for (const child of token.children ?? []) if (child.type === 'link_open') yield child
  }
}

/** Excludes domains that resemble file endings or fields: `main.rs`, `notes.md`, `user.name`. */
const BARE_LINK_DOMAINS =
  'com org net edu gov int mil info biz pro app dev io co me tv ai chat cloud online site tech blog news wiki xyz ' +
  'museum coop aero jobs asia ' +
  'ac ad ae ar at au ba bd be bg bh bo br by ca ch ci cl cn cr cu cy cz de dk dz ec ee eg es et eu fi fr ga ge gh ' +
  'gr gt hk hn hr hu ie il iq ir it jo jp ke kg kr kw kz lb li lk lt lu lv ly ma mk mn mt mx my ng ni nl no np ' +
  'nz om pa pe ph pk pt qa ro ru sa sd se sg si sk sn su sv sy th tn tr tw tz ua ug uk us uy uz ve vn ye za zw'

/** Searching for URLs takes as long as all other work, and most texts contain none. */
const MAY_BE_ADDRESS = /(?:https?|mailto):|\.\S/i

/** Accepts hosts beyond registered names: `my_bucket.s3.storage.example`, `http://my_service:8080`. */
class Hosts extends REBuilder {
  override get_url_host_port(): RegExp {
    const letter = this.get_pseudo_letter().source
    const label = `(?:(?:${letter}|_)(?:[-_]|${letter}){0,61}${letter}|${letter})`
    const host = `(?:${this.get_ipv6_url_host().source}|(?:${label}\\.){0,10}${label})`
    return (this.cache['url_host_port'] ??= new RegExp(
      host + this.get_port().source + this.get_host_terminator().source,
    ))
  }
}

/** The first part was matched as a host: `:x@` in `https://ann:x@example.com`. */
const REST_OF_LOGIN = /(?::[^\s/?#@]{0,300})?@/y

const web = {
  validate(text: string, pos: number, { re }: LinkifyIt): number {
    const validator = re.get_http_validator()
    validator.lastIndex = pos
    const [found = ''] = validator.exec(text) ?? []
    REST_OF_LOGIN.lastIndex = pos + found.length
    // Rejected because the link would lead to another host than the URL.
    return REST_OF_LOGIN.test(text) ? 0 : found.length
  },
}

export function bareLinks(md: MarkdownIt): void {
  md.set({ linkify: true })
  md.linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, urlAuth: true, rebuilder: new Hosts() })
  md.linkify.add('http:', web).add('https:', web).add('ftp:', null).add('//', null)
  md.linkify.tlds(BARE_LINK_DOMAINS.split(' '))
  const match = md.linkify.match.bind(md.linkify)
  md.linkify.match = (text) => match(text) ?? []
  // The library's own test misses URLs after an underscore, as in `_https://example.com_`.
  md.linkify.test = (text) => MAY_BE_ADDRESS.test(text)
}
