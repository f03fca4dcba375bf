import { renameEmoji } from '../../../platform/markdown/emoji/codes.ts'
import { escapeMarkdown } from '../../../platform/markdown/escape.ts'
import { truncate } from '../../../kernel/characters.ts'
import { escapeBlock } from './harmless.ts'

/* Text from services mentions no one, links no channels, and cannot close the surrounding block. */

const MAX_PLAIN_TEXT_CHARACTERS = 150
/** Several quotes of this length fit into a message. */
const MAX_QUOTED_CHARACTERS = 2_000
/** In UTF-16 units. GitHub allows 65,536 characters. */
const MAX_PROCESSED_UTF16_UNITS = 100_000

/** A longer URL could be cut off when its message is truncated. */
const MAX_URL_CHARACTERS = 1_000

export function plainText(text: string, most = MAX_PLAIN_TEXT_CHARACTERS): string {
  return escapeMarkdown(truncate(toSingleLine(text), most))
}

export function toSingleLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** Returns plain text if the URL is neither HTTP nor HTTPS. */
export function link(text: string, url: string | null | undefined): string {
  const address = safeWebUrl(url)
  return address === undefined ? plainText(text) : `[${plainText(text)}](${address})`
}

function safeWebUrl(url: string | null | undefined): string | undefined {
  if (!isGiven(url) || url.length > MAX_URL_CHARACTERS || !URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return href.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('\\', '%5C').replaceAll('`', '%60')
}

export function code(text: string): string {
  const shown = truncate(toSingleLine(text).replaceAll('`', "'"), MAX_PLAIN_TEXT_CHARACTERS)
  return shown === '' ? '' : `\`${shown}\``
}

/** Keeps Markdown but removes HTML comments. */
export function quote(text: string | null | undefined): string {
  const shown = truncate(
    removeComments((text ?? '').slice(0, MAX_PROCESSED_UTF16_UNITS).replaceAll('\r\n', '\n')).trim(),
    MAX_QUOTED_CHARACTERS,
  )
  if (shown === '') return ''
  const fence = codeFenceFor(shown)
  return `\n\n${fence}quote\n${escapeBlock(shown)}\n${fence}`
}

/** Escapes all markup but keeps the line breaks. */
export function quotePlainText(text: string | null | undefined): string {
  const shown = truncate((text ?? '').slice(0, MAX_PROCESSED_UTF16_UNITS).trim(), MAX_QUOTED_CHARACTERS)
  const lines = shown.split(/\r\n?|\n/).map((line) => escapeMarkdown(line.trim()))
  return shown === '' ? '' : `\n\n\`\`\`quote\n${lines.join('\n')}\n\`\`\``
}

export function codeBlock(text: string, language = 'text'): string {
  const shown = truncate(text.trim(), MAX_QUOTED_CHARACTERS)
  const fence = codeFenceFor(shown)
  return `${fence}${language}\n${shown}\n${fence}`
}

function codeFenceFor(text: string): string {
  return '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
}

/** Lists up to `most` items and the number of further items, which includes items that the service did not send. */
export function bulletList(items: readonly string[], most = 20, total = items.length): string {
  const shown = items.slice(0, most)
  const more = total > shown.length ? [`… and ${total - shown.length} more`] : []
  return [...shown, ...more].map((item) => `\n* ${item}`).join('')
}

/** Inserts `thing` at the `…` in `words`, or appends it if there is no `…`. */
export function insertIntoPhrase(words: string, thing: string): string {
  return words.includes('…') ? words.replace('…', () => thing) : `${words} ${thing}`
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function lookUpWord<Value>(
  words: Readonly<Record<string, Value>>,
  word: string | null | undefined,
): Value | undefined {
  return isGiven(word) && Object.hasOwn(words, word) ? words[word] : undefined
}

export function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null
}

/* Issue and pull request templates contain instructions in HTML comments, which services do not display. */

/** Starts and ends of code, ends of paragraphs, and starts of comments. */
const CODE_AND_COMMENT_MARKS = /^[ \t>]*(?:([-+*]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})|\n[ \t>]*(?=\n|<!--)|<!--|`+/gm

const COMMENT_START = '<!--'
const COMMENT_END = '-->'

/** Removes HTML comments except inside code. */
function removeComments(markdown: string): string {
  const spans = codeSpans(markdown)
  const parts: string[] = []
  let [done, codeEnd, openFence] = [0, 0, '']
  for (const mark of markdown.matchAll(CODE_AND_COMMENT_MARKS)) {
    if (mark.index < Math.max(done, codeEnd)) continue
    const fence = codeFenceAtMark(markdown, mark)
    if (openFence !== '') {
      const isEnd = fence?.startsWith(openFence) === true && mark[1] === undefined && restOfLine(markdown, mark) === ''
      if (isEnd) openFence = ''
    } else if (fence !== undefined) {
      openFence = fence
    } else if (mark[0] === COMMENT_START) {
      // `<!-->` is a complete comment, so the end can share the hyphens.
      const end = markdown.indexOf(COMMENT_END, mark.index + 2)
      if (end < 0) break
      parts.push(markdown.slice(done, mark.index))
      done = end + COMMENT_END.length
    } else {
      codeEnd = spans.get(mark.index) ?? 0
    }
  }
  return parts.join('') + markdown.slice(done)
}

function codeSpans(markdown: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const starts = new Map<number, number>()
  for (const mark of markdown.matchAll(CODE_AND_COMMENT_MARKS)) {
    const { index, 0: whole, 2: backticks = whole } = mark
    if (codeFenceAtMark(markdown, mark) !== undefined || whole.startsWith('\n')) {
      starts.clear()
    } else if (backticks.startsWith('`')) {
      const start = starts.get(backticks.length)
      if (start !== undefined) ends.set(start, index + whole.length)
      starts.set(backticks.length, index)
    }
  }
  return ends
}

/** Replaces a service's emoji names with this server's names, except in code. */
export function renameEmojiOutsideCode(markdown: string, nameOf: (name: string) => string | undefined): string {
  const spans = codeSpans(markdown)
  const quotes: string[] = []
  const parts: string[] = []
  let [done, openFence] = [0, '']
  const add = (end: number, isCode: boolean): void => {
    const piece = markdown.slice(done, end)
    parts.push(isCode ? piece : renameEmoji(piece, nameOf))
    done = end
  }
  for (const mark of markdown.matchAll(CODE_AND_COMMENT_MARKS)) {
    if (mark.index < done) continue
    const fence = codeFenceAtMark(markdown, mark)
    const info = restOfLine(markdown, mark)
    if (openFence !== '') {
      if (fence?.startsWith(openFence) !== true || mark[1] !== undefined || info !== '') continue
      add(mark.index + mark[0].length, true)
      openFence = ''
    } else if (fence !== undefined) {
      if (info === '' && fence === quotes.at(-1)) quotes.pop()
      else if (/^(?:quote|spoiler)\b/i.test(info)) quotes.push(fence)
      else {
        add(mark.index, false)
        openFence = fence
      }
    } else if (spans.has(mark.index)) {
      add(mark.index, false)
      add(spans.get(mark.index) ?? done, true)
    }
  }
  add(markdown.length, openFence !== '')
  return parts.join('')
}

/** Returns undefined for backticks followed by more backticks on the same line: they are inline code. */
function codeFenceAtMark(markdown: string, mark: RegExpExecArray): string | undefined {
  const [, , fence] = mark
  return fence?.startsWith('`') === true && restOfLine(markdown, mark).includes('`') ? undefined : fence
}

function restOfLine(markdown: string, { 0: whole, index }: RegExpExecArray): string {
  const start = index + whole.length
  const end = markdown.indexOf('\n', start)
  return markdown.slice(start, end < 0 ? undefined : end).trim()
}
