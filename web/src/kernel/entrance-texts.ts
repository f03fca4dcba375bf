import { keysOf } from '@parley/server/kernel/keys'
import type { SignedOutTexts } from '../strings/en/entrance.ts'
import { lazyTexts } from './lazy-texts.ts'

const texts = lazyTexts({
  en: async () => (await import('../strings/en/entrance.ts')).signedOut,
  de: async () => (await import('../strings/de/entrance.ts')).signedOut,
})

export const te = texts.read
export const loadSignedOutTexts = texts.load

/** Lists revoked access that an intruder can have added, or that the owner must set up again. */
export function revokedLines(revoked: Readonly<Record<keyof SignedOutTexts['revoked'], number>>): readonly string[] {
  const counts = te().revoked
  return keysOf(counts)
    .filter((kind) => revoked[kind] > 0)
    .map((kind) => counts[kind](revoked[kind]))
}
