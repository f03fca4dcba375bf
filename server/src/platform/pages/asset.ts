import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsGzip } from '../answers/gzip.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Headers } from '../http/headers.ts'

const compress = promisify(gzip)

/** Content that is compressed once, for all clients that accept it compressed. */
export interface PreparedAsset {
  readonly plain: Buffer
  readonly compressed: () => Promise<Buffer>
  readonly etag: string
}

export function prepareAsset(content: string | Buffer): PreparedAsset {
  const plain = typeof content === 'string' ? Buffer.from(content) : content
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  let compressing: Promise<Buffer> | undefined
  const compressed = async (): Promise<Buffer> => {
    compressing ??= compress(plain).catch((error: unknown) => {
      // The next request tries again.
      compressing = undefined
      throw error
    })
    return compressing
  }
  return { plain, compressed, etag }
}

/** Sends content to clients without a current copy. */
export async function sendPrepared(
  exchange: Exchange,
  headers: Headers,
  { plain, compressed, etag }: PreparedAsset,
): Promise<void> {
  const asked = exchange.request.headers
  const all = { ...headers, etag, vary: 'accept-encoding' }
  if (asked['if-none-match']?.includes(etag) === true) return exchange.send(304, all)
  const isPicture = headers['content-type'] === 'image/png'
  if (isPicture || !acceptsGzip(asked['accept-encoding'])) return exchange.send(200, all, plain)
  return exchange.send(200, { ...all, 'content-encoding': 'gzip' }, await compressed())
}
