import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../../platform/tokens/tokens.ts'

/** @returns hex */
export function hmacOf(signed: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(signed).digest('hex')
}

/** @param given hex */
export function isHmac(given: string, signed: string | Buffer, secret: string): boolean {
  return isSameSecret(given.toLowerCase(), hmacOf(signed, secret))
}
