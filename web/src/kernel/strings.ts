import { signal } from '@preact/signals'
import { en, type Strings } from '../strings/en/index.ts'

interface Language {
  readonly name: string
  readonly direction?: 'rtl'
  load(): Promise<Strings>
}

/** The languages that people can choose, by the code that stands in `user_settings.default_language`. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  en: { name: 'English', load: () => Promise.resolve(en) },
  de: { name: 'Deutsch', load: async () => (await import('../strings/de/index.ts')).de },
}

/** Languages that show what a translation would break; `?lang=ar-XB` in the address chooses one. */
const PSEUDO_LANGUAGES: Readonly<Record<string, Language>> = {
  'en-XA': { name: 'Longer', load: async () => (await import('../strings/pseudo.ts')).longer },
  'ar-XB': {
    name: 'From right to left',
    direction: 'rtl',
    load: async () => (await import('../strings/pseudo.ts')).mirrored,
  },
}

const current = signal<{ readonly code: string; readonly strings: Strings }>({ code: 'en', strings: en })

/** The texts in the language of the one who reads. Components that call this are drawn anew when the language changes. */
export function t(): Strings {
  return current.value.strings
}

/** The BCP 47 code of the language, for `Intl` and for `lang`. */
export function languageCode(): string {
  return current.value.code
}

/** Changes the language; one that is not there leaves it as it is. */
export async function chooseLanguage(code: string): Promise<void> {
  const language = LANGUAGES[code] ?? PSEUDO_LANGUAGES[code]
  if (language === undefined || code === current.value.code) return
  current.value = { code, strings: await language.load() }
  const { documentElement: root } = document
  root.lang = code
  root.dir = language.direction ?? 'ltr'
}
