import { formatTimeElement, type TimeFormat } from '../../../platform/html/text.ts'
import { emojiCharacters } from '../../../platform/markdown/emoji/codes.ts'

/** A tag or an entity in rendered HTML. The renderer writes no `<` or `>` inside attributes. */
const MARKUP_PATTERN =
  /<(?<closing>\/?)(?<tag>[a-z]\w*)(?<attributes>(?:\s[^<>]*)?)>|&(?<entity>#\d+|#x[\da-f]+|[a-z]+);/gi

const CHARACTERS_BY_ENTITY: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

const EMOJI_CLASS = /\bclass="emoji emoji-([\da-f-]+)"/

/** Inline elements. All other elements start a new line, which a snippet shows as a space. */
const INLINE_ELEMENTS = new Set(['a', 'code', 'del', 'em', 'img', 'span', 'strong', 'time'])
const VOID_ELEMENTS = new Set(['br', 'hr', 'img'])

/** Omits spoilers, formulas, and, if other text exists, quotes. `html` may be cut off anywhere; `most`: code points. */
export function snippetOf(html: string, most: number, timeFormat: TimeFormat): string {
  const withoutQuotes = visibleText(html, true, timeFormat)
  return truncateText(withoutQuotes === '' ? visibleText(html, false, timeFormat) : withoutQuotes, most)
}

function visibleText(html: string, skipsQuotes: boolean, timeFormat: TimeFormat): string {
  let text = ''
  let end = 0
  let hidden: { readonly tag: string; depth: number } | undefined
  for (const match of html.matchAll(MARKUP_PATTERN)) {
    const { closing = '', tag = '', attributes = '', entity } = match.groups ?? {}
    if (hidden === undefined) text += html.slice(end, match.index)
    end = match.index + match[0].length
    if (entity !== undefined) {
      if (hidden === undefined) text += characterOfEntity(entity)
    } else if (hidden !== undefined) {
      if (hidden.tag === tag && !VOID_ELEMENTS.has(tag)) hidden.depth += closing === '' ? 1 : -1
      if (hidden.depth === 0) hidden = undefined
    } else {
      if (!INLINE_ELEMENTS.has(tag)) text += ' '
      // Shows the emoji instead of its name, which is the element's content or the image's alternative text.
      const [, emoji] = closing === '' ? (EMOJI_CLASS.exec(attributes) ?? []) : []
      if (emoji !== undefined) text += emojiCharacters(emoji)
      if (tag === 'img') text += /\balt="([^"]*)"/.exec(attributes)?.[1] ?? ''
      const time = tag === 'time' && closing === '' ? timeIn(attributes, timeFormat) : undefined
      text += time ?? ''
      const isReplaced = emoji !== undefined || time !== undefined
      if (isReplaced || (closing === '' && isHiddenElement(tag, attributes, skipsQuotes))) hidden = { tag, depth: 1 }
    }
  }
  // The HTML may be cut off within a tag.
  if (hidden === undefined) text += html.slice(end).replace(/<[^<>]*$/, '')
  return text.replace(/\s+/g, ' ').trim()
}

function timeIn(attributes: string, timeFormat: TimeFormat): string | undefined {
  return formatTimeElement(/\bdatetime="([^"]*)"/.exec(attributes)?.[1] ?? '', timeFormat)
}

function isHiddenElement(tag: string, attributes: string, skipsQuotes: boolean): boolean {
  if (tag === 'blockquote') return skipsQuotes
  return (
    (tag === 'div' && attributes.includes('"spoiler-content"')) || (tag === 'span' && attributes.includes('"katex'))
  )
}

function characterOfEntity(entity: string): string {
  if (!entity.startsWith('#')) return CHARACTERS_BY_ENTITY[entity] ?? ''
  const isHexadecimal = entity[1]?.toLowerCase() === 'x'
  return String.fromCodePoint(isHexadecimal ? parseInt(entity.slice(2), 16) : Number(entity.slice(1)))
}

function truncateText(text: string, most: number): string {
  const points = Array.from(text.slice(0, 2 * most + 2))
  return points.length > most ? `${points.slice(0, most - 1).join('')}…` : points.join('')
}
