import { lazyTexts } from './lazy-texts.ts'

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
