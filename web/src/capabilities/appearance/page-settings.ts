import { languageCode, LANGUAGES } from '../../kernel/strings.ts'
import { storedAppearance } from './looks.ts'

/** The page's language. Empty if English is only a fallback, because the organization's default is then better. */
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

/** Settings of a person who creates an account in the client. For the API, Enter sends only if turned on. */
export function pageSettings(): PageSettings {
  return { ...pageLanguage(), timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, enter_sends: true }
}
