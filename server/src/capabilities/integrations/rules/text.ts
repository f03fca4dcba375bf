import { escapeMarkdown } from '../../../platform/markdown/escape.ts'
import { cut } from '../../../kernel/characters.ts'
import { withoutComments } from './comments.ts'
import { harmlessBlock } from './harmless.ts'

/*
 * What services send goes into messages as words: it mentions nobody, links no channel, and ends no block that it stands in.
 */

/** Of a name or a title, in code points. */
const MAX_WORDS = 150
/** Of a text that somebody wrote, in code points: a message has room for a few. */
const MAX_QUOTED = 2_000
/** Of the same text, in UTF-16 units, before what is not shown of it is left out: GitHub takes 65,536 characters. */
const MAX_READ = 100_000

/** A longer address could be cut with the message that it stands in. */
const MAX_URL = 1_000

/** A name or a title as it stands within a line, whatever signs are in it. */
export function plain(text: string, most = MAX_WORDS): string {
  return escapeMarkdown(cut(oneLine(text), most))
}

export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** A link with a name or title in it; without an address of the web, that alone. */
export function link(text: string, url: string | null | undefined): string {
  const address = webAddress(url)
  return address === undefined ? plain(text) : `[${plain(text)}](${address})`
}

function webAddress(url: string | null | undefined): string | undefined {
  if (!isGiven(url) || url.length > MAX_URL || !URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return href.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('\\', '%5C').replaceAll('`', '%60')
}

/** A name that is not language: a branch, a commit, a value. */
export function code(text: string): string {
  const shown = cut(oneLine(text).replaceAll('`', "'"), MAX_WORDS)
  return shown === '' ? '' : `\`${shown}\``
}

/** A text of a person as a quotation: its Markdown stays, and its HTML comments are left out. */
export function quote(text: string | null | undefined): string {
  const shown = cut(withoutComments((text ?? '').slice(0, MAX_READ).replaceAll('\r\n', '\n')).trim(), MAX_QUOTED)
  if (shown === '') return ''
  const fence = fenceFor(shown)
  return `\n\n${fence}quote\n${harmlessBlock(shown)}\n${fence}`
}

/** A text that is no Markdown as a quotation: each of its signs stands for itself, and its lines stay. */
export function quoteWords(text: string | null | undefined): string {
  const shown = cut((text ?? '').slice(0, MAX_READ).trim(), MAX_QUOTED)
  const lines = shown.split(/\r\n?|\n/).map((line) => escapeMarkdown(line.trim()))
  return shown === '' ? '' : `\n\n\`\`\`quote\n${lines.join('\n')}\n\`\`\``
}

/** A text as it was sent, in a block of its own. */
export function block(text: string, language = 'text'): string {
  const shown = cut(text.trim(), MAX_QUOTED)
  const fence = fenceFor(shown)
  return `${fence}${language}\n${shown}\n${fence}`
}

function fenceFor(text: string): string {
  return '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
}

/** Items as a list below what is said; the further ones are counted, also those that the service has and did not send. */
export function list(items: readonly string[], most = 20, total = items.length): string {
  const shown = items.slice(0, most)
  const more = total > shown.length ? [`… and ${total - shown.length} more`] : []
  return [...shown, ...more].map((item) => `\n* ${item}`).join('')
}

/** Words with a thing in them: in the place of `…`, or behind them. */
export function phrase(words: string, thing: string): string {
  return words.includes('…') ? words.replace('…', () => thing) : `${words} ${thing}`
}

/** What stands for a longer text, such as the message of a commit. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

/** `1 commit`, `2 commits`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The first letter as a capital. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What a word of a service is called here; undefined for a word that is not known. */
export function known<Value>(
  words: Readonly<Record<string, Value>>,
  word: string | null | undefined,
): Value | undefined {
  return isGiven(word) && Object.hasOwn(words, word) ? words[word] : undefined
}

export function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null
}
