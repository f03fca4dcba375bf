import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

/** A part of a compressed answer: bytes, or such as are sent many times and so are compressed only once. */
export interface Part {
  readonly bytes: Buffer
  readonly isKept: boolean
}

/** A part, compressed. */
interface Block {
  readonly bytes: Buffer
  /** Of the part. */
  readonly length: number
  readonly checksum: number
  /** By what the checksum of all before is multiplied. */
  readonly shift: number
}

const compressed = new WeakMap<Buffer, Promise<Block>>()

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
  const checksum = blocks.reduce((sum, block) => product(sum, block.shift) ^ block.checksum, 0)
  trailer.writeUInt32LE(checksum >>> 0, 0)
  trailer.writeUInt32LE(blocks.reduce((sum, { length }) => sum + length, 0) % 2 ** 32, 4)
  return Buffer.concat([HEADER, ...blocks.map(({ bytes }) => bytes), END, trailer])
}

async function compressedOnce(bytes: Buffer): Promise<Block> {
  let known = compressed.get(bytes)
  if (known === undefined) {
    known = compress(bytes, constants.Z_DEFAULT_COMPRESSION)
    compressed.set(bytes, known)
    known.catch(() => compressed.delete(bytes))
  }
  return known
}

async function compress(bytes: Buffer, level: number): Promise<Block> {
  const { length } = bytes
  const checksum = length === 0 ? 0 : crc32(bytes)
  const options = { level, finishFlush: constants.Z_SYNC_FLUSH }
  return { bytes: await deflate(bytes, options), length, checksum, shift: powerOf(length) }
}

/*
 * The checksum of bytes is a polynomial, what is left of them when they are divided by another. So the checksum of parts
 * follows from theirs: the first's, multiplied by as many powers of x as the second has bits, and the second's.
 */

/** What everything is divided by, as all polynomials here with the lowest power in the highest bit. */
const DIVISOR = 0xedb88320
const ONE = 0x80000000
const BYTE = ONE >>> 8

/** What is left of the product of two polynomials. */
function product(one: number, other: number): number {
  let [sum, multiple] = [0, one]
  for (let power = ONE; power !== 0; power >>>= 1) {
    if ((other & power) !== 0) sum ^= multiple
    multiple = (multiple & 1) === 0 ? multiple >>> 1 : (multiple >>> 1) ^ DIVISOR
  }
  return sum
}

/** What is left of x to the power of so many bytes' bits. */
function powerOf(bytes: number): number {
  let [power, square] = [ONE, BYTE]
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = product(power, square)
    square = product(square, square)
  }
  return power
}

/** Whether a request's `accept-encoding` allows gzip. */
export function takesGzip(accepted = ''): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)
}
