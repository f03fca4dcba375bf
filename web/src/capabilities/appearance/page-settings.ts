import { languageCode, LANGUAGES } from '../../kernel/strings.ts'
import { storedAppearance } from './looks.ts'

/** Returns the page's language, or nothing if English is only a fallback: the organization's default is then better. */
export function pageLanguage(): { readonly default_language?: string } {
  const code = languageCode()
  const isFallback =
    code === 'en' && ![storedAppearance().language, navigator.language].some((one) => /^en\b/.test(String(one)))
  return isFallback || !(code in LANGUAGES) ? {} : { default_language: code }
}

interface PageSettings {
  readonly default_language?: string
  readonly timezone: string
  readonly enter_sends: true
}

/** Initial settings of people who sign up in this client, where Enter sends a message unless they turn that off. */
export function pageSettings(): PageSettings {
  return { ...pageLanguage(), timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, enter_sends: true }
}
