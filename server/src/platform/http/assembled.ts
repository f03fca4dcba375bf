import { pausing } from '../../kernel/pauses.ts'
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
  const own = await ownBytes([envelope, ...fields], wire)
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

/** Of the parts of an answer, what is serialized at once; others go on before the next. */
const SLICE_CHARACTERS = 256 * 1024

/** The beginning of a JSON object with the fields of all, which begins like one and does not end. */
async function ownBytes(
  fields: readonly Readonly<Record<string, unknown>>[],
  wire: (json: string) => string,
): Promise<Buffer> {
  const pause = pausing()
  const pieces: Buffer[] = []
  let before = '{'
  let text = ''
  for (const object of fields) {
    const members = JSON.stringify(object).slice(1, -1)
    if (members === '') continue
    text += before + members
    before = ','
    if (text.length < SLICE_CHARACTERS) continue
    pieces.push(Buffer.from(wire(text)))
    text = ''
    await pause()
  }
  return Buffer.concat([...pieces, Buffer.from(wire(text))])
}
