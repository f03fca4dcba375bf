import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes, createPrivateKey, sign } from 'node:crypto'

/* Encrypts a push for one device (RFC 8291), as a single record in the encoding aes128gcm (RFC 8188). */

const CURVE = 'prime256v1'
export const PUBLIC_KEY_BYTES = 65
export const AUTH_SECRET_BYTES = 16

const SALT_BYTES = 16
const TAG_BYTES = 16
const RECORD_BYTES = 4_096
const HEADER_BYTES = SALT_BYTES + 4 + 1 + PUBLIC_KEY_BYTES
/** Push services accept 4,096 bytes, which include a header, a delimiter, and a tag. */
export const MAX_PAYLOAD_BYTES = RECORD_BYTES - HEADER_BYTES - 1 - TAG_BYTES
const LAST_RECORD_DELIMITER = Buffer.from([2])

export interface DeviceKeys {
  readonly p256dh: Buffer
  readonly auth: Buffer
}

interface RandomInputs {
  readonly privateKey: Buffer
  readonly salt: Buffer
}

/** Random inputs are parameters only for tests. */
export function encryptPush(
  payload: Buffer,
  { p256dh, auth }: DeviceKeys,
  chance: RandomInputs = newRandomInputs(),
): Buffer {
  if (payload.length > MAX_PAYLOAD_BYTES) throw new Error(`a push of ${payload.length} bytes is too long`)
  const own = createECDH(CURVE)
  own.setPrivateKey(chance.privateKey)
  const ownPublicKey = own.getPublicKey()
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, ownPublicKey])
  const input = deriveKey(own.computeSecret(p256dh), auth, keyInfo, 32)
  const key = deriveKey(input, chance.salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = deriveKey(input, chance.salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const record = [cipher.update(payload), cipher.update(LAST_RECORD_DELIMITER), cipher.final(), cipher.getAuthTag()]
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(RECORD_BYTES)
  sizes.writeUInt8(PUBLIC_KEY_BYTES, 4)
  return Buffer.concat([chance.salt, sizes, ownPublicKey, ...record])
}

function deriveKey(input: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, bytes))
}

function newRandomInputs(): RandomInputs {
  const own = createECDH(CURVE)
  own.generateKeys()
  return { privateKey: own.getPrivateKey(), salt: randomBytes(SALT_BYTES) }
}

export function isPublicKey(bytes: Buffer): boolean {
  if (bytes.length !== PUBLIC_KEY_BYTES) return false
  try {
    ECDH.convertKey(bytes, CURVE, undefined, undefined, 'uncompressed')
    return true
  } catch {
    return false
  }
}

/* Identifies the server to push services with a token signed by its own key (RFC 8292, VAPID). */

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
  const privateKey = Buffer.alloc(COORDINATE_BYTES)
  const number = pair.getPrivateKey()
  number.copy(privateKey, COORDINATE_BYTES - number.length)
  return { privateKey, publicKey: pair.getPublicKey() }
}

/** Returns the `Authorization` header. The push service's operator can reach this server's operator at `contact`. */
export function vapidHeader(endpoint: string, keys: ServerKeys, contact: string, now: number): string {
  const claims = { aud: new URL(endpoint).origin, exp: now + TOKEN_SECONDS, sub: contact }
  const text = `${encodeJsonAsBase64Url({ typ: 'JWT', alg: 'ES256' })}.${encodeJsonAsBase64Url(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key: signingKey(keys), dsaEncoding: 'ieee-p1363' })
  return `vapid t=${text}.${signature.toString('base64url')}, k=${keys.publicKey.toString('base64url')}`
}

function encodeJsonAsBase64Url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function signingKey({ privateKey, publicKey }: ServerKeys): ReturnType<typeof createPrivateKey> {
  const coordinate = (index: number): string =>
    publicKey.subarray(1 + index * COORDINATE_BYTES, 1 + (index + 1) * COORDINATE_BYTES).toString('base64url')
  const key = { kty: 'EC', crv: 'P-256', d: privateKey.toString('base64url'), x: coordinate(0), y: coordinate(1) }
  return createPrivateKey({ format: 'jwk', key })
}
