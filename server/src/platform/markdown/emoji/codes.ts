import { continuesWord, endsWithinWord } from '../../../kernel/words.ts'
import type { ApiNames } from '../../http/names.ts'

const VARIATION_SELECTOR = 'fe0f'

/** Codes look like `1f44d`, or `1f1eb-1f1f7` for several code points. */
export interface EmojiNames {
  readonly apiNames: ApiNames
  readonly codeByName: ReadonlyMap<string, string>
  readonly namesByCode: ReadonlyMap<string, readonly string[]>
  /** Returns the given name or, for existing clients that do not know that name, another name. */
  readonly compatibleName: (code: string, given: string) => string
}

export function emojiCode(characters: string): string {
  return Array.from(characters, (character) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .filter((code) => code !== VARIATION_SELECTOR)
    .join('-')
}

export function emojiCharacters(code: string): string {
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}

/** Removes variation selectors, which clients send inconsistently. */
export function withoutVariationSelectors(code: string): string {
  return code
    .split('-')
    .filter((point) => point !== VARIATION_SELECTOR)
    .join('-')
}

/** Matches names with their skin tones, and URLs, which are skipped. A name's last colon can begin the next name. */
const URL_OR_NAME_PATTERN = /https?:\/\/[^\s<>)\]]+|:([\w+'-]{1,64}(?:::skin[-_]tone[-_]\d(?:-\d)?)?)(?=:)/gi
const MAX_LOOKBACK_CHARACTERS = 300

/** Replaces known emoji names. Unknown names and technical text remain. */
export function renameEmoji(text: string, nameOf: (name: string) => string | undefined): string {
  let done = 0
  return text.replace(URL_OR_NAME_PATTERN, (written: string, name: string | undefined, start: number) => {
    const end = start + written.length + 1
    if (name === undefined || start < done || isInTechnicalText(text, name, start, end)) return written
    const own = start !== done && followsColon(text, start) ? undefined : nameOf(name)
    if (own === undefined) return written
    done = end
    return `:${own}`
  })
}

/** Whether the colons around a name belong to technical text, as in `main.c:1234:5`. */
export function isInTechnicalText(text: string, name: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start)
  const isAfterWord = continuesWord(text, start)
  // A line number, as in `main.c:100: error`, even after code or a closing quotation mark.
  if (/^\d+$/.test(name) && (isAfterWord || /[)\]}`>.\\/-]$|[^\s([{]["'\u2019\u201d]$/.test(before))) return true
  const isJoinedBefore = isAfterWord || /\S[.]$|[/\\]$/.test(before)
  return isJoinedBefore && (endsWithinWord(text, end) || /^(?:[.][^\s.]|[/\\])/.test(text.slice(end, end + 2)))
}

/** Whether the colon before a name belongs to other text, as in `std::b::c`, and not to an unknown emoji name. */
export function followsColon(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - MAX_LOOKBACK_CHARACTERS), start)
  return before.endsWith(':') && !/(?:^|[\s([])(?::[\w+'-]{1,64}:){1,8}$/.test(before)
}
