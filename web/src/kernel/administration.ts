import { lazyTexts } from './later-texts.ts'

/* Texts of settings and administration. Not part of the first download, because few people read them. */

const texts = lazyTexts({
  en: async () => (await import('../strings/en/administration.ts')).administration,
  de: async () => (await import('../strings/de/administration.ts')).administration,
})

export const ta = texts.read
export const loadAdministration = texts.load
