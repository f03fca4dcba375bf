import { createHash } from 'node:crypto'
import { twoColouredPng, type Colour } from './png.ts'

const COLUMNS = 5
const ROWS = 5
const RIM = 0.1
const CELL = (1 - 2 * RIM) / COLUMNS

/** Draws an avatar for users without one. Reveals nothing, not even whether the user exists. */
export function identicon(organizationId: number, userId: number, side: number): Buffer {
  const digest = createHash('sha256').update(`${organizationId}:${userId}`).digest()
  const hue = Math.round((digest.readUInt16BE(0) / 0x1_00_00) * 360)
  const cells = Array.from({ length: side }, (_, pixel) => Math.floor(((pixel + 0.5) / side - RIM) / CELL))
  const rows = pattern(digest.subarray(2)).map((row) => cells.map((column) => row[column] === true))
  const empty = cells.map(() => false)
  return twoColouredPng(
    [colour(hue, 0.45, 0.9), colour(hue, 0.5, 0.42)],
    cells.map((row) => rows[row] ?? empty),
  )
}

function pattern(bits: Buffer): boolean[][] {
  const half = Math.ceil(COLUMNS / 2)
  const left = Array.from({ length: ROWS * half }, (_, index) => ((bits[index] ?? 0) & 1) === 1)
  // One in 32,768 patterns is empty; fills its center.
  if (!left.includes(true)) left[2 * half + 2] = true
  return Array.from({ length: ROWS }, (_row, row) =>
    Array.from(
      { length: COLUMNS },
      (_column, column) => left[row * half + Math.min(column, COLUMNS - 1 - column)] === true,
    ),
  )
}

/** Converts a hue in degrees, and other values from 0 to 1. */
function colour(hue: number, saturation: number, lightness: number): Colour {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number): number => {
    const step = (offset + hue / 30) % 12
    const value = lightness - chroma * Math.max(-1, Math.min(step - 3, 9 - step, 1))
    return Math.round(value * 255)
  }
  return [channel(0), channel(8), channel(4)]
}
