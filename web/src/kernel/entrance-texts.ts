import { lazyTexts } from './lazy-texts.ts'

const texts = lazyTexts({
  en: async () => (await import('../strings/en/entrance.ts')).entrance,
  de: async () => (await import('../strings/de/entrance.ts')).entrance,
})

/** Callers are loaded together with these texts. */
export const te = texts.read
export const loadEntranceTexts = texts.load
