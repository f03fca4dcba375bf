import { languageCode, LANGUAGES } from '../../kernel/strings.ts'
import { storedAppearance } from './looks.ts'

/** The page's language. Empty if English is only a fallback, because the organization's default is then better. */
export function pageLanguage(): { readonly default_language?: string } {
  const code = languageCode()
  const isFallback =
    code === 'en' && ![storedAppearance().language, navigator.language].some((one) => /^en\b/.test(String(one)))
  return isFallback || !(code in LANGUAGES) ? {} : { default_language: code }
}
