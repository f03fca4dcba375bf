/* Word boundaries of UAX #29. Underscores join letters. In Korean and scripts without spaces, words end anywhere. */

/** Limits the cost of long runs of marks and underscores. */
const MAX_CHARACTERS_CHECKED = 16

/** Content of a regular expression's character class: letters of scripts without spaces, and of Korean. */
export const SPACELESS_LETTERS = [
  ...['Han', 'Hira', 'Kana', 'Hang'].map((script) => `\\p{scx=${script}}`),
  // Not `scx`: the script extensions of these scripts include accents of Latin letters.
  ...['Thai', 'Laoo', 'Khmr', 'Mymr', 'Lana', 'Tale', 'Talu', 'Tavt'].map((script) => `\\p{sc=${script}}`),
].join('')

/** Regular expression sources for a letter or digit that joins words, and for a mark on such a character. */
export const JOINING_LETTER = `(?![${SPACELESS_LETTERS}])[\\p{L}\\p{Nd}\\p{Nl}]`
export const MARK_PATTERN = `(?![${SPACELESS_LETTERS}\\uFE00-\\uFE0F\\u20E3])\\p{M}`

// Created on first use, because V8 has to load Unicode tables for it.

let joiningExpression: RegExp | undefined

function isJoiningLetter(character: string): boolean {
  joiningExpression ??= new RegExp(JOINING_LETTER, 'u')
  return joiningExpression.test(character)
}

let spacelessExpression: RegExp | undefined

export function isFromSpacelessScript(character: string): boolean {
  spacelessExpression ??= new RegExp(`[${SPACELESS_LETTERS}]`, 'u')
  return spacelessExpression.test(character)
}

/** Whether the character is a combining mark other than those in emoji: variation selectors and the keycap mark. */
const isMark = (character: string): boolean => /(?![\uFE00-\uFE0F\u20E3])\p{M}/u.test(character)

/** Whether `pos` is within a word, where no mention can start: `a@**b**` mentions no one. */
export function continuesWord(text: string, pos: number): boolean {
  let at = pos
  for (let looked = 0; looked < MAX_CHARACTERS_CHECKED && at > 0; looked += 1) {
    const character = characterBefore(text, at)
    if (character !== '_' && !isMark(character))
      return isJoiningLetter(character) && !isFromSpacelessScript(characterAt(text, pos))
    at -= character.length
  }
  return false
}

export function endsWithinWord(text: string, pos: number): boolean {
  let at = pos
  for (let looked = 0; looked < MAX_CHARACTERS_CHECKED && at < text.length; looked += 1) {
    const character = characterAt(text, at)
    if (isMark(character) && at === pos) return true
    if (character !== '_') return isJoiningLetter(character) && !isFromSpacelessScript(characterBefore(text, pos))
    at += 1
  }
  return false
}

export function characterAt(text: string, pos: number): string {
  return String.fromCodePoint(text.codePointAt(pos) ?? 0)
}

export function characterBefore(text: string, pos: number): string {
  const before = pos > 1 ? (text.codePointAt(pos - 2) ?? 0) : 0
  return before > 0xffff ? String.fromCodePoint(before) : text.charAt(pos - 1)
}
