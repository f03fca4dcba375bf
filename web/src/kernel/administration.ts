import { effect, signal } from '@preact/signals'
import type { Administration } from '../strings/en/administration/index.ts'
import { languageCode } from './strings.ts'

/* The texts of the administration of an organization, which most people never read: they are no part of the first screen. */

const english = async (): Promise<Administration> =>
  (await import('../strings/en/administration/index.ts')).administration

/** By the code of the language. */
const LOADERS: Readonly<Record<string, () => Promise<Administration>>> = {
  en: english,
  de: async () => (await import('../strings/de/administration/index.ts')).administration,
  'en-XA': async () => (await import('../strings/pseudo-administration.ts')).longer,
  'ar-XB': async () => (await import('../strings/pseudo-administration.ts')).mirrored,
}

const current = signal<Administration | undefined>(undefined)
let isFollowing = false

/** The texts in the language of the one who reads; what calls this was loaded together with them. */
export function ta(): Administration {
  if (current.value === undefined) throw new Error('the texts of the administration were not loaded')
  return current.value
}

/** Loads the texts, and from then on those of each language that is chosen. */
export async function loadAdministration(): Promise<void> {
  await load(languageCode())
  if (isFollowing) return
  isFollowing = true
  effect(() => {
    // Without a connection they stay in the language that is there.
    load(languageCode()).catch(() => undefined)
  })
}

async function load(code: string): Promise<void> {
  const texts = await (LOADERS[code] ?? english)()
  if (languageCode() === code) current.value = texts
}
