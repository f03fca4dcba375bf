import { createYielder } from '../../kernel/pauses.ts'
import type { Part } from '../answers/gzip.ts'
import type { ComposedResponse } from '../answers/composed.ts'
import type { Exchange } from './exchange.ts'
import { renameForApi, type ApiNames } from './names.ts'

export async function sendComposed(
  exchange: Exchange,
  envelope: Readonly<Record<string, unknown>>,
  { fields, serialized }: ComposedResponse,
): Promise<void> {
  const { names } = exchange
  const pause = createYielder(exchange.asker)
  const own = await ownPieces([envelope, ...fields], names, pause)
  const once: Buffer[] = []
  const kept: Part[] = []
  for (const one of serialized) {
    const made: Buffer[] = [COMMA]
    for (const piece of one.bytes(names)) {
      await pause()
      made.push(piece)
    }
    if (one.isKept) kept.push(...made.map((bytes) => ({ bytes, isKept: true })))
    else once.push(...made)
  }
  // Each part costs a compressor, so the parts unique to this response are joined when they are small.
  const last = own.pop() ?? Buffer.alloc(0)
  const parts = [...own, Buffer.concat([last, ...once])].map((bytes) => ({ bytes, isKept: false }))
  await exchange.jsonParts(200, [...parts, ...kept, { bytes: END, isKept: true }])
}

const COMMA = Buffer.from(',')
const END = Buffer.from('}')

const SLICE_CHARACTERS = 256 * 1024

async function ownPieces(
  fields: readonly Readonly<Record<string, unknown>>[],
  names: ApiNames,
  pause: () => Promise<void> | undefined,
): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  let before = '{'
  let text = ''
  for (const object of fields) {
    const members = JSON.stringify(object).slice(1, -1)
    if (members === '') continue
    text += before + members
    before = ','
    if (text.length < SLICE_CHARACTERS) continue
    pieces.push(Buffer.from(renameForApi(names, text)))
    text = ''
    await pause()
  }
  return [...pieces, Buffer.from(renameForApi(names, text))]
}
