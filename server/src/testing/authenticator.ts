import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto'
import * as z from 'zod/mini'
import type { Body } from './user.ts'

export interface AuthenticatorOverrides {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly isVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string | null
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** Authenticator that follows WebAuthn, unless a test overrides a value. */
export class TestAuthenticator {
  readonly credentialId = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  #counter = 0
  #userHandle = ''

  /** @param origin of the page, as known to the browser */
  constructor(origin: string) {
    this.#origin = origin
  }

  make(options: unknown, said: AuthenticatorOverrides = {}): Body {
    const { challenge, user } = z.object({ challenge: z.string(), user: z.object({ id: z.string() }) }).parse(options)
    this.#userHandle = user.id
    const data = this.#authenticatorData(said, HAS_CREDENTIAL, this.#credential())
    // {"fmt": "none", "attStmt": {}, "authData": data} in CBOR.
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      twoBytes(data.length),
      data,
    ])
    return {
      ...this.#named(),
      response: {
        clientDataJSON: this.#clientData({ challenge, type: 'webauthn.create', ...said }).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  sign(options: unknown, said: AuthenticatorOverrides = {}): Body {
    const { challenge } = z.object({ challenge: z.string() }).parse(options)
    this.#counter += 1
    const data = this.#authenticatorData(said)
    const clientData = this.#clientData({ challenge, type: 'webauthn.get', ...said })
    const signed = Buffer.concat([data, hash('sha256', clientData, 'buffer')])
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        userHandle: said.userHandle === undefined ? this.#userHandle : said.userHandle,
      },
    }
  }

  #named(): Body {
    const id = this.credentialId.toString('base64url')
    return { id, rawId: id, type: 'public-key' }
  }

  #clientData({ type, challenge, origin = this.#origin }: AuthenticatorOverrides): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authenticatorData(
    { rpId = new URL(this.#origin).hostname, isVerified = true, counter = this.#counter }: AuthenticatorOverrides,
    more = 0,
    credential: Buffer = Buffer.alloc(0),
  ): Buffer {
    const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | more
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    return Buffer.concat([hash('sha256', rpId, 'buffer'), Buffer.from([flags]), counted, credential])
  }

  /** Returns authenticator data: no model, the credential ID, and the public key in COSE format. */
  #credential(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    return Buffer.concat([Buffer.alloc(16), twoBytes(this.credentialId.length), this.credentialId, key])
  }
}

function twoBytes(number: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(number)
  return bytes
}
