import * as z from 'zod/mini'

/** Created lazily, because it loads a lot of data. */
let names: Intl.DisplayNames | undefined

/** Finds a language's English name, e.g. `German` for `de`. @returns undefined if unknown */
export function languageName(code: string): string | undefined {
  names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  try {
    return names.of(code)
  } catch {
    return undefined
  }
}

export const languageCode = z.string().check(
  z.refine((code) => languageName(code) !== undefined, { message: 'is not a language' }),
  z.meta({ examples: ['pt-br'] }),
)
