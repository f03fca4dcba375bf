import * as z from 'zod/mini'
import { string } from '../../../kernel/schemas.ts'
import { block, code, escaped, link, plain, quote } from './text.ts'

/* The rich text of Slack's blocks: sections, lists, quotations and code, of pieces that each have a style. */

const text = z.optional(z.nullable(string))
export const textObject = z.object({ text })

const styles = z.object({
  bold: z.optional(z.boolean()),
  italic: z.optional(z.boolean()),
  strike: z.optional(z.boolean()),
  code: z.optional(z.boolean()),
})

/** An element of a block: of rich text, or a text or a button of another one. */
export interface Element {
  readonly type?: string | undefined
  readonly text?: string | z.output<typeof textObject> | undefined
  readonly url?: string | null | undefined
  readonly name?: string | undefined
  readonly user_id?: string | undefined
  readonly channel_id?: string | undefined
  readonly range?: string | undefined
  readonly fallback?: string | undefined
  readonly indent?: number | undefined
  /** Of a piece how it looks, of a list its kind. */
  readonly style?: unknown
  readonly elements?: readonly Element[] | undefined
}

export const element: z.ZodMiniType<Element> = z.object({
  type: z.optional(string),
  text: z.optional(z.union([textObject, string])),
  url: text,
  name: z.optional(string),
  user_id: z.optional(string),
  channel_id: z.optional(string),
  range: z.optional(string),
  fallback: z.optional(string),
  indent: z.optional(z.number()),
  style: z.optional(z.unknown()),
  elements: z.optional(z.array(z.lazy(() => element))),
})

/** As far as lists are within each other. */
const MAX_INDENT = 6

export function richText(elements: readonly Element[]): string {
  return elements
    .map(sectionText)
    .filter((part) => part.trim() !== '')
    .join('\n')
    .trim()
}

function sectionText({ type, style, indent = 0, elements = [] }: Element): string {
  const inner = (): string => elements.map(pieceText).join('')
  switch (type) {
    case 'rich_text_list': {
      const level = '  '.repeat(Math.min(MAX_INDENT, Math.max(0, Math.trunc(indent))))
      const sign = style === 'ordered' ? '1.' : '*'
      return elements.map((item) => `${level}${sign} ${sectionText(item).replace(/\s+/g, ' ').trim()}`).join('\n')
    }
    case 'rich_text_quote':
      return `${quote(inner())}\n`
    case 'rich_text_preformatted':
      return block(elements.map(wordsOf).join(''))
    default:
      return inner()
  }
}

function pieceText(piece: Element): string {
  const { type, url, name, user_id, channel_id, range, fallback, style } = piece
  switch (type) {
    case 'link':
      return styled(link(wordsOf(piece) || (url ?? ''), url), style)
    case 'emoji':
      return name !== undefined && /^[\w+-]{1,60}$/.test(name) ? `:${name}:` : ''
    // Their ids mean nothing here, and nobody is told.
    case 'user':
      return plain(`@${user_id ?? ''}`)
    case 'channel':
      return plain(`#${channel_id ?? ''}`)
    case 'broadcast':
      return plain(`@${range ?? ''}`)
    case 'date':
      return plain(fallback ?? '')
    default: {
      const checked = styles.safeParse(style)
      const words = wordsOf(piece)
      return checked.success && checked.data.code === true ? code(words) : styled(escaped(words), style)
    }
  }
}

function wordsOf({ text: said, url }: Element): string {
  const words = typeof said === 'string' ? said : said?.text
  return words ?? url ?? ''
}

/** Markdown with its marks next to the words, as they have to stand. */
function styled(markdown: string, style: unknown): string {
  const checked = styles.safeParse(style)
  const words = markdown.trim()
  if (!checked.success || words === '') return markdown
  const { bold, italic, strike } = checked.data
  const marks = `${bold === true ? '**' : ''}${italic === true ? '*' : ''}${strike === true ? '~~' : ''}`
  const before = markdown.slice(0, markdown.length - markdown.trimStart().length)
  const after = markdown.slice(markdown.trimEnd().length)
  return `${before}${marks}${words}${marks.split('').toReversed().join('')}${after}`
}
