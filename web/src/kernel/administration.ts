import { lazyTexts } from './lazy-texts.ts'

/* The texts of the administration of an organization, which most people never read. */

const texts = lazyTexts({
  en: async () => (await import('../strings/en/administration/index.ts')).administration,
  de: async () => (await import('../strings/de/administration/index.ts')).administration,
  'en-XA': async () => (await import('../strings/pseudo-administration.ts')).longer,
  'ar-XB': async () => (await import('../strings/pseudo-administration.ts')).mirrored,
})

/** The texts in the language of the one who reads; what calls this was loaded together with them. */
export const ta = texts.read
export const loadAdministration = texts.load
