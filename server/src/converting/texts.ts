import { truncate, hasVisibleCharacter, toPrintable } from '../kernel/characters.ts'
import { countCodePoints } from '../kernel/schemas.ts'
import type { ReportList } from '../platform/moving/report-list.ts'
import { MAX_FULL_NAME_CHARACTERS } from '../capabilities/users/contract/users.ts'
import { LIMITS } from '../capabilities/organizations/contract/organization.ts'

const MAX_MESSAGES_PER_TEXT = 10
/** Maximum length of all parts together, in UTF-16 units. Longer text is truncated. */
export const MAX_SPLIT_LENGTH = 2 * MAX_MESSAGES_PER_TEXT * LIMITS.max_message_length

export function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Cs}]/gu, '\ufffd')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .trimEnd()
}

export function cleanLine(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cs}\s]/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}

export function truncateWithNote(text: string, most: number, what: string, leftOut: ReportList): string {
  const short = truncate(text, most)
  if (short !== text) leftOut.add(`${what} over the length limit: truncated`, text)
  return short
}

/** Removes characters that mentions cannot contain. `otherwise` replaces an empty name; `leftOut` notes truncation. */
export function toValidName(given: string, otherwise: string, leftOut?: ReportList): string {
  const plain = cleanLine(given.slice(0, 1_000).replaceAll(/[*`\\><"@]/g, ' ')).replaceAll('|', '/')
  const visible = cleanLine(toPrintable(plain))
  if (!hasVisibleCharacter(visible)) return otherwise
  return leftOut === undefined
    ? truncate(visible, MAX_FULL_NAME_CHARACTERS)
    : truncateWithNote(visible, MAX_FULL_NAME_CHARACTERS, 'full names', leftOut)
}

export function splitIntoMessages(text: string): { readonly parts: readonly string[]; readonly isCut: boolean } {
  const most = LIMITS.max_message_length
  if (text.length <= most || countCodePoints(text) <= most) return { parts: [text], isCut: false }
  const parts: string[] = []
  let rest = text
  while (rest !== '' && parts.length < MAX_MESSAGES_PER_TEXT) {
    const head = firstPartLength(rest, most)
    const part = rest.slice(0, head).trimEnd()
    if (part !== '') parts.push(part)
    rest = rest.slice(head).trimStart()
  }
  return { parts, isCut: rest !== '' }
}

/** Returns the first part's length: `most` characters, or up to their last line break if it is in the second half. */
function firstPartLength(text: string, most: number): number {
  // Each counted character takes one or two UTF-16 units.
  const head = Array.from(text.slice(0, most * 2))
    .slice(0, most)
    .join('')
  if (head.length === text.length) return head.length
  const line = head.lastIndexOf('\n')
  return line > head.length / 2 ? line : head.length
}

export function firstLineOf(markdown: string): string {
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

export function quoteMarkdown(markdown: string): string {
  return markdown === '' ? '' : markdown.replaceAll(/^/gm, '> ').replaceAll(/ $/gm, '')
}
