import { recordOf, type CarriedRecord } from '../../platform/moving/carried.ts'

/** How the parts of a block become Markdown that depend on who and what is known. */
export interface BlockParts {
  /** A text with Slack's own markup. */
  readonly markup: (text: string) => string
  readonly user: (id: string) => string
  readonly channel: (id: string) => string
  readonly emoji: (name: string) => string
  readonly link: (address: string, label: string) => string
}

const MAX_INDENT = 8

/** What blocks say, as Markdown. Buttons, menus and the like say nothing that is of use afterwards. */
export function markdownOfBlocks(blocks: readonly unknown[], parts: BlockParts): string {
  return blocks
    .map((block) => blockText(recordOf(block), parts))
    .filter((text) => text.trim() !== '')
    .join('\n\n')
}

function blockText(block: CarriedRecord, parts: BlockParts): string {
  switch (block['type']) {
    case 'rich_text':
      return listOf(block['elements'])
        .map((part) => richText(part, parts))
        .join('\n')
    case 'section':
      return [block['text'], ...listOf(block['fields'])].map((one) => textObject(one, parts)).join('\n')
    case 'header':
      return `**${textObject(block['text'], parts)}**`
    case 'context':
      return listOf(block['elements'])
        .map((one) => textObject(one, parts))
        .join(' ')
    case 'divider':
      return '---'
    case 'image':
      return parts.link(stringIn(block['image_url']), stringIn(block['alt_text']))
    default:
      return ''
  }
}

/** What Slack calls a text object: `mrkdwn` has markup, and others have none. */
function textObject(given: unknown, parts: BlockParts): string {
  const { type, text } = recordOf(given)
  return type === 'mrkdwn' ? parts.markup(stringIn(text)) : stringIn(text)
}

function richText(element: CarriedRecord, parts: BlockParts): string {
  const inline = (one: CarriedRecord): string =>
    listOf(one['elements'])
      .map((piece) => inlineText(piece, parts))
      .join('')
  switch (element['type']) {
    case 'rich_text_list': {
      const { indent, style } = element
      const space = '  '.repeat(typeof indent === 'number' ? Math.min(Math.max(0, indent), MAX_INDENT) : 0)
      return listOf(element['elements'])
        .map((one, index) => `${space}${style === 'ordered' ? `${index + 1}.` : '*'} ${inline(one)}`)
        .join('\n')
    }
    case 'rich_text_quote':
      return inline(element)
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')
    case 'rich_text_preformatted':
      return fenced(
        listOf(element['elements'])
          .map((piece) => stringIn(piece['text']) || stringIn(piece['url']))
          .join(''),
      )
    default:
      return inline(element)
  }
}

function inlineText(piece: CarriedRecord, parts: BlockParts): string {
  switch (piece['type']) {
    case 'text':
      return styled(stringIn(piece['text']), recordOf(piece['style']))
    case 'link':
      return parts.link(stringIn(piece['url']), stringIn(piece['text']))
    case 'user':
      return parts.user(stringIn(piece['user_id']))
    case 'channel':
      return parts.channel(stringIn(piece['channel_id']))
    case 'emoji':
      return parts.emoji(stringIn(piece['name']))
    case 'broadcast':
      return `@${stringIn(piece['range'])}`
    case 'date':
      return stringIn(piece['fallback'])
    case 'color':
      return stringIn(piece['value'])
    default:
      return stringIn(piece['text'])
  }
}

function styled(text: string, style: CarriedRecord): string {
  const words = text.trim()
  if (words === '' || words.includes('\n')) return text
  let made = words
  if (style['code'] === true) made = `\`${made}\``
  if (style['strike'] === true) made = `~~${made}~~`
  if (style['italic'] === true) made = `*${made}*`
  if (style['bold'] === true) made = `**${made}**`
  const begin = text.indexOf(words)
  return `${text.slice(0, begin)}${made}${text.slice(begin + words.length)}`
}

/** A block of code. Its fence is longer than any within it. */
export function fenced(code: string): string {
  const longest = Math.max(0, ...Array.from(code.matchAll(/`+/g), ([ticks]) => ticks.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `\n${fence}\n${code.replace(/^\n+/, '').trimEnd()}\n${fence}\n`
}

function listOf(value: unknown): CarriedRecord[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}

function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
