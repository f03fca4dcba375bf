import { Readable } from 'node:stream'
import { createYielder, ownTurn } from '../../kernel/pauses.ts'
import { gzipSlices } from '../answers/gzip.ts'
import type { Exchange } from './exchange.ts'
import { API_HEADERS, GZIP, VARY } from './headers.ts'
import { renameForApi, type ApiNames } from './names.ts'

/** Longer lists are serialized in slices, because each element can be long. */
const MANY_MEMBERS = 100
const SLICE_CHARACTERS = 256 * 1024

type Fields = Readonly<Record<string, unknown>>

export function isLong(answer: object): boolean {
  return Object.values(answer).some(hasManyMembers)
}

/** Serializes at the client's pace, so that the whole text is never in memory. */
export async function sendSliced(exchange: Exchange, answer: object): Promise<void> {
  // Many long answers can begin at once.
  await ownTurn(exchange.asker)
  const slices = slicesOf({ ...answer }, exchange.names, createYielder(exchange.asker))
  const [sent, encoding] = exchange.takesGzip ? [gzipSlices(slices, exchange.asker), GZIP] : [slices, {}]
  const headers = { ...API_HEADERS, ...VARY, ...encoding }
  await exchange.stream(200, headers, Readable.from(sent, { objectMode: false }))
}

async function* slicesOf(
  answer: Fields,
  names: ApiNames,
  pause: ReturnType<typeof createYielder>,
): AsyncGenerator<Buffer> {
  let text = ''
  for (const piece of piecesOf(answer)) {
    text += piece
    if (text.length < SLICE_CHARACTERS) continue
    yield Buffer.from(renameForApi(names, text))
    text = ''
    await pause()
  }
  yield Buffer.from(renameForApi(names, text))
}

/** Yields each name with the preceding character, which identifies it as a name. */
function* piecesOf(answer: Fields): Generator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(answer)) {
    if (value === undefined) continue
    const named = `${before}${JSON.stringify(name)}:`
    before = ','
    if (!hasManyMembers(value)) yield named + JSON.stringify(value)
    else yield* Array.isArray(value) ? piecesOfList(named, value) : piecesOfMembers(named, value)
  }
  yield before === '{' ? '{}' : '}'
}

function* piecesOfList(named: string, list: readonly unknown[]): Generator<string> {
  let before = `${named}[`
  for (const item of list) {
    yield before + (JSON.stringify(item) ?? 'null')
    before = ','
  }
  yield ']'
}

function* piecesOfMembers(named: string, members: object): Generator<string> {
  let before = `${named}{`
  for (const [name, value] of Object.entries(members)) {
    // Undefined for values without a JSON form, which the library's type omits.
    const text: string | undefined = JSON.stringify(value)
    if (text === undefined) continue
    yield `${before}${JSON.stringify(name)}:${text}`
    before = ','
  }
  yield before === ',' ? '}' : `${before}}`
}

function hasManyMembers(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.length > MANY_MEMBERS
  let members = 0
  for (const name in value) if (Object.hasOwn(value, name)) members += 1
  return members > MANY_MEMBERS
}
