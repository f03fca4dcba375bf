import { languageCode, LANGUAGES } from '../../kernel/strings.ts'
import { keptLooks } from './looks.ts'

/**
 * What a page for people without a session says of the language of whoever makes an account there, so that the client goes on in it.
 * Nothing where the page speaks English only because there is no text in the language of the browser: the organization's is as good.
 */
export function pageLanguage(): { readonly default_language?: string } {
  const code = languageCode()
  const isFallback =
    code === 'en' && ![keptLooks().language, navigator.language].some((one) => /^en\b/.test(String(one)))
  return isFallback || !(code in LANGUAGES) ? {} : { default_language: code }
}
