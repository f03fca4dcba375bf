import type { organizations } from '@parley/server/contract'
import { effect, signal } from '@preact/signals'
import { languageCode } from './strings.ts'

/* Texts of parts that are not on the first screen. `dom/lazy.tsx` loads them with the first such part. */

const laterTexts = lazyTexts({
  en: async () => (await import('../strings/en/later.ts')).later,
  de: async () => (await import('../strings/de/later.ts')).later,
})

export const tl = laterTexts.read
export const loadLaterTexts = laterTexts.load

/* Texts shared by settings and the signed-out pages. */

const securityTexts = lazyTexts({
  en: async () => (await import('../strings/en/security.ts')).security,
  de: async () => (await import('../strings/de/security.ts')).security,
})

export const ts = securityTexts.read
export const loadSecurityTexts = securityTexts.load

/* Texts about drafts, edits, and files that only this browser has. */

const unsavedTexts = lazyTexts({
  en: async () => (await import('../strings/en/security.ts')).unsaved,
  de: async () => (await import('../strings/de/security.ts')).unsaved,
})

export const tu = unsavedTexts.read
export const loadUnsavedTexts = unsavedTexts.load

/* Texts that load with the code that shows them, and load again when the language changes. */

type Loaders<Texts> = Readonly<Record<organizations.ClientLanguage, () => Promise<Texts>>>

interface LazyTexts<Texts> {
  /** Can be called once the texts are loaded. */
  readonly read: () => Texts
  readonly load: () => Promise<void>
}

export function lazyTexts<Texts>(languages: Loaders<Texts>): LazyTexts<Texts> {
  const loaders: Readonly<Record<string, () => Promise<Texts>>> = {
    ...languages,
    'en-XA': async () => (await import('../strings/pseudo.ts')).lengthen(await languages.en()),
    'ar-XB': async () => (await import('../strings/pseudo.ts')).mirror(await languages.en()),
  }
  const current = signal<Texts | undefined>(undefined)
  let isFollowing = false
  const load = async (code: string): Promise<void> => {
    const texts = await (loaders[code] ?? languages.en)()
    // If the language changed during loading, the previous texts stay until the effect has loaded the new ones.
    if (current.value === undefined || languageCode() === code) current.value = texts
  }
  return {
    read() {
      if (current.value === undefined) throw new Error('the texts were not loaded')
      return current.value
    },
    async load() {
      await load(languageCode())
      if (isFollowing) return
      isFollowing = true
      effect(() => {
        // If offline, the texts stay in the previous language.
        load(languageCode()).catch(() => undefined)
      })
    },
  }
}
