/*
 * The pieces of Jira's texts as Markdown without mentions and without links to channels.
 */

/** Who an account of Jira is; undefined where that is not known. */
export type NameOf = (account: string) => string | undefined

/** A longer address could be cut with the message that it stands in. */
const MAX_URL = 1_000

/** Words in which nothing is Markdown, but for what begins a line; what is no Markdown within words stays as it is. */
export function literal(text: string): string {
  return text.replace(/[\\`*~[\]<|$]|_(?!\w)|(?<!\w)_|[@#](?![a-z\d])|!$/gi, String.raw`\$&`)
}

const ADDRESS = /(\bhttps?:\/\/[^\s|[\]<>{}]+)/

/** The same, with addresses that stand in the text as links. */
export function literalWithLinks(text: string): string {
  return text
    .split(ADDRESS)
    .map((part, index) => (index % 2 === 1 ? encoded(part) : literal(part)))
    .join('')
}

/** Markdown of which no line is indented, or begins a list, a quotation, a heading or a table. */
export function withoutBlocks(markdown: string): string {
  return markdown
    .replace(/\n[ \t]+/g, '\n')
    .trim()
    .replace(/^[-+=>:]/gm, String.raw`\$&`)
}

export function codeSpan(text: string): string {
  if (text.trim() === '') return ''
  const fence = '`'.repeat(longestRun(text) + 1)
  const room = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${room}${text.replaceAll('\n', ' ')}${room}${fence}`
}

/** Pieces of a line one behind the other. A space keeps code from being read as a part of the address that it follows. */
export function joined(before: string, piece: string): string {
  const word = Math.max(before.lastIndexOf(' '), before.lastIndexOf('\n')) + 1
  return piece.startsWith('`') && before.includes('://', word) ? `${before} ${piece}` : before + piece
}

/** Words after a fence that make something else than code of what follows. */
const NO_LANGUAGES = new Set(['quote', 'quoted', 'spoiler', 'math'])

export function codeBlock(text: string, language = ''): string {
  const isLanguage = /^[a-z][\w+#-]{0,29}$/i.test(language) && !NO_LANGUAGES.has(language.toLowerCase())
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${isLanguage ? language : 'text'}\n${text}\n${fence}`
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

export function quotation(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** Words that link an address; without one of the web or of mail, the words alone. */
export function linked(words: string, address: string): string {
  const url = addressOf(address)
  return url === undefined ? words : `[${words.trim() === '' ? literal(address) : words}](${url})`
}

/** An address as Markdown has it between parentheses; undefined for what is none of the web or of mail. */
export function addressOf(address: string): string | undefined {
  if (address.length > MAX_URL || !URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' || protocol === 'mailto:' ? encoded(href) : undefined
}

/** An address that stands in a text as it is. */
export function encoded(address: string): string {
  return address.replace(/[()\\`*<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/**
 * Markdown with marks around its words, such as `**~~`. They are left out where they would not be read as such, since they stand between
 * a letter and a sign, and where they would be read as the beginning of a mention.
 */
export function styled(mark: string, markdown: string, before = '', after = ''): string {
  const words = markdown.trim()
  if (words === '') return markdown
  const start = markdown.slice(0, markdown.length - markdown.trimStart().length)
  const end = markdown.slice(markdown.trimEnd().length)
  const opens = isWord(words.charAt(0)) || start !== '' || !isWord(before)
  const closes = isWord(words.charAt(words.length - 1)) || end !== '' || !isWord(after)
  const mentions = before === '@' || before === '#'
  return opens && closes && !mentions
    ? `${start}${mark}${words}${mark.split('').toReversed().join('')}${end}`
    : markdown
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

/** Whom a text mentions; Jira's ids of accounts mean nothing to people. */
export function mentioned(account: string, nameOf: NameOf): string {
  const isOpaque = account.startsWith('accountid:')
  const id = account.replace(/^accountid:/, '')
  return literal(`@${nameOf(id) ?? (isOpaque ? 'somebody' : id)}`)
}

/** A table of cells in Markdown. It has a first row of names, which is empty where the first row is like the others. */
export function table(rows: readonly (readonly string[])[], hasNames: boolean): string {
  const [first = [], ...others] = rows
  const [names, body] = hasNames ? [first, others] : [first.map(() => ''), rows]
  return [names, names.map(() => '---'), ...body]
    .map(
      (cells) =>
        `| ${cells.map((cell) => cell.replaceAll('\n', ' ').replace(/(?<!\\)\|/g, String.raw`\|`)).join(' | ')} |`,
    )
    .join('\n')
}
