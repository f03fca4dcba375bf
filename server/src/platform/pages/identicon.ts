import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const COLUMN_COUNT = 5
const ROW_COUNT = 5
const MARGIN_FRACTION = 0.1
const CELL_FRACTION = (1 - 2 * MARGIN_FRACTION) / COLUMN_COUNT

/** Draws the avatar of a user who has set none. It reveals nothing, not even whether the user exists. */
export function drawIdenticon(organizationId: number, userId: number, side: number): Buffer {
  const digest = createHash('sha256').update(`${organizationId}:${userId}`).digest()
  const hue = Math.round((digest.readUInt16BE(0) / 0x1_00_00) * 360)
  const cells = Array.from({ length: side }, (_, pixel) =>
    Math.floor(((pixel + 0.5) / side - MARGIN_FRACTION) / CELL_FRACTION),
  )
  const rows = mirroredPattern(digest.subarray(2)).map((row) => cells.map((column) => row[column] === true))
  const empty = cells.map(() => false)
  return twoColorPng(
    [toColor(hue, 0.45, 0.9), toColor(hue, 0.5, 0.42)],
    cells.map((row) => rows[row] ?? empty),
  )
}

function mirroredPattern(bits: Buffer): boolean[][] {
  const half = Math.ceil(COLUMN_COUNT / 2)
  const left = Array.from({ length: ROW_COUNT * half }, (_, index) => ((bits[index] ?? 0) & 1) === 1)
  // One in 32,768 patterns is empty, so its center is filled.
  if (!left.includes(true)) left[2 * half + 2] = true
  return Array.from({ length: ROW_COUNT }, (_row, row) =>
    Array.from(
      { length: COLUMN_COUNT },
      (_column, column) => left[row * half + Math.min(column, COLUMN_COUNT - 1 - column)] === true,
    ),
  )
}

/** Converts HSL to RGB. `hue` is in degrees; the other two values are from 0 to 1. */
function toColor(hue: number, saturation: number, lightness: number): Color {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number): number => {
    const step = (offset + hue / 30) % 12
    const value = lightness - chroma * Math.max(-1, Math.min(step - 3, 9 - step, 1))
    return Math.round(value * 255)
  }
  return [channel(0), channel(8), channel(4)]
}

type Color = readonly [red: number, green: number, blue: number]

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const BITS_PER_BYTE = 8
/** PNG header fields: one bit per pixel, indexed color, standard compression and filters, no interlacing. */
const PNG_HEADER_FIELDS = [1, 3, 0, 0, 0]

/** Encodes a PNG. `rows` tell whether each pixel has the second color; repeated arrays are compressed once. */
export function twoColorPng(colors: readonly [Color, Color], rows: readonly (readonly boolean[])[]): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(rows.length, 0)
  header.writeUInt32BE(rows.length, 4)
  const packed = new Map([...new Set(rows)].map((row) => [row, packedRow(row)]))
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', Buffer.concat([header, Buffer.from(PNG_HEADER_FIELDS)])),
    pngChunk('PLTE', Buffer.from(colors.flat())),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows.flatMap((row) => packed.get(row) ?? [])))),
    pngChunk('IEND', Buffer.alloc(0)),
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

function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
