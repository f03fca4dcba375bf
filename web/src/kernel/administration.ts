import { lazyTexts } from './lazy-texts.ts'

/* Texts of the organization's administration. Not part of the first download, because few people read them. */

const texts = lazyTexts({
  en: async () => (await import('../strings/en/administration/index.ts')).administration,
  de: async () => (await import('../strings/de/administration/index.ts')).administration,
  'en-XA': async () => (await import('../strings/pseudo-administration.ts')).longer,
  'ar-XB': async () => (await import('../strings/pseudo-administration.ts')).mirrored,
})

/** Reads the texts in the current language. Callers are loaded together with these texts. */
export const ta = texts.read
export const loadAdministration = texts.load
