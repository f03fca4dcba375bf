import * as z from 'zod/mini'

/** Language of the web client. Every UI text is available in each of these languages. */
export type ClientLanguage = 'en' | 'de'

let displayNames: Intl.DisplayNames | undefined

/** Returns the English name, such as `German` for `de`. */
export function languageName(code: string): string | undefined {
  displayNames ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  try {
    return displayNames.of(code)
  } catch {
    return undefined
  }
}

export const languageCode = z.string().check(
  z.refine((code) => languageName(code) !== undefined, { message: 'is not a language' }),
  z.meta({ examples: ['pt-br'] }),
)
