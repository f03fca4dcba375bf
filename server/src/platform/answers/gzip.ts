import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

/** A part of a compressed answer: bytes, or such as are sent many times and so are compressed only once. */
export interface Part {
  readonly bytes: Buffer
  readonly isKept: boolean
}

const compressed = new WeakMap<Buffer, Promise<Buffer>>()

/** The magic number, deflate, no flags, no time, an unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** A last block, with nothing in it. */
const END = Buffer.from([0x03, 0x00])

/**
 * All parts as one gzip member: each is compressed apart, up to a byte's border and without saying that it is the last,
 * so that they can be put one behind another.
 */
export async function gzipParts(parts: readonly Part[]): Promise<Buffer> {
  const blocks = await Promise.all(
    parts.map(async ({ bytes, isKept }) => (isKept ? compressedOnce(bytes) : compress(bytes, constants.Z_BEST_SPEED))),
  )
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksumOf(parts), 0)
  trailer.writeUInt32LE(parts.reduce((sum, { bytes }) => sum + bytes.length, 0) % 2 ** 32, 4)
  return Buffer.concat([HEADER, ...blocks, END, trailer])
}

/** Is made anew for each answer: 5 MB take a millisecond. */
function checksumOf(parts: readonly Part[]): number {
  // With no bytes the library forgets the checksum of those before.
  return parts.filter(({ bytes }) => bytes.length > 0).reduce((checksum, { bytes }) => crc32(bytes, checksum), 0)
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

async function compress(bytes: Buffer, level: number): Promise<Buffer> {
  return deflate(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH })
}

/** Whether a request's `accept-encoding` allows gzip. */
export function takesGzip(accepted = ''): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)
}
