import { effect, signal } from '@preact/signals'
import { languageCode } from './strings.ts'

/* Texts that are no part of the first screen: they are loaded with what shows them, and then follow the language. */

/** Loads the texts of a language, by its code. Each has all of them. */
export type Loaders<Texts> = Readonly<Record<string, () => Promise<Texts>>> & { readonly en: () => Promise<Texts> }

interface LazyTexts<Texts> {
  /** The texts in the language of the one who reads; what calls this was loaded together with them. */
  readonly read: () => Texts
  /** Loads the texts, and from then on those of each language that is chosen. */
  readonly load: () => Promise<void>
}

export function lazyTexts<Texts>(loaders: Loaders<Texts>): LazyTexts<Texts> {
  const current = signal<Texts | undefined>(undefined)
  let isFollowing = false
  const load = async (code: string): Promise<void> => {
    const texts = await (loaders[code] ?? loaders.en)()
    if (languageCode() === code) current.value = texts
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
        // Without a connection they stay in the language that is there.
        load(languageCode()).catch(() => undefined)
      })
    },
  }
}
