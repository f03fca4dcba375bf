import { signal } from '@preact/signals'
import { en, type Strings } from '../strings/en/index.ts'

/** The languages there are, by the code that stands in `user_settings.default_language`. */
export const LANGUAGES: Readonly<Record<string, { readonly name: string; load(): Promise<Strings> }>> = {
  en: { name: 'English', load: () => Promise.resolve(en) },
  de: { name: 'Deutsch', load: async () => (await import('../strings/de/index.ts')).de },
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
  const language = LANGUAGES[code]
  if (language === undefined || code === current.value.code) return
  current.value = { code, strings: await language.load() }
  document.documentElement.lang = code
}
