import type { LogRow } from './row.ts'

/* Stores long ID lists as text of their differences: the database reads and writes it much faster than JSON lists. */

const MIN_PACKED_LENGTH = 1_000

const PACKED_KEY = ' packed'

export function packPayload(payload: LogRow['payload']): string {
  const long = Object.entries(payload).filter((field): field is [string, number[]] => isPackableList(field[1]))
  if (long.length === 0) return JSON.stringify(payload)
  const packed = long.map(([name, ids]): [string, string] => [name, packIds(ids)])
  const rest = Object.entries(payload).filter(([name]) => !long.some(([other]) => other === name))
  return JSON.stringify({ ...Object.fromEntries(rest), [PACKED_KEY]: Object.fromEntries(packed) })
}

export function unpackRows(rows: readonly LogRow[]): LogRow[] {
  return rows.map((row) => {
    if (!(PACKED_KEY in row.payload)) return row
    const { [PACKED_KEY]: packed, ...rest } = row.payload
    // Safe: written by `packPayload`.
    const lists = Object.entries(packed as Readonly<Record<string, string>>)
    return { ...row, payload: { ...rest, ...Object.fromEntries(lists.map(([name, text]) => [name, unpackIds(text)])) } }
  })
}

/** Whether a list is long and its differences stay exact when doubled. */
function isPackableList(value: unknown): boolean {
  const isPackable = (one: unknown): boolean => Number.isInteger(one) && Number.isSafeInteger(4 * Number(one))
  return Array.isArray(value) && value.length >= MIN_PACKED_LENGTH && value.every(isPackable)
}

/** The digits of base 32, then the same digits with a continuation flag. JSON escapes none of these characters. */
const DIGIT_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const DIGIT_BY_CHARACTER_CODE = new Uint8Array(128)
for (let digit = 0; digit < DIGIT_CHARACTERS.length; digit += 1)
  DIGIT_BY_CHARACTER_CODE[DIGIT_CHARACTERS.charCodeAt(digit)] = digit

function packIds(ids: readonly number[]): string {
  let previous = 0
  let text = ''
  for (const id of ids) {
    const difference = id - previous
    let rest = difference < 0 ? -2 * difference - 1 : 2 * difference
    for (; rest >= 32; rest = Math.floor(rest / 32)) text += DIGIT_CHARACTERS[32 + (rest % 32)]
    text += DIGIT_CHARACTERS[rest]
    previous = id
  }
  return text
}

function unpackIds(text: string): number[] {
  if (text.includes(' ')) return unpackSpaceSeparated(text)
  const ids: number[] = []
  let previous = 0
  let [number, scale] = [0, 1]
  for (let index = 0; index < text.length; index += 1) {
    const digit = DIGIT_BY_CHARACTER_CODE[text.charCodeAt(index)] ?? 0
    number += (digit % 32) * scale
    scale *= 32
    if (digit >= 32) continue
    previous += number % 2 === 0 ? number / 2 : -(number + 1) / 2
    ids.push(previous)
    number = 0
    scale = 1
  }
  return ids
}

/** Reads the earlier format: differences in base 36, separated by spaces. */
function unpackSpaceSeparated(text: string): number[] {
  let previous = 0
  return text.split(' ').map((difference) => {
    previous += Number.parseInt(difference, 36)
    return previous
  })
}
