export type FindName = (account: string) => string | undefined

/** Truncating the message could cut off the end of a longer URL. */
const MAX_URL_CHARACTERS = 1_000

/** Escapes Markdown characters, except those that matter only at the start of a line. */
export function escapeLiteral(text: string): string {
  return text.replace(/[\\`*~[\]<|$]|_(?!\w)|(?<!\w)_|[@#](?![a-z\d])|!$/gi, String.raw`\$&`)
}

const ADDRESS_PATTERN = /(\bhttps?:\/\/[^\s|[\]<>{}]+)/

export function escapeLiteralWithLinks(text: string): string {
  return text
    .split(ADDRESS_PATTERN)
    .map((part, index) => (index % 2 === 1 ? encodeAddress(part) : escapeLiteral(part)))
    .join('')
}

export function escapeBlockStarts(markdown: string): string {
  return markdown
    .replace(/\n[ \t]+/g, '\n')
    .trim()
    .replace(/^[-+=>:]/gm, String.raw`\$&`)
}

export function inlineCode(text: string): string {
  if (text.trim() === '') return ''
  const fence = '`'.repeat(longestBacktickRun(text) + 1)
  const room = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${room}${text.replaceAll('\n', ' ')}${room}${fence}`
}

/** Joins strings, with a space if code would otherwise become part of a preceding URL. */
export function joinWithCodeSpace(before: string, piece: string): string {
  const word = Math.max(before.lastIndexOf(' '), before.lastIndexOf('\n')) + 1
  return piece.startsWith('`') && before.includes('://', word) ? `${before} ${piece}` : before + piece
}

const RESERVED_LANGUAGES = new Set(['quote', 'quoted', 'spoiler', 'math'])

export function codeBlock(text: string, language = ''): string {
  const isLanguage = /^[a-z][\w+#-]{0,29}$/i.test(language) && !RESERVED_LANGUAGES.has(language.toLowerCase())
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(text) + 1))
  return `${fence}${isLanguage ? language : 'text'}\n${text}\n${fence}`
}

function longestBacktickRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

export function quoteMarkdown(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** Returns the words alone if the URL is not for the web or email. */
export function linkLabel(words: string, address: string): string {
  const url = linkableAddress(address)
  return url === undefined ? words : `[${words.trim() === '' ? escapeLiteral(address) : words}](${url})`
}

export function linkableAddress(address: string): string | undefined {
  if (address.length > MAX_URL_CHARACTERS || !URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' || protocol === 'mailto:' ? encodeAddress(href) : undefined
}

export function encodeAddress(address: string): string {
  return address.replace(/[()\\`*<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Omits marks next to a letter, where Markdown would not recognize them. */
export function styleMarkdown(mark: string, markdown: string, before = '', after = ''): string {
  const words = markdown.trim()
  if (words === '') return markdown
  const start = markdown.slice(0, markdown.length - markdown.trimStart().length)
  const end = markdown.slice(markdown.trimEnd().length)
  const opens = isLetterOrDigit(words.charAt(0)) || start !== '' || !isLetterOrDigit(before)
  const closes = isLetterOrDigit(words.charAt(words.length - 1)) || end !== '' || !isLetterOrDigit(after)
  const mentions = before === '@' || before === '#'
  return opens && closes && !mentions
    ? `${start}${mark}${words}${mark.split('').toReversed().join('')}${end}`
    : markdown
}

function isLetterOrDigit(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

export function writeMention(account: string, nameOf: FindName): string {
  const isOpaque = account.startsWith('accountid:')
  const id = account.replace(/^accountid:/, '')
  return escapeLiteral(`@${nameOf(id) ?? (isOpaque ? 'somebody' : id)}`)
}

export function markdownTable(rows: readonly (readonly string[])[], hasNames: boolean): string {
  const [first = [], ...others] = rows
  const [names, body] = hasNames ? [first, others] : [first.map(() => ''), rows]
  return [names, names.map(() => '---'), ...body]
    .map(
      (cells) =>
        `| ${cells.map((cell) => cell.replaceAll('\n', ' ').replace(/(?<!\\)\|/g, String.raw`\|`)).join(' | ')} |`,
    )
    .join('\n')
}
