import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto'

/* Encrypts pushes for one device (RFC 8291), as a single record of the encoding aes128gcm (RFC 8188). */

export const CURVE = 'prime256v1'
export const PUBLIC_KEY_BYTES = 65
export const AUTH_BYTES = 16

const SALT_BYTES = 16
const TAG_BYTES = 16
const RECORD_BYTES = 4_096
const HEADER_BYTES = SALT_BYTES + 4 + 1 + PUBLIC_KEY_BYTES
/** Push services accept 4,096 bytes; the encoding adds a header, a delimiter, and a tag. */
export const MAX_PAYLOAD_BYTES = RECORD_BYTES - HEADER_BYTES - 1 - TAG_BYTES
/** Delimiter of the last record. */
const LAST_RECORD = Buffer.from([2])

export interface DeviceKeys {
  readonly p256dh: Buffer
  readonly auth: Buffer
}

interface Chance {
  readonly privateKey: Buffer
  readonly salt: Buffer
}

/** Encrypts a payload. Only tests choose the random inputs. */
export function encryptPush(payload: Buffer, { p256dh, auth }: DeviceKeys, chance: Chance = newChance()): Buffer {
  if (payload.length > MAX_PAYLOAD_BYTES) throw new Error(`a push of ${payload.length} bytes is too long`)
  const own = createECDH(CURVE)
  own.setPrivateKey(chance.privateKey)
  const ownPublicKey = own.getPublicKey()
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, ownPublicKey])
  const input = deriveKey(own.computeSecret(p256dh), auth, keyInfo, 32)
  const key = deriveKey(input, chance.salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = deriveKey(input, chance.salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const record = [cipher.update(payload), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()]
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(RECORD_BYTES)
  sizes.writeUInt8(PUBLIC_KEY_BYTES, 4)
  return Buffer.concat([chance.salt, sizes, ownPublicKey, ...record])
}

function deriveKey(input: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, bytes))
}

function newChance(): Chance {
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
