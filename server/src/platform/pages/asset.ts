import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesGzip } from '../answers/gzip.ts'

const compress = promisify(gzip)

interface Prepared {
  readonly plain: Buffer
  readonly compressed: Buffer
  readonly etag: string
}

/**
 * Serves what is the same for everybody as long as the server runs: made at the first request, then kept, and sent
 * again only to those who do not have it.
 */
export function asset(
  type: string,
  make: () => string | Promise<string>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const prepare = async (): Promise<Prepared> => {
    const plain = Buffer.from(await make())
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    return { plain, compressed: await compress(plain), etag }
  }
  let preparing: Promise<Prepared> | undefined
  return async (request, reply) => {
    preparing ??= prepare().catch((error: unknown) => {
      preparing = undefined
      throw error
    })
    const { plain, compressed, etag } = await preparing
    void reply.headers({ 'content-type': type, 'cache-control': 'no-cache', etag, vary: 'accept-encoding' })
    if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send()
    if (!takesGzip(request.headers['accept-encoding'])) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(compressed)
  }
}
