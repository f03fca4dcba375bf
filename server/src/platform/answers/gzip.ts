import { randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { takingTurns } from '../turns.ts'

const deflate = promisify(deflateRaw)

/** A part of a compressed answer: bytes, or such as are sent many times and so are compressed only once. */
export interface Part {
  readonly bytes: Buffer
  readonly isKept: boolean
}

/** One of the four threads that read files and resolve names, too: passwords take two of them. */
const MAX_AT_ONCE = 1
/** Slices that wait for this thread; more are sent as they are, which delays nobody. */
const MAX_WAITING = 64
/** Bytes of which the thread is done in a few milliseconds. */
const MAX_SLICE = 256 * 1024

const inTurn = takingTurns(MAX_AT_ONCE, MAX_WAITING, () => {
  throw new Error('too much waits to be compressed')
})

const compressed = new WeakMap<Buffer, Promise<Buffer>>()

/** The magic number, deflate, a name, no time, an unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 0xff])
/** The length of the name, which no client reads, is random: the size of an answer does not tell exactly how well it compresses. */
const MAX_NAME = 128
/** A last block, with nothing in it. */
const END = Buffer.from([0x03, 0x00])
const NOTHING = Buffer.alloc(0)

/**
 * All parts as one gzip member: each is compressed apart, up to a byte's border and without saying that it is the last,
 * so that they can be put one behind another.
 * @param who whose turn it is: the large answers of one person do not hold up those of others
 */
export async function gzipParts(parts: readonly Part[], who: string): Promise<Buffer> {
  const blocks = await Promise.all(
    parts.map(async ({ bytes, isKept }) => (isKept ? compressedOnce(bytes) : compressedInTurns(bytes, who))),
  )
  // With no bytes the library forgets the checksum of those before.
  const checksum = parts.filter(({ bytes }) => bytes.length > 0).reduce((sum, { bytes }) => crc32(bytes, sum), 0)
  const length = parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return Buffer.concat([header(), ...blocks, END, trailer(checksum, length)])
}

/** Slices of an answer as one gzip member, each as soon as it is compressed. */
export async function* gzipSlices(slices: AsyncIterable<Buffer>, who: string): AsyncGenerator<Buffer> {
  // It leaves with the first slice: one that cannot be made is then still answered as a failure.
  let before = header()
  let checksum = 0
  let length = 0
  for await (const slice of slices) {
    if (slice.length === 0) continue
    checksum = crc32(slice, checksum)
    length += slice.length
    yield Buffer.concat([before, await compressedInTurns(slice, who)])
    before = NOTHING
  }
  yield Buffer.concat([before, END, trailer(checksum, length)])
}

function header(): Buffer {
  const name = Buffer.alloc(randomInt(MAX_NAME) + 1, '-')
  name[name.length - 1] = 0
  return Buffer.concat([HEADER, name])
}

function trailer(checksum: number, length: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(checksum, 0)
  bytes.writeUInt32LE(length % 2 ** 32, 4)
  return bytes
}

async function compressedOnce(bytes: Buffer): Promise<Buffer> {
  let known = compressed.get(bytes)
  if (known === undefined) {
    known = compress(bytes, constants.Z_DEFAULT_COMPRESSION)
    compressed.set(bytes, known)
    known.catch(() => compressed.delete(bytes))
  }
  return known
}

/** One slice after the other, so that an answer never waits with more than one. */
async function compressedInTurns(bytes: Buffer, who: string): Promise<Buffer> {
  const blocks: Buffer[] = []
  for (let start = 0; start < bytes.length; start += MAX_SLICE) {
    const slice = bytes.subarray(start, start + MAX_SLICE)
    blocks.push(await inTurn(async () => compress(slice, constants.Z_BEST_SPEED), who).catch(() => stored(slice)))
  }
  return Buffer.concat(blocks)
}

async function compress(bytes: Buffer, level: number): Promise<Buffer> {
  // Each piece of the output takes a turn of the event loop, so there is one.
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, bytes.length)
  return deflate(bytes, { level, chunkSize, finishFlush: constants.Z_SYNC_FLUSH })
}

/** The most that a stored block can hold. */
const MAX_STORED = 0xffff

/** Blocks that hold bytes as they are. */
function stored(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let start = 0; start < bytes.length; start += MAX_STORED) {
    const piece = bytes.subarray(start, start + MAX_STORED)
    const lengths = Buffer.alloc(5)
    lengths.writeUInt16LE(piece.length, 1)
    lengths.writeUInt16LE(MAX_STORED - piece.length, 3)
    pieces.push(lengths, piece)
  }
  return Buffer.concat(pieces)
}

/** Whether a request's `accept-encoding` allows gzip. */
export function takesGzip(accepted = ''): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)
}
