import { toRecord, type ArchiveRecord } from '../moving/carried.ts'
import { toRecords, richText, stringIn, type SlackParts } from './slack-rich-text.ts'

const MAX_BLOCK_DEPTH = 5
const FIELDS_WITH_WORDS = ['title', 'subtitle', 'header', 'text', 'body', 'description', 'details', 'caption', 'footer']
const FIELDS_WITH_BLOCKS = ['elements', 'blocks', 'cards', 'tasks', 'items']
/** Blocks and elements without text. */
const TYPES_WITHOUT_TEXT: readonly unknown[] = ['context_actions', 'file', 'file_input', 'shape', 'spacer']
const DELIMITER_BY_ALIGNMENT: ReadonlyMap<unknown, string> = new Map([
  ['center', ':---:'],
  ['right', '---:'],
])
/** Matches pipes, and the mentions and escapes in which a pipe does not end a table cell. */
const NAME_OR_PIPE_PATTERN = /@_?\*\*[^*\n]+\*\*|\\.|\|/g

export type AttachmentParts = Pick<SlackParts, 'markup' | 'words' | 'link'>

export function blocksToMarkdown(blocks: unknown, parts: SlackParts): string {
  return joinPieces(
    toRecords(blocks).map((block) => blockText(block, parts, 0)),
    '\n\n',
  )
}

function blockText(block: ArchiveRecord, parts: SlackParts, depth: number): string {
  const { type, text, elements } = block
  switch (type) {
    case 'rich_text':
      return richText(elements, parts)
    case 'section': {
      const fields = toRecords(block['fields']).map((field) => convertTextObject(field, parts))
      return joinPieces([convertTextObject(text, parts), ...fields, accessoryText(block['accessory'], parts)], '\n')
    }
    case 'header':
      return boldText(parts.words(toSingleLine(readPlainText(text))))
    case 'context':
      return joinPieces(
        toRecords(elements).map((one) => accessoryText(one, parts) || convertTextObject(one, parts)),
        ' ',
      )
    case 'divider':
      return '---'
    case 'markdown':
      return parts.markdown(readPlainText(text)).trim()
    case 'image':
      return imageText(block, parts)
    case 'video':
      return joinPieces([videoText(block, parts), convertTextObject(block['description'], parts)], '\n')
    case 'actions':
      return joinPieces(
        toRecords(elements).map((one) => accessoryText(one, parts)),
        ' ',
      )
    case 'input':
      return joinPieces([convertTextObject(block['label'], parts), convertTextObject(block['hint'], parts)], '\n')
    case 'table':
    case 'data_table':
      return joinPieces([convertTextObject(block['caption'], parts), tableText(block, parts)], '\n\n')
    default:
      if (TYPES_WITHOUT_TEXT.includes(type)) return ''
      if (depth === 0) parts.unknown(stringIn(type))
      return textOfUnknownBlock(block, parts, depth)
  }
}

function textOfUnknownBlock(block: ArchiveRecord, parts: SlackParts, depth: number): string {
  if (depth >= MAX_BLOCK_DEPTH) return ''
  const words = FIELDS_WITH_WORDS.map((field) => {
    const inner = toRecord(block[field])
    return inner['type'] === 'rich_text' ? richText(inner['elements'], parts) : convertTextObject(block[field], parts)
  })
  const blocks = FIELDS_WITH_BLOCKS.flatMap((field) =>
    toRecords(block[field]).map((one) => accessoryText(one, parts) || blockText(one, parts, depth + 1)),
  )
  return joinPieces([...words, ...blocks, accessoryText(block, parts)], '\n')
}

function tableText({ rows, column_settings: columns }: ArchiveRecord, parts: SlackParts): string {
  const cells = (Array.isArray(rows) ? rows : []).map((row: unknown) =>
    toRecords(row).map((cell) => cellText(cell, parts)),
  )
  const width = cells.reduce((widest, row) => Math.max(widest, row.length), 0)
  if (width === 0) return ''
  const settings = toRecords(columns)
  const rules = Array.from(
    { length: width },
    (_, index) => DELIMITER_BY_ALIGNMENT.get(settings[index]?.['align']) ?? '---',
  )
  const [head = [], ...body] = cells
  // Only the header row gets all columns: filling the other rows could make a small table many times larger.
  const wholeHead = [...head, ...Array.from({ length: width - head.length }, () => '')]
  return [wholeHead, rules, ...body].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function cellText(cell: ArchiveRecord, parts: SlackParts): string {
  const { type, text, value, elements } = cell
  const words =
    type === 'rich_text' ? richText(elements, parts) : parts.words(toSingleLine(readPlainText(text) || stringIn(value)))
  return toSingleLine(words).replace(NAME_OR_PIPE_PATTERN, (found) => (found === '|' ? String.raw`\|` : found))
}

function imageText(image: ArchiveRecord, parts: AttachmentParts): string {
  const { image_url: url, title, alt_text: alt, slack_file: file } = image
  const { url: stored } = toRecord(file)
  return parts.link(readPlainText(title) || stringIn(alt) || 'Picture', stringIn(url) || stringIn(stored))
}

function videoText(
  { title, alt_text: alt, title_url: page, video_url: url }: ArchiveRecord,
  parts: SlackParts,
): string {
  return boldText(parts.link(readPlainText(title) || stringIn(alt) || 'Video', stringIn(page) || stringIn(url)))
}

function accessoryText(given: unknown, parts: AttachmentParts): string {
  const element = toRecord(given)
  const { url, image_url: image, slack_file: file, text } = element
  if (stringIn(image) !== '' || file !== undefined) return imageText(element, parts)
  return stringIn(url) === '' ? '' : parts.link(readPlainText(text) || 'Open', stringIn(url))
}

export function blocksOfAttachment({ blocks: own, message_blocks: shared }: ArchiveRecord, parts: SlackParts): string {
  const all = [own, ...toRecords(shared).map((one) => toRecord(one['message'])['blocks'])]
  return joinPieces(
    all.map((blocks) => blocksToMarkdown(blocks, parts)),
    '\n\n',
  )
}

/** Returns the text before an attachment, and the attachment's lines. Mattermost uses this format without blocks. */
export function attachmentPartsToMarkdown(
  attachment: ArchiveRecord,
  parts: AttachmentParts,
  blocks = '',
): { readonly before: string; readonly inside: string } {
  const { text, fields, actions, image_url: image, thumb_url: thumb } = attachment
  const said = parts.markup(anyValueText(text))
  const inside = joinPieces(
    [
      boldText(titleLink({ ...attachment, title: attachment['author_name'] }, 'author_link', parts)),
      boldText(titleLink(attachment, 'title_link', parts)),
      isTextContainedIn(said, blocks) ? '' : said,
      ...toList(fields).map((field) => fieldToMarkdown(field, parts)),
      blocks,
      ...[image, thumb].map((url) => (stringIn(url) === '' ? '' : parts.link('Picture', stringIn(url)))),
      ...toRecords(actions).map((action) => accessoryText(action, parts)),
      parts.markup(anyValueText(attachment['footer'])),
    ],
    '\n',
  )
  const before = parts.markup(anyValueText(attachment['pretext']))
  const isEmpty = inside === '' && before === ''
  return { before, inside: isEmpty ? parts.markup(anyValueText(attachment['fallback'])) : inside }
}

function toList(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given
  return given === undefined || given === null ? [] : [given]
}

function fieldToMarkdown(field: unknown, parts: AttachmentParts): string {
  const { title, value } = toRecord(field)
  if (title === undefined && value === undefined) return parts.markup(anyValueText(field))
  const [name, said] = [parts.words(toSingleLine(anyValueText(title))), parts.markup(anyValueText(value))]
  return name === '' ? said : `**${name}**: ${said}`.trim()
}

/** Reads any value, because Mattermost allows lists and objects. */
function anyValueText(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return stringIn(value)
  if (depth >= MAX_BLOCK_DEPTH) return JSON.stringify(value)
  const { type, text } = toRecord(value)
  if (typeof type === 'string' && typeof text === 'string') return text
  const texts = Array.isArray(value)
    ? value.map((item: unknown) => anyValueText(item, depth + 1))
    : Object.entries(value).map(([name, item]: [string, unknown]) => `${name}: ${anyValueText(item, depth + 1)}`)
  return texts.filter((one) => one !== '').join(', ')
}

/** Whether `other` contains `text`, ignoring markup and punctuation. */
export function isTextContainedIn(text: string, other: string): boolean {
  const letters = lettersAndDigitsOf(text)
  return letters === '' ? other.includes(text.trim()) : lettersAndDigitsOf(other).includes(letters)
}

function lettersAndDigitsOf(markdown: string): string {
  return markdown.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
}

function titleLink(record: ArchiveRecord, address: string, parts: AttachmentParts): string {
  const title = readPlainText(record['title']) || anyValueText(record['title'])
  return title === '' ? '' : parts.link(title, stringIn(record[address]))
}

function convertTextObject(given: unknown, parts: SlackParts): string {
  const words = readPlainText(given)
  return toRecord(given)['type'] === 'plain_text' ? parts.words(words) : parts.markup(words)
}

function readPlainText(given: unknown): string {
  return stringIn(given) || stringIn(toRecord(given)['text'])
}

function boldText(words: string): string {
  return words === '' ? '' : `**${words}**`
}

function toSingleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function joinPieces(pieces: readonly string[], separator: string): string {
  return pieces.filter((piece) => piece.trim() !== '').join(separator)
}
