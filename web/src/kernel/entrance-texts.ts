import { lazyTexts } from './lazy-texts.ts'

/* The texts of the pages for people who are not signed in, which nobody else reads. */

const texts = lazyTexts({
  en: async () => (await import('../strings/en/entrance.ts')).entrance,
  de: async () => (await import('../strings/de/entrance.ts')).entrance,
  'en-XA': async () => (await import('../strings/pseudo-entrance.ts')).longer,
  'ar-XB': async () => (await import('../strings/pseudo-entrance.ts')).mirrored,
})

/** The texts in the language of the one who reads; what calls this was loaded together with them. */
export const te = texts.read
export const loadEntranceTexts = texts.load
