/* Packs lists that `packed-rows.ts` unpacks. Separate, because browsers start without the code that packs. */
import { isRecord } from './keys.ts'
import {
  isObject,
  type Columns,
  type Exceptions,
  type PackedRows,
  type PackedValues,
  type Row,
  type ColumnRule,
  type ColumnValues,
} from './packed-rows.ts'

/** With more exceptions, a rule would take more text than the values. */
const MAX_EXCEPTION_SHARE = 1 / 8

/** Packs each list of objects among the fields. */
export function packLists(fields: Row): Record<string, unknown> {
  const packed = { ...fields }
  for (const [name, value] of Object.entries(fields)) if (isRowList(value)) packed[name] = packRows(value)
  return packed
}

export function packRows(rows: readonly Row[]): PackedRows {
  const known = new Map<string, ColumnValues>()
  const columns = keysOfRows(rows).map((key) => {
    const values = rows.map((row) => row[key])
    const column = { key, ...packValues(values, known) }
    known.set(key, values)
    return column
  })
  return { rowCount: rows.length, columns }
}

function keysOfRows(rows: readonly Row[]): string[] {
  const keys = new Set<string>()
  for (const row of rows) for (const key of Object.keys(row)) keys.add(key)
  return [...keys]
}

function packValues(values: ColumnValues, known: Columns): PackedValues {
  for (const [rule, follows] of likelyRules(values, known)) {
    const but = findExceptions(values, follows, values.length * MAX_EXCEPTION_SHARE)
    if (but !== undefined) return { ...rule, but }
  }
  const but = findExceptions(values, (row) => values[row] !== undefined, values.length)
  return { values: values.map((value) => value ?? null), but: but ?? [] }
}

type FollowsRule = (row: number) => boolean

function* likelyRules(values: ColumnValues, known: Columns): Generator<readonly [ColumnRule, FollowsRule]> {
  const marks = values.some(isObject) ? values.map(comparableValue) : values
  const mark = findMajorityValue(marks)
  const usual = values[marks.indexOf(mark)]
  if (usual !== undefined) yield [{ usual }, (row) => marks[row] === mark]
  const middle = Math.floor(values.length / 2)
  const sample = values[middle]
  if (isInteger(sample)) {
    const numbers = values.map((value) => (isInteger(value) ? value : 0))
    yield [{ steps: stepsBetween(numbers) }, (row) => values[row] === numbers[row]]
  } else if (isIntegerList(sample)) {
    const lists = values.map((value) => (isIntegerList(value) ? value : []))
    yield [{ stepsByRow: lists.map(stepsBetween) }, (row) => values[row] === lists[row]]
  } else if (typeof sample === 'string') {
    for (const [of, others] of known) {
      const [before = '', after, ...more] = sample.split(String(others[middle]))
      if (after === undefined || more.length > 0) continue
      yield [{ of, before, after }, (row) => values[row] === `${before}${String(others[row])}${after}`]
    }
  }
}

function findExceptions(values: ColumnValues, follows: FollowsRule, most: number): Exceptions | undefined {
  const found: [row: number, value?: unknown][] = []
  for (let row = 0; row < values.length; row += 1) {
    if (follows(row)) continue
    found.push(values[row] === undefined ? [row] : [row, values[row]])
    if (found.length > most) return undefined
  }
  return found
}

/** Returns a primitive for comparison: equal for equal values, and different for different ones. */
function comparableValue(value: unknown): unknown {
  if (isObject(value)) return `\0${JSON.stringify(value)}`
  return typeof value === 'string' && value.startsWith('\0') ? `\0${value}` : value
}

/** Returns the value of more than half of the list, if there is one. */
function findMajorityValue(values: ColumnValues): unknown {
  let candidate: unknown
  let lead = 0
  for (const value of values) {
    if (lead === 0) candidate = value
    lead += value === candidate ? 1 : -1
  }
  return candidate
}

function stepsBetween(numbers: readonly number[]): number[] {
  return numbers.map((number, index) => number - (numbers[index - 1] ?? 0))
}

/** Excludes integers whose differences could be inexact. */
function isInteger(value: unknown): value is number {
  return Number.isInteger(value) && !Object.is(value, -0) && Math.abs(Number(value)) < 2 ** 52
}

function isIntegerList(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(isInteger)
}

function isRowList(value: unknown): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord)
}
