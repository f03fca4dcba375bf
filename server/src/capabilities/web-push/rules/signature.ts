import { createECDH, createPrivateKey, sign } from 'node:crypto'
import { CURVE } from './encryption.ts'

/* Identifies the server to push services with a token signed by the server's own key (RFC 8292, VAPID). */

export interface ServerKeys {
  readonly privateKey: Buffer
  readonly publicKey: Buffer
}

const COORDINATE_BYTES = 32
/** Push services accept tokens valid for at most a day. */
const TOKEN_SECONDS = 43_200

export function newServerKeys(): ServerKeys {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  // Pads numbers with leading zeros.
  const privateKey = Buffer.alloc(COORDINATE_BYTES)
  const number = pair.getPrivateKey()
  number.copy(privateKey, COORDINATE_BYTES - number.length)
  return { privateKey, publicKey: pair.getPublicKey() }
}

/** @param contact address at which a push service's operator can reach this server's operator */
export function signatureFor(endpoint: string, keys: ServerKeys, contact: string, now: number): string {
  const claims = { aud: new URL(endpoint).origin, exp: now + TOKEN_SECONDS, sub: contact }
  const text = `${encodeJson({ typ: 'JWT', alg: 'ES256' })}.${encodeJson(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key: signingKey(keys), dsaEncoding: 'ieee-p1363' })
  return `vapid t=${text}.${signature.toString('base64url')}, k=${keys.publicKey.toString('base64url')}`
}

function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function signingKey({ privateKey, publicKey }: ServerKeys): ReturnType<typeof createPrivateKey> {
  const coordinate = (index: number): string =>
    publicKey.subarray(1 + index * COORDINATE_BYTES, 1 + (index + 1) * COORDINATE_BYTES).toString('base64url')
  const key = { kty: 'EC', crv: 'P-256', d: privateKey.toString('base64url'), x: coordinate(0), y: coordinate(1) }
  return createPrivateKey({ format: 'jwk', key })
}
