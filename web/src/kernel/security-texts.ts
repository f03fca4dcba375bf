import { lazyTexts } from './lazy-texts.ts'

/* Texts about sign-in security, shared by settings and the signed-out pages. */

const texts = lazyTexts({
  en: async () => (await import('../strings/en/security.ts')).security,
  de: async () => (await import('../strings/de/security.ts')).security,
})

/** Reads the texts in the current language. Callers are loaded together with these texts. */
export const ts = texts.read
export const loadSecurityTexts = texts.load
