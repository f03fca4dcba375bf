import { parseMarkup, type MarkupNode } from './markup.ts'

const BLOCK_TAGS = new Set([
  'p',
  'div',
  'li',
  'blockquote',
  'pre',
  'tr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'br',
  'hr',
])
/** Classes of spoilers, link previews, and rendered formulas, but not of the formulas' source. */
const HIDDEN_CLASSES = ['spoiler-content', 'message_embed', 'message_inline_image', 'katex-html']

/** Invisible characters and direction overrides. Joiners stay, because words and emoji need them. */
const INVISIBLE_CHARACTERS =
  /[\p{Cc}\p{Co}\p{Cn}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/gu

/** Returns text as one line, without characters that disturb surrounding text or cannot be stored. */
export function toSingleLine(text: string, most: number): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, ' ').replaceAll(INVISIBLE_CHARACTERS, '').trim()
  return truncate(line.slice(0, 4 * most), most)
}

/** How a reader sees the times in messages. */
export interface TimeFormat {
  readonly language: string
  /** IANA name; empty if unknown. */
  readonly timeZone: string
  readonly uses24Hours: boolean
}

/**
 * Formats the time of a `<time>` element. Without a time zone, shows UTC with its name.
 * @returns undefined if the value is not a time
 */
export function formatTimeElement(
  datetime: string,
  { language, timeZone, uses24Hours }: TimeFormat,
): string | undefined {
  const at = Date.parse(datetime)
  if (Number.isNaN(at)) return undefined
  return new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(timeZone === '' ? { timeZone: 'UTC', timeZoneName: 'short' } : { timeZone }),
    ...(uses24Hours ? { hourCycle: 'h23' } : {}),
  }).format(at)
}

/** @param most maximum number of characters */
export function htmlToText(html: string, most: number, timeFormat: TimeFormat): string {
  return truncate(markupToText(parseMarkup(html), timeFormat), most)
}

export function markupToText(nodes: readonly MarkupNode[], timeFormat: TimeFormat): string {
  const text = nodes.map((node) => visibleTextIn(node, timeFormat)).join('')
  return text.replaceAll(/\s+/g, ' ').trim()
}

function visibleTextIn(node: MarkupNode, timeFormat: TimeFormat): string {
  if (typeof node === 'string') return node
  const { tag, attributes, children } = node
  const time = tag === 'time' ? formatTimeElement(attributes.get('datetime') ?? '', timeFormat) : undefined
  if (time !== undefined) return time
  const classes = attributes.get('class')?.split(' ') ?? []
  const isHidden = tag === 'mrow' || HIDDEN_CLASSES.some((hiding) => classes.includes(hiding))
  const words = isHidden
    ? ''
    : (findEmojiInClasses(classes) ??
      (tag === 'img'
        ? (attributes.get('alt') ?? '')
        : children.map((child) => visibleTextIn(child, timeFormat)).join('')))
  return BLOCK_TAGS.has(tag) ? ` ${words} ` : words
}

function truncate(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** Returns the emoji whose code points are in a rendered element's classes; undefined if there is none. */
export function findEmojiInClasses(classes: readonly string[]): string | undefined {
  const code = classes.find((name) => /^emoji-[\da-f]{1,5}(?:-[\da-f]{1,5}){0,9}$/.test(name))?.slice('emoji-'.length)
  if (code === undefined) return undefined
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}
