import { lazyTexts } from './lazy-texts.ts'

/* Texts of parts that are not on the first screen. `dom/lazy.tsx` loads them with the first such part. */

const laterTexts = lazyTexts({
  en: async () => (await import('../strings/en/later.ts')).later,
  de: async () => (await import('../strings/de/later.ts')).later,
})

export const tl = laterTexts.read
export const loadLaterTexts = laterTexts.load

/* Texts shared by settings and the signed-out pages. */

const texts = lazyTexts({
  en: async () => (await import('../strings/en/security.ts')).security,
  de: async () => (await import('../strings/de/security.ts')).security,
})

export const ts = texts.read
export const loadSecurityTexts = texts.load

/* Texts about drafts, edits, and files that only this browser has. */

const unsavedTexts = lazyTexts({
  en: async () => (await import('../strings/en/security.ts')).unsaved,
  de: async () => (await import('../strings/de/security.ts')).unsaved,
})

export const tu = unsavedTexts.read
export const loadUnsavedTexts = unsavedTexts.load
