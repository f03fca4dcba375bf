const KINDS: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(?:37|39)61/],
  // RIFF, a length, WEBP.
  ['image/webp', /^52494646.{8}57454250/],
  // A length, ftyp, and avif or avis.
  ['image/avif', /^.{8}66747970617669(?:66|73)/],
]

const BEGINNING_BYTES = 16

/** Ignores any declared type; undefined if unknown. */
export function pictureTypeOf(bytes: Buffer): string | undefined {
  const beginning = bytes.toString('hex', 0, BEGINNING_BYTES)
  return KINDS.find(([, kind]) => kind.test(beginning))?.[0]
}
