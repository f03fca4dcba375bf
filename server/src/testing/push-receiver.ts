import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { parseObject } from './json.ts'
import { startWebServer, type ReceivedRequest } from './web-server.ts'
import type { Body } from './user.ts'

export interface ReceivedPush {
  readonly device: string
  readonly payload: Body
  readonly headers: ReceivedRequest['headers']
  readonly bytes: number
  readonly claims: Body
  readonly serverKey: string
}

export interface PushDevice {
  readonly subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string }
  readonly pushes: () => readonly ReceivedPush[]
  readonly payloads: () => readonly Body[]
}

/**
 * A real push service: accepts encrypted, signed pushes that conform to the standards, and decrypts them as devices do.
 */
export interface PushService {
  readonly port: number
  device(): PushDevice
  attempts(): number
  /** Status of the answer; undefined accepts pushes. */
  answer(how: ((response: ServerResponse) => void) | undefined): void
  close(): Promise<void>
}

interface PushServiceKind {
  readonly path: () => string
  readonly take: (response: ServerResponse, path: string) => void
}

const BROWSER_PUSH: PushServiceKind = {
  path: () => `/push/${randomBytes(12).toString('hex')}`,
  take: (response) => response.writeHead(201).end(),
}

/**
 * The path is a topic, with a parameter that marks UnifiedPush. Responds with 200 and the published message,
 * base64-encoded because it is not text.
 */
export const UNIFIED_PUSH_SERVICE: PushServiceKind = {
  path: () => `/up${randomBytes(9).toString('base64url')}?up=1`,
  take(response, path) {
    const [topic] = path.slice(1).split('?')
    const published = { id: randomBytes(9).toString('base64url'), event: 'message', topic, encoding: 'base64' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(published)}\n`)
  },
}

interface DeviceSecrets {
  readonly privateKey: Buffer
  readonly publicKey: Buffer
  readonly auth: Buffer
}

export async function startPushService(kind = BROWSER_PUSH): Promise<PushService> {
  const devices = new Map<string, DeviceSecrets>()
  const received: ReceivedPush[] = []
  const faults: string[] = []
  let how: ((response: ServerResponse) => void) | undefined
  const server = await startWebServer((request, response) => {
    if (how !== undefined) {
      how(response)
      return
    }
    const device = devices.get(request.path)
    if (device === undefined) {
      response.writeHead(410).end()
      return
    }
    try {
      received.push(openPush(request, device))
      kind.take(response, request.path)
    } catch (error) {
      faults.push(String(error))
      response.writeHead(400).end()
    }
  })
  return {
    port: server.port,
    device() {
      const pair = createECDH('prime256v1')
      const publicKey = pair.generateKeys()
      const path = kind.path()
      const auth = randomBytes(16)
      devices.set(path, { privateKey: pair.getPrivateKey(), publicKey, auth })
      const pushes = (): ReceivedPush[] => {
        if (faults.length > 0) throw new Error(faults.join('; '))
        return received.filter((push) => push.device === path)
      }
      const subscription = {
        endpoint: `http://localhost:${server.port}${path}`,
        p256dh: publicKey.toString('base64url'),
        auth: auth.toString('base64url'),
      }
      return { subscription, pushes, payloads: () => pushes().map(({ payload }) => payload) }
    },
    attempts: () => server.received.length,
    answer(next) {
      how = next
    },
    close: async () => server.close(),
  }
}

function openPush(request: ReceivedRequest, device: DeviceSecrets): ReceivedPush {
  const { path, headers, bytes, method } = request
  if (method !== 'POST' || headers['content-encoding'] !== 'aes128gcm') throw new Error('this is not a push')
  if (!/^\d+$/.test(String(headers['ttl']))) throw new Error('the TTL header is missing')
  if (bytes.length > 4_096) throw new Error('the body is too long')
  const { claims, serverKey } = signedBy(headers)
  const payload = parseObject(decryptBody(bytes, device).toString())
  return { device: path, payload, headers, bytes: bytes.length, claims, serverKey }
}

/** Checks a signature by RFC 8292. */
function signedBy(headers: ReceivedRequest['headers']): { claims: Body; serverKey: string } {
  const [, token = '', serverKey = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  const [header = '', claimed = '', signature = ''] = token.split('.')
  const point = Buffer.from(serverKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claimed}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('the push is not signed')
  const claims = parseObject(Buffer.from(claimed, 'base64url').toString())
  const seconds = Number(claims['exp']) - Date.now() / 1000
  if (seconds <= 0 || seconds > 86_400) throw new Error('the signature has expired or is not valid yet')
  if (claims['aud'] !== `http://${headers.host}`) throw new Error('the signature is for another push service')
  return { claims, serverKey }
}

/** Decrypts by RFC 8291. */
function decryptBody(body: Buffer, { privateKey, publicKey, auth }: DeviceSecrets): Buffer {
  const salt = body.subarray(0, 16)
  const idLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + idLength)
  const record = body.subarray(21 + idLength)
  const own = createECDH('prime256v1')
  own.setPrivateKey(privateKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
  const input = Buffer.from(hkdfSync('sha256', own.computeSecret(sender), auth, info, 32))
  const key = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end === -1) throw new Error('the record does not end')
  return padded.subarray(0, end)
}
