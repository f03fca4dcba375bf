import { crc32, deflateSync } from 'node:zlib'

export type Colour = readonly [red: number, green: number, blue: number]

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const BITS_PER_BYTE = 8
/** One bit per pixel, indexed color, and the only defined methods. */
const FORM = [1, 3, 0, 0, 0]

/** @param rows whether each pixel has the second color; repeated arrays are compressed once */
export function twoColouredPng(colours: readonly [Colour, Colour], rows: readonly (readonly boolean[])[]): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(rows.length, 0)
  header.writeUInt32BE(rows.length, 4)
  const packed = new Map([...new Set(rows)].map((row) => [row, packedRow(row)]))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([header, Buffer.from(FORM)])),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('IDAT', deflateSync(Buffer.concat(rows.flatMap((row) => packed.get(row) ?? [])))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function packedRow(row: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(1 + Math.ceil(row.length / BITS_PER_BYTE))
  for (const [x, isDrawn] of row.entries()) {
    const at = 1 + Math.floor(x / BITS_PER_BYTE)
    if (isDrawn) bytes[at] = (bytes[at] ?? 0) | (0x80 >> (x % BITS_PER_BYTE))
  }
  return bytes
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
