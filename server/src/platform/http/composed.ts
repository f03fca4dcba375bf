import { createYielder, type Yielder } from '../../kernel/pauses.ts'
import type { ResponsePart } from '../answers/gzip.ts'
import type { ComposedResponse } from '../answers/composed.ts'
import type { Exchange } from './exchange.ts'
import { renameForApi, type ApiNames } from './names.ts'
import { fieldPieces, SLICE_CHARACTERS } from './sliced.ts'

export class ComposedParts {
  readonly parts: readonly ResponsePart[]

  constructor(parts: readonly ResponsePart[]) {
    this.parts = parts
  }
}

export async function composeParts(
  { names, asker }: Exchange,
  envelope: Readonly<Record<string, unknown>>,
  { fields, serialized }: ComposedResponse,
): Promise<ComposedParts> {
  const pause = createYielder(asker)
  const own = await serializeOwnFields([envelope, ...fields], names, pause)
  const once: Buffer[] = []
  const kept: ResponsePart[] = []
  for (const one of serialized) {
    const made: Buffer[] = [COMMA]
    for (const piece of one.bytes(names)) {
      await pause()
      made.push(piece)
    }
    if (one.isKept) kept.push(...made.map((bytes) => ({ bytes, isKept: true })))
    else once.push(...made)
  }
  // Joins small parts that are unique to this response, because each part needs its own compressor.
  const last = own.pop() ?? Buffer.alloc(0)
  const parts = [...own, Buffer.concat([last, ...once])].map((bytes) => ({ bytes, isKept: false }))
  return new ComposedParts([...parts, ...kept, { bytes: CLOSING_BRACE, isKept: true }])
}

const COMMA = Buffer.from(',')
const CLOSING_BRACE = Buffer.from('}')

async function serializeOwnFields(
  fields: readonly Readonly<Record<string, unknown>>[],
  names: ApiNames,
  pause: Yielder,
): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  let text = ''
  for (const piece of fieldPieces(fields)) {
    text += piece
    if (text.length < SLICE_CHARACTERS) continue
    pieces.push(Buffer.from(renameForApi(names, text)))
    text = ''
    await pause()
  }
  return [...pieces, Buffer.from(renameForApi(names, text))]
}
