/*
 * Word boundaries, following UAX #29. Letters, digits, and their marks form a word. In a script without spaces, a word may
 * begin or end beside any letter. An underscore joins the letters on both sides of it.
 */

/** Marks and underscores looked at beside a place, so that long rows of them cost little. */
const MAX_LOOKED_AT = 16

// Inside functions, since V8 reads Unicode's rules as soon as such an expression is made.

let joining: RegExp | undefined

/** A letter or digit that joins the one beside it to a word. */
function joinsWords(character: string): boolean {
  joining ??= new RegExp(`(?![${SPACELESS_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}])[\\p{L}\\p{N}]`, 'u')
  return joining.test(character)
}

const SPACELESS_SCRIPTS = ['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr', 'Lana', 'Tale', 'Talu', 'Tavt']

let spaceless: RegExp | undefined

function isSpaceless(character: string): boolean {
  spaceless ??= new RegExp(`[${SPACELESS_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`, 'u')
  return spaceless.test(character)
}

/** Marks of letters, but not those that only choose how an emoji is drawn. */
const isMark = (character: string): boolean => /(?![\uFE00-\uFE0F\u20E3])\p{M}/u.test(character)

/** Whether the text at `pos` goes on with the word before it: `a@**b**` mentions no one. */
export function continuesWord(text: string, pos: number): boolean {
  let at = pos
  for (let looked = 0; looked < MAX_LOOKED_AT && at > 0; looked += 1) {
    const character = characterBefore(text, at)
    if (character !== '_' && !isMark(character)) return joinsWords(character) && !isSpaceless(characterAt(text, pos))
    at -= character.length
  }
  return false
}

/** Whether a word goes on after the text that ends at `pos`. */
export function endsWithinWord(text: string, pos: number): boolean {
  let at = pos
  for (let looked = 0; looked < MAX_LOOKED_AT && at < text.length; looked += 1) {
    const character = characterAt(text, at)
    if (isMark(character) && at === pos) return true
    if (character !== '_') return joinsWords(character) && !isSpaceless(characterBefore(text, pos))
    at += 1
  }
  return false
}

function characterAt(text: string, pos: number): string {
  return String.fromCodePoint(text.codePointAt(pos) ?? 0)
}

function characterBefore(text: string, pos: number): string {
  const before = pos > 1 ? (text.codePointAt(pos - 2) ?? 0) : 0
  return before > 0xffff ? String.fromCodePoint(before) : text.charAt(pos - 1)
}
