import type { ApiNames } from '../../http/names.ts'

const VARIATION_SELECTOR = 'fe0f'

/** Codes look like `1f44d`, or `1f1eb-1f1f7` for several code points. */
export interface EmojiNames {
  readonly apiNames: ApiNames
  readonly codeByName: ReadonlyMap<string, string>
  readonly namesByCode: ReadonlyMap<string, readonly string[]>
  /** The given name if existing clients know it. */
  readonly toldName: (code: string, given: string) => string
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
export function plainCode(code: string): string {
  return code
    .split('-')
    .filter((point) => point !== VARIATION_SELECTOR)
    .join('-')
}
