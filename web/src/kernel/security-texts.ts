import { lazyTexts } from './lazy-texts.ts'

/* Shared by settings and the signed-out pages. */

const texts = lazyTexts({
  en: async () => (await import('../strings/en/security.ts')).security,
  de: async () => (await import('../strings/de/security.ts')).security,
})

export const ts = texts.read
export const loadSecurityTexts = texts.load
