import type { LogRow } from './row.ts'

/*
 * Long lists of ids are stored as a text of their differences: the database takes, compresses and gives back a text many
 * times faster than as many numbers.
 */

/** Shorter ones stay as they are. */
const PACKED_FROM = 1_000

/** Where the packed lists of a payload are, by their names. No field is called so. */
const PACKED = ' packed'

/** A payload as the database stores it. */
export function storedPayload(payload: LogRow['payload']): string {
  const long = Object.entries(payload).filter((field): field is [string, number[]] => isLongList(field[1]))
  if (long.length === 0) return JSON.stringify(payload)
  const packed = long.map(([name, ids]): [string, string] => [name, pack(ids)])
  const rest = Object.entries(payload).filter(([name]) => !long.some(([other]) => other === name))
  return JSON.stringify({ ...Object.fromEntries(rest), [PACKED]: Object.fromEntries(packed) })
}

/** Rows as they were before they were stored. */
export function unpackedRows(rows: readonly LogRow[]): LogRow[] {
  return rows.map((row) => {
    if (!(PACKED in row.payload)) return row
    const { [PACKED]: packed, ...rest } = row.payload
    // Made by `storedPayload`.
    const lists = Object.entries(packed as Readonly<Record<string, string>>)
    return { ...row, payload: { ...rest, ...Object.fromEntries(lists.map(([name, text]) => [name, unpack(text)])) } }
  })
}

function isLongList(value: unknown): boolean {
  return Array.isArray(value) && value.length >= PACKED_FROM && value.every((one) => Number.isSafeInteger(one))
}

function pack(ids: readonly number[]): string {
  let previous = 0
  let text = ''
  for (const id of ids) {
    text += `${(id - previous).toString(36)} `
    previous = id
  }
  return text.trimEnd()
}

function unpack(text: string): number[] {
  let previous = 0
  return text.split(' ').map((difference) => {
    previous += Number.parseInt(difference, 36)
    return previous
  })
}
