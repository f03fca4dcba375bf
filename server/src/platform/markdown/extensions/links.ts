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

/** Turns `[words]()` into text, and removes links nested in links. */
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
