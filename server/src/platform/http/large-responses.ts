import { Readable } from 'node:stream'
import { createYielder, waitForTurn, type Yielder } from '../../kernel/pauses.ts'
import { gzipSlices, type ResponsePart } from '../answers/gzip.ts'
import type { Exchange } from './exchange.ts'
import { API_HEADERS, GZIP_HEADERS, VARY_HEADERS } from './headers.ts'
import { renameForApi, type ApiNames } from './names.ts'
import type { ComposedResponse } from '../answers/composed.ts'

/** Serializing more characters than this takes a millisecond or more. */
const MIN_HEAVY_CHARACTERS = 128 * 1024
/** Approximate length of a number, name, or brace. */
const CHARACTERS_PER_TOKEN = 8
const CHARACTERS_PER_SLICE = 256 * 1024

type Fields = Readonly<Record<string, unknown>>

/** Serializes at the client's pace, so that the whole text is never in memory. */
export async function sendSliced(exchange: Exchange, answer: object): Promise<void> {
  // Takes turns, because many long responses can start at once.
  await waitForTurn(exchange.asker)
  const slices = encodeInSlices({ ...answer }, exchange.names, createYielder(exchange.asker))
  const [sent, encoding] = exchange.acceptsGzip ? [gzipSlices(slices, exchange.asker), GZIP_HEADERS] : [slices, {}]
  const headers = { ...API_HEADERS, ...VARY_HEADERS, ...encoding }
  await exchange.stream(200, headers, Readable.from(sent, { objectMode: false }))
}

async function* encodeInSlices(answer: Fields, names: ApiNames, pause: Yielder): AsyncGenerator<Buffer> {
  let text = ''
  for (const piece of objectPieces(answer)) {
    text += piece
    if (text.length < CHARACTERS_PER_SLICE) continue
    yield Buffer.from(renameForApi(names, text))
    text = ''
    await pause()
  }
  yield Buffer.from(renameForApi(names, text))
}

function* objectPieces(answer: Fields): Generator<string> {
  let isEmpty = true
  for (const piece of fieldPieces([answer])) {
    isEmpty = false
    yield piece
  }
  yield isEmpty ? '{}' : '}'
}

/** Serializes the objects' fields as one object without its last brace. Each name follows its brace or comma. */
function* fieldPieces(objects: readonly Fields[]): Generator<string> {
  let before = '{'
  for (const object of objects) {
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue
      yield* valuePieces(`${before}${JSON.stringify(name)}:`, value)
      before = ','
    }
  }
}

function* valuePieces(before: string, value: unknown): Generator<string> {
  if (!isHeavyValue(value)) yield before + (JSON.stringify(value) ?? 'null')
  else if (Array.isArray(value)) {
    let separator = `${before}[`
    for (const item of value) {
      yield* valuePieces(separator, item)
      separator = ','
    }
    yield ']'
  } else {
    yield before
    yield* objectPieces({ ...value })
  }
}

/** Whether serializing a list or object takes long. */
export function isHeavyValue(value: unknown): value is object {
  return typeof value === 'object' && value !== null && remainingCharacters(value, MIN_HEAVY_CHARACTERS) < 0
}

/** Returns `most` minus the value's characters. Stops counting once the result is negative. */
function remainingCharacters(value: unknown, most: number): number {
  if (typeof value === 'string') return most - value.length
  let left = most - CHARACTERS_PER_TOKEN
  if (typeof value !== 'object' || value === null) return left
  if (Array.isArray(value)) {
    for (const item of value) if ((left = remainingCharacters(item, left)) < 0) return left
    return left
  }
  for (const member of Object.values(value)) {
    if ((left = remainingCharacters(member, left - CHARACTERS_PER_TOKEN)) < 0) return left
  }
  return left
}

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
    if (text.length < CHARACTERS_PER_SLICE) continue
    pieces.push(Buffer.from(renameForApi(names, text)))
    text = ''
    await pause()
  }
  return [...pieces, Buffer.from(renameForApi(names, text))]
}
