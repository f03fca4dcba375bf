import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { takesGzip } from '../answers/gzip.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Headers } from '../http/headers.ts'

const compress = promisify(gzip)

interface PreparedAsset {
  readonly plain: Buffer
  readonly compressed: Buffer
  readonly etag: string
}

/**
 * Serves content that is created on first request, never changes while the server runs, and is sent only to clients
 * without a current copy.
 */
export function asset(
  headers: Headers,
  make: () => string | Buffer | Promise<string | Buffer>,
): (exchange: Exchange) => Promise<void> {
  const prepare = async (): Promise<PreparedAsset> => {
    const made = await make()
    const plain = typeof made === 'string' ? Buffer.from(made) : made
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    return { plain, compressed: await compress(plain), etag }
  }
  let preparing: Promise<PreparedAsset> | undefined
  return async (exchange) => {
    preparing ??= prepare().catch((error: unknown) => {
      preparing = undefined
      throw error
    })
    const { plain, compressed, etag } = await preparing
    const asked = exchange.request.headers
    const all = { ...headers, 'cache-control': 'no-cache', etag, vary: 'accept-encoding' }
    if (asked['if-none-match']?.includes(etag) === true) return exchange.send(304, all)
    const isPicture = headers['content-type'] === 'image/png'
    if (isPicture || !takesGzip(asked['accept-encoding'])) return exchange.send(200, all, plain)
    return exchange.send(200, { ...all, 'content-encoding': 'gzip' }, compressed)
  }
}
