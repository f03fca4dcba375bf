import type { FastifyReply, FastifyRequest } from 'fastify'
import { gzipParts, takesGzip, type Part } from '../answers/gzip.ts'
import type { Assembled } from '../answers/serialized.ts'

/**
 * Sends an answer of which some fields are serialized already, compressed for those who take it so.
 * @param envelope what the answer begins with, before its own fields
 * @param wire puts JSON text into the words that clients expect
 */
export async function sendAssembled(
  request: FastifyRequest,
  reply: FastifyReply,
  envelope: Readonly<Record<string, unknown>>,
  { fields, serialized }: Assembled,
  wire: (json: string) => string,
): Promise<FastifyReply> {
  const own = wire(JSON.stringify({ ...envelope, ...fields }))
  const parts: Part[] = [
    { bytes: Buffer.from(own.slice(0, -1)), isKept: false },
    ...serialized.flatMap((one) => [
      { bytes: COMMA, isKept: true },
      { bytes: one.bytes(wire), isKept: one.isKept },
    ]),
    { bytes: END, isKept: true },
  ]
  void reply.header('vary', 'accept-encoding')
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(Buffer.concat(parts.map(({ bytes }) => bytes)))
  return reply.header('content-encoding', 'gzip').send(await gzipParts(parts))
}

const COMMA = Buffer.from(',')
const END = Buffer.from('}')
