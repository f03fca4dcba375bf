import { lazyTexts } from './lazy-texts.ts'

/* Shared by settings and the signed-out pages. */

const texts = lazyTexts({
  en: async () => (await import('../strings/en/security.ts')).security,
  de: async () => (await import('../strings/de/security.ts')).security,
})

export const ts = texts.read
export const loadSecurityTexts = texts.load

/* These are about texts and files that only this browser has. */

const unsaved = lazyTexts({
  en: async () => (await import('../strings/en/security.ts')).unsaved,
  de: async () => (await import('../strings/de/security.ts')).unsaved,
})

export const tu = unsaved.read
export const loadUnsavedTexts = unsaved.load
