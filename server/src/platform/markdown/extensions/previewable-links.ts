import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { jobOf } from '../job.ts'
import { LINKIFIER } from './linkifiers.ts'

export const MAX_PAGES_PER_MESSAGE = 3
export const MAX_PICTURES_PER_MESSAGE = 10
const MAX_ADDRESS_CHARACTERS = 2_000

const PICTURE_PATTERN = /\.(?:avif|gif|jpe?g|png|webp)$/i

const OPENING_TYPES = ['blockquote_open', 'spoiler_content_open']
const CLOSING_TYPES = ['blockquote_close', 'spoiler_close']

/** Finds links out of the organization, and those to preview, but not `<https://example.org>`, a form that asks for no preview. */
export function previewableLinksExtension(md: MarkdownIt): void {
  md.core.ruler.push('previewable_links', findPreviewableLinks)
}

/** Whether a URL looks like that of an image; only fetching shows the real type. */
export function isPictureAddress(address: string): boolean {
  return URL.canParse(address) && PICTURE_PATTERN.test(new URL(address).pathname)
}

function findPreviewableLinks(state: StateCore): void {
  const job = jobOf(state.env)
  const { previewable, context } = job
  let hidden = 0
  let [pages, pictures] = [0, 0]
  for (const { type, children } of state.tokens) {
    if (OPENING_TYPES.includes(type)) hidden += 1
    if (CLOSING_TYPES.includes(type)) hidden -= 1
    if (children === null) continue
    job.linksOutside ||= children.some((token) => leadsOutside(token, context.baseUrl))
    if (hidden > 0) continue
    for (const token of children) {
      const address = externalAddress(token, context.baseUrl)
      if (address === undefined || previewable.has(address)) continue
      const isWanted = isPictureAddress(address)
        ? (pictures += 1) <= MAX_PICTURES_PER_MESSAGE
        : (pages += 1) <= MAX_PAGES_PER_MESSAGE
      if (isWanted) previewable.add(address)
    }
  }
}

function leadsOutside(token: Token, baseUrl: string): boolean {
  if (token.type !== 'link_open' || token.markup === LINKIFIER) return false
  const href = String(token.attrGet('href'))
  return !/^[/#]/.test(href) && href !== baseUrl && !href.startsWith(`${baseUrl}/`)
}

function externalAddress(token: Token, baseUrl: string): string | undefined {
  if (token.type !== 'link_open' || token.markup === 'autolink' || token.markup === LINKIFIER) return undefined
  const href = String(token.attrGet('href'))
  if (!/^https?:\/\//i.test(href) || href.length > MAX_ADDRESS_CHARACTERS) return undefined
  return href === baseUrl || href.startsWith(`${baseUrl}/`) ? undefined : href
}
