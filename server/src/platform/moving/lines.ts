import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { isLargeOrDeepJson } from '../../kernel/excessive-json.ts'
import { isRecord } from '../../kernel/keys.ts'
import type { ArchiveRecord } from './carried.ts'
import { DamagedArchive } from '../backup/reporting.ts'
import { chunksOf } from '../chunks.ts'

/** Exceeds any message with its edit history. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const NEWLINE = 0x0a

export interface Line {
  /** Undefined if the line is too long or not UTF-8. */
  readonly text: string | undefined
  readonly end: number
  readonly isEnded: boolean
}

/** Opens a file of an archive. Archives are untrusted, so it must be a regular file, not a link. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch((error: unknown) => {
    throw new DamagedArchive(`${path} cannot be read.`, { cause: error })
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new DamagedArchive(`${path} is not a file.`)
}

export async function* readLines(path: string, from = 0, most = MAX_LINE_BYTES): AsyncGenerator<Line> {
  const file = await openRegularFile(path)
  try {
    const stream = file.createReadStream({ start: from, highWaterMark: CHUNK_BYTES, autoClose: false })
    yield* linesIn(chunksOf(stream), from, most)
  } finally {
    await file.close()
  }
}

/** Holds at most one line in memory, and omits oversized text. `from` is the number of bytes already read. */
export async function* linesIn(
  chunks: AsyncIterable<Buffer>,
  from = 0,
  most = MAX_LINE_BYTES,
  decode = decodeText,
): AsyncGenerator<Line> {
  let pieces: Buffer[] = []
  let length = 0
  let end = from
  for await (const chunk of chunks) {
    let begin = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, begin)) {
      length += at - begin
      if (length <= most) pieces.push(chunk.subarray(begin, at))
      end += length + 1
      yield { text: length <= most ? decode(Buffer.concat(pieces)) : undefined, end, isEnded: true }
      begin = at + 1
      pieces = []
      length = 0
    }
    length += chunk.length - begin
    if (length <= most) pieces.push(chunk.subarray(begin))
    else pieces = []
  }
  if (length > 0) {
    const text = length <= most ? decode(Buffer.concat(pieces)) : undefined
    yield { text, end: end + length, isEnded: false }
  }
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true })

function decodeText(bytes: Buffer): string | undefined {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return undefined
  }
}

export function parseRecord(text: string | undefined): ArchiveRecord | undefined {
  if (text === undefined) return undefined
  try {
    const value = parseUntrustedJson(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Deeper values would exhaust the stack when serialized. */
const MAX_JSON_DEPTH = 64
/** Number of values allowed in JSON of any length. Longer JSON can have more values. */
const ALWAYS_ALLOWED_VALUES = 100_000
/** Allows one further value per this many characters of JSON: a value takes far more memory than its text. */
const MIN_CHARACTERS_PER_VALUE = 20
export const TOO_MANY_VALUES = 'it has far more values, or nests them more deeply, than any export'

export function hasTooManyValues(values: number, length: number): boolean {
  return values > ALWAYS_ALLOWED_VALUES + length / MIN_CHARACTERS_PER_VALUE
}

/** @throws SyntaxError for invalid JSON; RangeError for excessive nesting or memory use */
export function parseUntrustedJson(text: string): unknown {
  const containers = ALWAYS_ALLOWED_VALUES + text.length / MIN_CHARACTERS_PER_VALUE
  if (isLargeOrDeepJson(text, MAX_JSON_DEPTH, { members: Infinity, containers })) throw new RangeError(TOO_MANY_VALUES)
  return JSON.parse(text)
}
