/*
 * Digests of JSON data, to compare two copies without sending them. 64 bits, computed with fast JavaScript operations:
 * they detect accidental differences but do not resist attacks.
 */

/** Two 32-bit halves. */
export interface Digest {
  high: number
  low: number
}

/** Odd constants without a bit pattern: multiplication spreads each bit to all higher ones. */
const SPREAD_HIGH = 0x9e3779b1
const SPREAD_LOW = 0x85ebca6b

/** Hashes a JSON value. Ignores field order and undefined fields, but not list order. */
export function digestOf(value: unknown): Digest {
  const digest = { high: SPREAD_LOW, low: SPREAD_HIGH }
  mixValue(digest, value)
  return { high: finished(digest.high), low: finished(digest.low) }
}

/** Combines digests of set members, ignoring their order. */
export function digestOfSet(members: readonly Digest[]): Digest {
  const sum = { high: members.length, low: members.length }
  for (const { high, low } of members) {
    sum.high = (sum.high + high) | 0
    sum.low = (sum.low + low) | 0
  }
  return { high: finished(sum.high), low: finished(sum.low) }
}

/** Formats a digest as 16 hexadecimal digits. */
export function digestText({ high, low }: Digest): string {
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Tags for kinds of values. Lengths are added to them; no text is long enough to reach the next tag. */
const KIND = { list: 2 ** 28, record: 2 ** 29, recordEnd: 2 ** 29 + 1, text: 2 ** 30, other: 0 } as const

function mixValue(digest: Digest, value: unknown): void {
  if (typeof value === 'string') mixText(digest, KIND.text, value)
  else if (Array.isArray(value)) {
    mixUnit(digest, KIND.list + value.length)
    for (const element of value) mixValue(digest, element ?? null)
  } else if (typeof value === 'object' && value !== null) {
    mixUnit(digest, KIND.record)
    // A non-array object is a record.
    const record = value as Readonly<Record<string, unknown>>
    for (const name of Object.keys(record).toSorted()) {
      if (record[name] === undefined) continue
      mixText(digest, KIND.text, name)
      mixValue(digest, record[name])
    }
    mixUnit(digest, KIND.recordEnd)
  } else {
    // A number, a boolean, or null.
    mixText(digest, KIND.other, String(value))
  }
}

/** The length comes first so that text boundaries matter. */
function mixText(digest: Digest, kind: number, text: string): void {
  mixUnit(digest, kind + text.length)
  let { high, low } = digest
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, SPREAD_HIGH)
    high ^= high >>> 15
    low = Math.imul(((low << 7) | (low >>> 25)) ^ unit, SPREAD_LOW)
  }
  digest.high = high
  digest.low = low
}

function mixUnit(digest: Digest, unit: number): void {
  const high = Math.imul(digest.high ^ unit, SPREAD_HIGH)
  digest.high = high ^ (high >>> 15)
  digest.low = Math.imul(((digest.low << 7) | (digest.low >>> 25)) ^ unit, SPREAD_LOW)
}

function finished(half: number): number {
  const spread = Math.imul(half ^ (half >>> 16), SPREAD_LOW)
  return Math.imul(spread ^ (spread >>> 13), SPREAD_HIGH)
}
