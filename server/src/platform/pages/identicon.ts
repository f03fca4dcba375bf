import { createHash } from 'node:crypto'

const COLUMNS = 5
const ROWS = 5
/** A cell's side, and the empty rim around the pattern. */
const CELL = 12
const RIM = 10
const SIDE = COLUMNS * CELL + 2 * RIM

/**
 * A picture for a user without one: a pattern that mirrors itself, always the same for the same user, in a colour of
 * its own. It tells nothing of the user, not even whether there is one.
 */
export function identicon(organizationId: number, userId: number): string {
  const digest = createHash('sha256').update(`${organizationId}:${userId}`).digest()
  const hue = Math.round((digest.readUInt16BE(0) / 0x1_00_00) * 360)
  const cells = leftCells(digest.subarray(2)).flatMap(({ row, column }) => {
    const mirrored = COLUMNS - 1 - column
    return mirrored === column ? [cell(row, column)] : [cell(row, column), cell(row, mirrored)]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}" width="${SIDE}" height="${SIDE}">
<rect width="${SIDE}" height="${SIDE}" fill="${colour(hue, 0.45, 0.9)}"/>
<path fill="${colour(hue, 0.5, 0.42)}" d="${cells.join('')}"/>
</svg>
`
}

/** Which cells of the left half, with the middle column, are filled: by a bit each. */
function leftCells(bits: Buffer): { row: number; column: number }[] {
  const half = Math.ceil(COLUMNS / 2)
  const all = Array.from({ length: ROWS * half }, (_, index) => ({
    row: Math.floor(index / half),
    column: index % half,
  }))
  const filled = all.filter((_, index) => ((bits[index] ?? 0) & 1) === 1)
  // One in 32,768 has no bit set; it gets the middle.
  return filled.length > 0 ? filled : [{ row: 2, column: 2 }]
}

function cell(row: number, column: number): string {
  return `M${RIM + column * CELL} ${RIM + row * CELL}h${CELL}v${CELL}h-${CELL}z`
}

/** Hue in degrees, saturation and lightness from 0 to 1, as hexadecimal: the form that every SVG reader knows. */
function colour(hue: number, saturation: number, lightness: number): string {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number): string => {
    const step = (offset + hue / 30) % 12
    const value = lightness - chroma * Math.max(-1, Math.min(step - 3, 9 - step, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}
