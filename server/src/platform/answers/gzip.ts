import { randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { createFairQueue } from '../turns.ts'

const deflate = promisify(deflateRaw)

/** Part of a compressed response; `isKept` parts are compressed only once. */
export interface ResponsePart {
  readonly bytes: Buffer
  readonly isKept: boolean
}

/** One of Node's four pool threads, which also read files and resolve names; password hashing can use two. */
const MAX_CONCURRENT_COMPRESSIONS = 1
/** Limit per account on slices waiting for compression. Further slices are sent uncompressed. */
const MAX_WAITING_SLICES = 64
/** Slices of this size take a few milliseconds to compress. */
const MAX_SLICE_BYTES = 256 * 1024

const compressInTurn = createFairQueue(MAX_CONCURRENT_COMPRESSIONS, MAX_WAITING_SLICES, () => {
  throw new Error('too much data is waiting to be compressed')
})

const compressedByBytes = new WeakMap<Buffer, Promise<Buffer>>()

/** Gzip header: magic number, deflate, file name flag, no time, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 0xff])
/** A file name of random length up to this hides how well the response compresses. */
const MAX_NAME_LENGTH = 128
const DEFLATE_END = Buffer.from([0x03, 0x00])
const EMPTY_BUFFER = Buffer.alloc(0)

/** Compresses each part separately, without a final block, and joins them. Accounts (`who`) take turns. */
export async function gzipParts(parts: readonly ResponsePart[], who: string): Promise<Buffer> {
  const blocks = await Promise.all(
    parts.map(async ({ bytes, isKept }) => (isKept ? compressWithCache(bytes) : compressFairly(bytes, who))),
  )
  // Skips empty buffers, for which `crc32` would reset the checksum.
  const checksum = parts.filter(({ bytes }) => bytes.length > 0).reduce((sum, { bytes }) => crc32(bytes, sum), 0)
  const length = parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return Buffer.concat([createHeader(), ...blocks, DEFLATE_END, createTrailer(checksum, length)])
}

export async function* gzipSlices(slices: AsyncIterable<Buffer>, who: string): AsyncGenerator<Buffer> {
  let before = createHeader()
  let checksum = 0
  let length = 0
  for await (const slice of slices) {
    if (slice.length === 0) continue
    checksum = crc32(slice, checksum)
    length += slice.length
    yield Buffer.concat([before, await compressFairly(slice, who)])
    before = EMPTY_BUFFER
  }
  yield Buffer.concat([before, DEFLATE_END, createTrailer(checksum, length)])
}

function createHeader(): Buffer {
  const name = Buffer.alloc(randomInt(MAX_NAME_LENGTH) + 1, '-')
  name[name.length - 1] = 0
  return Buffer.concat([GZIP_HEADER, name])
}

function createTrailer(checksum: number, length: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(checksum, 0)
  bytes.writeUInt32LE(length % 2 ** 32, 4)
  return bytes
}

async function compressWithCache(bytes: Buffer): Promise<Buffer> {
  let known = compressedByBytes.get(bytes)
  if (known === undefined) {
    known = compress(bytes, constants.Z_DEFAULT_COMPRESSION)
    compressedByBytes.set(bytes, known)
    known.catch(() => compressedByBytes.delete(bytes))
  }
  return known
}

/** Compresses one slice at a time, so that a response never has more than one slice waiting. */
async function compressFairly(bytes: Buffer, who: string): Promise<Buffer> {
  const blocks: Buffer[] = []
  for (let start = 0; start < bytes.length; start += MAX_SLICE_BYTES) {
    const slice = bytes.subarray(start, start + MAX_SLICE_BYTES)
    blocks.push(
      await compressInTurn(async () => compress(slice, constants.Z_BEST_SPEED), who).catch(() =>
        storeUncompressed(slice),
      ),
    )
  }
  return Buffer.concat(blocks)
}

async function compress(bytes: Buffer, level: number): Promise<Buffer> {
  // Fits all output into one chunk, because each chunk would cost a turn of the event loop.
  const chunkSize = Math.max(constants.Z_MIN_CHUNK, bytes.length)
  return deflate(bytes, { level, chunkSize, finishFlush: constants.Z_SYNC_FLUSH })
}

const MAX_STORED_BLOCK_BYTES = 0xffff

function storeUncompressed(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let start = 0; start < bytes.length; start += MAX_STORED_BLOCK_BYTES) {
    const piece = bytes.subarray(start, start + MAX_STORED_BLOCK_BYTES)
    const lengths = Buffer.alloc(5)
    lengths.writeUInt16LE(piece.length, 1)
    lengths.writeUInt16LE(MAX_STORED_BLOCK_BYTES - piece.length, 3)
    pieces.push(lengths, piece)
  }
  return Buffer.concat(pieces)
}

export function acceptsGzip(accepted: string | undefined): boolean {
  return preferredCoding(accepted, ['gzip']) === 'gzip'
}

/** Returns the coding that a client prefers (RFC 9110, 12.5.3), if any. `offered` is in our order of preference. */
export function preferredCoding<Coding extends string>(
  accepted: string | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  const weights = new Map((accepted ?? '').toLowerCase().split(',').map(parseCoding))
  weights.delete('')
  if (weights.size === 0) return undefined
  const others = weights.get('*')
  const identity = weights.get('identity') ?? others
  const weightOf = (coding: string): number => weights.get(coding) ?? others ?? 0
  const [best] = offered.toSorted((one, other) => weightOf(other) - weightOf(one))
  if (best !== undefined && weightOf(best) > 0) return weightOf(best) >= (identity ?? 0) ? best : undefined
  // The client refuses uncompressed responses, so choose a coding that it does not refuse.
  return identity === 0 ? offered.find((coding) => !weights.has(coding) && others === undefined) : undefined
}

function parseCoding(item: string): readonly [coding: string, weight: number] {
  const [coding = '', ...parameters] = item.split(';').map((part) => part.trim())
  const pairs = parameters.map((parameter) => parameter.split('=').map((part) => part.trim()))
  const [, weight = '1'] = pairs.find(([name]) => name === 'q') ?? []
  return [coding === 'x-gzip' ? 'gzip' : coding, Math.min(1, Math.max(0, Number(weight) || 0))]
}
