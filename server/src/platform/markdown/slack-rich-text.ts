import { toRecord, type ArchiveRecord } from '../moving/carried.ts'

/** Converters that depend on known users, channels, and files, and on the allowed mentions. */
export interface SlackParts {
  readonly markup: (text: string) => string
  readonly words: (text: string) => string
  readonly markdown: (text: string) => string
  readonly code: (text: string) => string
  readonly preformatted: (text: string) => string
  readonly quote: (markdown: string) => string
  /** Returns the label if the URL cannot be linked. */
  readonly link: (label: string, address: string) => string
  readonly user: (id: string) => string
  readonly group: (id: string) => string
  readonly channel: (id: string) => string
  readonly emoji: (name: string) => string
  readonly unknown: (kind: string) => void
}

const MAX_LIST_INDENT = 8
/** Blocks that need a new paragraph after them, because Markdown would otherwise include the next lines. */
const PARAGRAPH_ENDING_TYPES: readonly unknown[] = ['rich_text_list', 'rich_text_quote']
const MILLISECONDS_PER_SECOND = 1_000

export function richText(given: unknown, parts: SlackParts): string {
  let text = ''
  let isOpen = false
  for (const element of toRecords(given)) {
    const piece = elementText(element, parts).trimEnd()
    if (piece.trim() === '') continue
    const isParagraph = element['type'] === 'rich_text_section'
    text += text === '' ? piece : `${isOpen && isParagraph ? '\n\n' : '\n'}${piece}`
    isOpen = PARAGRAPH_ENDING_TYPES.includes(element['type'])
  }
  return text.trim()
}

function elementText(element: ArchiveRecord, parts: SlackParts): string {
  const { type, elements } = element
  switch (type) {
    case 'rich_text_list':
      return listText(element, parts)
    case 'rich_text_quote':
      return parts.quote(piecesText(elements, parts))
    case 'rich_text_preformatted':
      return parts.preformatted(toRecords(elements).map(unstyledText).join(''))
    default:
      return elements === undefined ? pieceText(element, parts) : piecesText(elements, parts)
  }
}

function listText({ indent, style, offset, elements }: ArchiveRecord, parts: SlackParts): string {
  const level = '  '.repeat(Math.min(MAX_LIST_INDENT, Math.max(0, Math.trunc(Number(indent) || 0))))
  const first = Math.min(1_000, Math.max(0, Math.trunc(Number(offset) || 0))) + 1
  return toRecords(elements)
    .map((item, index) => {
      const sign = style === 'ordered' ? `${first + index}.` : '*'
      const lines = piecesText(item['elements'], parts).trim().split('\n')
      return `${level}${sign} ${lines.join(`\n${level}  `)}`
    })
    .join('\n')
}

function piecesText(elements: unknown, parts: SlackParts): string {
  return toRecords(elements)
    .map((piece) => pieceText(piece, parts))
    .join('')
}

function pieceText(piece: ArchiveRecord, parts: SlackParts): string {
  const { type, style } = piece
  const words = unstyledText(piece)
  const { code } = toRecord(style)
  if (code === true) return styleText(words, parts.code, {})
  switch (type) {
    case 'link':
      return styleText(words, (label) => parts.link(label, stringIn(piece['url'])), style)
    case 'user':
      return styleText(parts.user(stringIn(piece['user_id'])), undefined, style)
    case 'usergroup':
      return styleText(parts.group(stringIn(piece['usergroup_id'])), undefined, style)
    case 'channel':
      return styleText(parts.channel(stringIn(piece['channel_id'])), undefined, style)
    case 'emoji':
      return parts.emoji(stringIn(piece['name']))
    default:
      return styleText(words, parts.words, style)
  }
}

function unstyledText(piece: ArchiveRecord): string {
  const { type, text, url, fallback, timestamp, range, value, name } = piece
  switch (type) {
    case 'broadcast':
      return `@${stringIn(range)}`
    case 'date':
      return stringIn(fallback) || dateText(Number(timestamp))
    case 'color':
      return stringIn(value)
    case 'emoji':
      return `:${stringIn(name)}:`
    default:
      return stringIn(text) || stringIn(toRecord(text)['text']) || stringIn(url)
  }
}

function dateText(seconds: number): string {
  const date = new Date(seconds * MILLISECONDS_PER_SECOND)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16).replace('T', ' ')
}

/** Puts marks next to the words of each line, as Markdown requires. */
function styleText(text: string, write: ((words: string) => string) | undefined, style: unknown): string {
  const { bold, italic, strike } = toRecord(style)
  const marks = `${bold === true ? '**' : ''}${italic === true ? '*' : ''}${strike === true ? '~~' : ''}`
  const ends = marks.split('').toReversed().join('')
  return text
    .split('\n')
    .map((line) => {
      const words = line.trim()
      if (words === '') return line
      const begin = line.indexOf(words)
      const written = write === undefined ? words : write(words)
      return `${line.slice(0, begin)}${marks}${written}${ends}${line.slice(begin + words.length)}`
    })
    .join('\n')
}

export function toRecords(value: unknown): ArchiveRecord[] {
  return Array.isArray(value) ? value.map(toRecord) : []
}

/** Reads a string; accepts numbers and booleans, which some programs send. */
export function stringIn(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value : ''
}
