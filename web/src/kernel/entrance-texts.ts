import { keysOf } from '@parley/server/kernel/keys'
import type { EntranceTexts } from '../strings/en/entrance.ts'
import { lazyTexts } from './lazy-texts.ts'

const texts = lazyTexts({
  en: async () => (await import('../strings/en/entrance.ts')).entrance,
  de: async () => (await import('../strings/de/entrance.ts')).entrance,
})

/** Callers are loaded together with these texts. */
export const te = texts.read
export const loadEntranceTexts = texts.load

/** Lists revoked access that an intruder can have added, or that the owner must set up again. */
export function revokedLines(revoked: Readonly<Record<keyof EntranceTexts['revoked'], number>>): readonly string[] {
  const counts = te().revoked
  return keysOf(counts)
    .filter((kind) => revoked[kind] > 0)
    .map((kind) => counts[kind](revoked[kind]))
}
