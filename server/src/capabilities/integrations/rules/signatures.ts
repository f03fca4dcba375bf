import { createHmac, timingSafeEqual } from 'node:crypto'

/** @returns hex */
export function hmacOf(signed: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(signed).digest('hex')
}

/** @param given hex */
export function isHmac(given: string, signed: string | Buffer, secret: string): boolean {
  return isSame(given.toLowerCase(), hmacOf(signed, secret))
}

/** Compares in constant time. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
