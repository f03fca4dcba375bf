import * as z from 'zod/mini'

/** Made at its first use, since it loads much. */
let names: Intl.DisplayNames | undefined

/** The English name of a language by its code, e.g. `German` for `de`; undefined where there is no such language. */
export function languageName(code: string): string | undefined {
  names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  try {
    return names.of(code)
  } catch {
    return undefined
  }
}

/** The code of a language that clients may speak: `de`, `pt-br`. */
export const languageCode = z.string().check(
  z.refine((code) => languageName(code) !== undefined, { message: 'is not a language' }),
  z.meta({ examples: ['pt-br'] }),
)
