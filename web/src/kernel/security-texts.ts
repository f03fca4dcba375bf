import { lazyTexts } from './lazy-texts.ts'

/* The texts about what one signs in with, which the settings and the pages for people who are not signed in share. */

const texts = lazyTexts({
  en: async () => (await import('../strings/en/security.ts')).security,
  de: async () => (await import('../strings/de/security.ts')).security,
  'en-XA': async () => (await import('../strings/pseudo-security.ts')).longer,
  'ar-XB': async () => (await import('../strings/pseudo-security.ts')).mirrored,
})

/** The texts in the language of the one who reads; what calls this was loaded together with them. */
export const ts = texts.read
export const loadSecurityTexts = texts.load
