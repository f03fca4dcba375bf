import { keysOf } from '@parley/server/kernel/keys'
import type { SignedOutTexts } from '../strings/en/entrance.ts'
import { lazyTexts } from './later-texts.ts'

const texts = lazyTexts({
  en: async () => (await import('../strings/en/entrance.ts')).signedOut,
  de: async () => (await import('../strings/de/entrance.ts')).signedOut,
})

export const te = texts.read
export const loadSignedOutTexts = texts.load

/** Returns a line for each kind of revoked access, with the number revoked. */
export function revokedLines(revoked: Readonly<Record<keyof SignedOutTexts['revoked'], number>>): readonly string[] {
  const counts = te().revoked
  return keysOf(counts)
    .filter((kind) => revoked[kind] > 0)
    .map((kind) => counts[kind](revoked[kind]))
}
