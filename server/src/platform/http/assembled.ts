import { gzipParts, takesGzip, type Part } from '../answers/gzip.ts'
import type { Assembled } from '../answers/serialized.ts'
import type { Exchange } from './exchange.ts'

/**
 * Sends an answer of which some fields are serialized already, compressed for those who take it so.
 * @param envelope what the answer begins with, before its own fields
 * @param wire puts JSON text into the words that clients expect
 */
export async function sendAssembled(
  exchange: Exchange,
  envelope: Readonly<Record<string, unknown>>,
  { fields, serialized, isCompressed }: Assembled,
  wire: (json: string) => string,
): Promise<void> {
  const texts = [envelope, ...fields].map((object) => JSON.stringify(object).slice(1, -1)).filter((text) => text !== '')
  const own = Buffer.from(wire(`{${texts.join(',')}`))
  const once = serialized.filter((one) => !one.isKept).flatMap((one) => [COMMA, one.bytes(wire)])
  const kept: Part[] = [
    ...serialized
      .filter((one) => one.isKept)
      .flatMap((one) => [
        { bytes: COMMA, isKept: true },
        { bytes: one.bytes(wire), isKept: true },
      ]),
    { bytes: END, isKept: true },
  ]
  if (isCompressed) exchange.set({ vary: 'accept-encoding' })
  if (!isCompressed || !takesGzip(exchange.request.headers['accept-encoding'])) {
    exchange.json(200, Buffer.concat([own, ...once, ...kept.map(({ bytes }) => bytes)]))
    return
  }
  // Each part costs a compressor: what only this answer has is one.
  const bytes = await gzipParts([{ bytes: Buffer.concat([own, ...once]), isKept: false }, ...kept])
  exchange.set({ 'content-encoding': 'gzip' })
  exchange.json(200, bytes)
}

const COMMA = Buffer.from(',')
const END = Buffer.from('}')
