import { cut, isVisible, printablePart } from '../kernel/characters.ts'
import { codePoints } from '../kernel/schemas.ts'
import type { ReportList } from '../platform/moving/report-list.ts'
import { MAX_FULL_NAME } from '../capabilities/users/contract/users.ts'
import { LIMITS } from '../capabilities/organizations/contract/organization.ts'

/** A text that is longer is cut off; up to here it becomes several messages. */
const MAX_PARTS = 10

/** A text of several lines without what cannot be stored or seen. */
export function cleanText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\p{Cs}]/gu, '\ufffd')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .trimEnd()
}

/** A text of one line. */
export function cleanLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\s]/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}

/**
 * What there is room for of a text. The report says of what is cut off that it is so.
 * @param what it is, of several, e.g. names of channels
 */
export function roomFor(text: string, most: number, what: string, leftOut: ReportList): string {
  const short = cut(text, most)
  if (short !== text) leftOut.add(`${what} are longer than is possible here, and cut off`, text)
  return short
}

/**
 * The name of an account, in which nothing is that mentions cannot have.
 * @param otherwise where nothing is left of it
 * @param leftOut hears of a name that is cut off
 */
export function fittingName(given: string, otherwise: string, leftOut?: ReportList): string {
  const plain = cleanLine(given.slice(0, 1_000).replaceAll(/[*`\\><"@]/g, ' ')).replaceAll('|', '/')
  const visible = cleanLine(printablePart(plain))
  if (!isVisible(visible)) return otherwise
  return leftOut === undefined
    ? cut(visible, MAX_FULL_NAME)
    : roomFor(visible, MAX_FULL_NAME, 'names of people', leftOut)
}

/** A text as messages that are not too long, and whether it is cut off all the same. */
export function partsOf(text: string): { readonly parts: readonly string[]; readonly isCut: boolean } {
  const most = LIMITS.max_message_length
  if (text.length <= most || codePoints(text) <= most) return { parts: [text], isCut: false }
  const parts: string[] = []
  let rest = text
  while (rest !== '' && parts.length < MAX_PARTS) {
    const head = headOf(rest, most)
    const part = rest.slice(0, head).trimEnd()
    if (part !== '') parts.push(part)
    rest = rest.slice(head).trimStart()
  }
  return { parts, isCut: rest !== '' }
}

/** How much of a text goes into the first message: up to the last line break, if there is one in its second half. */
function headOf(text: string, most: number): number {
  // Each character that is counted takes one or two units.
  const head = Array.from(text.slice(0, most * 2))
    .slice(0, most)
    .join('')
  if (head.length === text.length) return head.length
  const line = head.lastIndexOf('\n')
  return line > head.length / 2 ? line : head.length
}

/** A text in Markdown as the words of a line, for the name of a topic. */
export function wordsOf(markdown: string): string {
  const line = markdown.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one)) ?? ''
  return cleanLine(
    line
      .slice(0, 2_000)
      .replaceAll(/@\*\*([^*|]+)\|\d+\*\*/g, '@$1')
      .replaceAll(/#\*\*([^*]+)\*\*/g, '#$1')
      .replaceAll(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
      .replaceAll(/\*\*|~~|`/g, ''),
  ).replace(/^[>#*\u2022-]+ /, '')
}

/** Markdown as a quotation. */
export function quoted(markdown: string): string {
  return markdown === '' ? '' : markdown.replaceAll(/^/gm, '> ').replaceAll(/ $/gm, '')
}
