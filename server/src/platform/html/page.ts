import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { toSingleLine } from './text.ts'

export interface PageFacts {
  readonly title: string
  readonly description: string
  readonly picture: string | undefined
}

const MAX_TITLE_CHARACTERS = 150
const MAX_DESCRIPTION_CHARACTERS = 300

const TITLE_NAMES = ['og:title', 'twitter:title']
const DESCRIPTION_NAMES = ['og:description', 'twitter:description', 'description']
const IMAGE_META_NAMES = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src']

/** Number of characters after which parsing yields to other work. */
const CHUNK_CHARACTERS = 16_384
/** Nesting limit: depth slows down the parser, and elements in a page's head are rarely nested. */
const MAX_ELEMENT_DEPTH = 100

export async function readPage(body: Buffer, contentType: string, url: string): Promise<PageFacts> {
  const { decodeHtml } = await import('./encoding.js')
  const { title, named } = await readHead(decodeHtml(body, findEncodingIn(contentType)))
  const first = (names: readonly string[]): string => names.map((name) => named.get(name) ?? '').find(Boolean) ?? ''
  return {
    title: toSingleLine(first(TITLE_NAMES) || title, MAX_TITLE_CHARACTERS),
    description: toSingleLine(first(DESCRIPTION_NAMES), MAX_DESCRIPTION_CHARACTERS),
    picture: toAbsoluteUrl(first(IMAGE_META_NAMES), url),
  }
}

interface Head {
  readonly title: string
  /** Contents of meta elements by lowercase name. */
  readonly named: ReadonlyMap<string, string>
}

async function readHead(html: string): Promise<Head> {
  const named = new Map<string, string>()
  let title = ''
  let isInTitle = false
  let depth = 0
  const head = { isOver: false }
  const parser = new Parser({
    onopentag(tag, { property, name, content }) {
      depth += 1
      if (tag === 'body' || depth > MAX_ELEMENT_DEPTH) head.isOver = true
      if (head.isOver) return
      if (tag === 'title' && title === '') isInTitle = true
      if (tag !== 'meta') return
      const key = (property ?? name ?? '').trim().toLowerCase()
      if (key !== '' && content !== undefined && !named.has(key)) named.set(key, content)
    },
    ontext(text) {
      if (isInTitle && title.length < 10 * MAX_TITLE_CHARACTERS) title += text
    },
    onclosetag(tag) {
      depth -= 1
      if (tag === 'title') isInTitle = false
      if (tag === 'head') head.isOver = true
    },
  })
  for (let start = 0; start < html.length && !head.isOver; start += CHUNK_CHARACTERS) {
    if (start > 0) await setImmediate()
    parser.write(html.slice(start, start + CHUNK_CHARACTERS))
  }
  parser.end()
  return { title, named }
}

function findEncodingIn(contentType: string): string {
  const [, encoding = ''] = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType) ?? []
  return encoding
}

function toAbsoluteUrl(text: string, base: string): string | undefined {
  const address = text.trim()
  return address !== '' && URL.canParse(address, base) ? new URL(address, base).href : undefined
}
