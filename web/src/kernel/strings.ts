import type { organizations } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { en, type Strings } from '../strings/en/main.ts'

interface Language {
  readonly name: string
  readonly direction?: 'rtl'
  load(): Promise<Strings>
}

/** Languages by code, as in `user_settings.default_language`. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  en: { name: 'English', load: () => Promise.resolve(en) },
  de: { name: 'Deutsch', load: async () => (await import('../strings/de/main.ts')).de },
} satisfies Record<organizations.ClientLanguage, Language>

/** Pseudo-languages that reveal layout problems before translation; choose them with `?lang=ar-XB`. */
const PSEUDO_LANGUAGES: Readonly<Record<string, Language>> = {
  'en-XA': { name: 'Longer', load: async () => (await import('../strings/pseudo.ts')).longerEnglish },
  'ar-XB': {
    name: 'From right to left',
    direction: 'rtl',
    load: async () => (await import('../strings/pseudo.ts')).mirroredEnglish,
  },
}

const currentLanguage = signal<{ readonly code: string; readonly strings: Strings }>({ code: 'en', strings: en })

/** Components that call this rerender when the language changes. */
export function t(): Strings {
  return currentLanguage.value.strings
}

export function languageCode(): string {
  return currentLanguage.value.code
}

export async function chooseLanguage(code: string): Promise<void> {
  const language = LANGUAGES[code] ?? PSEUDO_LANGUAGES[code]
  if (language === undefined || code === currentLanguage.value.code) return
  currentLanguage.value = { code, strings: await language.load() }
  const { documentElement: root } = document
  root.lang = code
  root.dir = language.direction ?? 'ltr'
}
