import type { ApiNames } from '../../http/names.ts'

const VARIATION_SELECTOR = 'fe0f'

/** Unicode emoji by the names that people type. A code is `1f44d`, or `1f1eb-1f1f7` for several code points. */
export interface EmojiNames {
  /** The words that the server tells clients. */
  readonly apiNames: ApiNames
  readonly codeByName: ReadonlyMap<string, string>
  /** The name to show first, then the others. */
  readonly namesByCode: ReadonlyMap<string, readonly string[]>
  /**
   * The name that clients are told of an emoji that was given under a name: the same, unless existing clients do not
   * know it.
   */
  readonly toldName: (code: string, given: string) => string
}

/** The code of an emoji character or sequence, with or without the sign that asks for its coloured form. */
export function emojiCode(characters: string): string {
  return Array.from(characters, (character) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
    .filter((code) => code !== VARIATION_SELECTOR)
    .join('-')
}

/** The characters of a code. */
export function emojiCharacters(code: string): string {
  return String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16)))
}

/** A code without the signs that only choose how the emoji is drawn: clients send it with them or without. */
export function plainCode(code: string): string {
  return code
    .split('-')
    .filter((point) => point !== VARIATION_SELECTOR)
    .join('-')
}
