/* Lists of similar objects, stored by column: 50,000 people take a tenth of the text, and a third when compressed. */
import { isRecord } from './keys.ts'

type Row = Readonly<Record<string, unknown>>
type Values = readonly unknown[]

type Rule =
  | { readonly values: Values }
  /** The value of most rows. */
  | { readonly usual: unknown }
  /** Text around the value of an earlier column, such as an avatar's path around the user's ID. */
  | { readonly of: string; readonly before: string; readonly after: string }
  /** Integers, each as its difference from the one before. */
  | { readonly steps: readonly number[] }
  /** Lists of integers, each integer as its difference from the one before. */
  | { readonly stepsByRow: readonly (readonly number[])[] }

/** Rows that have another value than the rule's, or lack the key. */
type Exceptions = readonly (readonly [row: number, value?: unknown])[]

type PackedValues = Rule & { readonly but: Exceptions }

type Column = PackedValues & { readonly key: string }

type Columns = ReadonlyMap<string, Values>

export interface PackedRows {
  readonly rowCount: number
  readonly columns: readonly Column[]
}

/** With more exceptions, a rule would take more text than the values. */
const MAX_EXCEPTION_SHARE = 1 / 8

/** Packs each list of objects among the fields. */
export function packLists(fields: Row): Record<string, unknown> {
  const packed = { ...fields }
  for (const [name, value] of Object.entries(fields)) if (isRowList(value)) packed[name] = packRows(value)
  return packed
}

/** Replaces each packed list among the fields by the original list. */
export function unpackLists(fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) if (isPacked(value)) fields[name] = unpackRows(value)
}

export function packRows(rows: readonly Row[]): PackedRows {
  const known = new Map<string, Values>()
  const columns = keysOfRows(rows).map((key) => {
    const values = rows.map((row) => row[key])
    const column = { key, ...packValues(values, known) }
    known.set(key, values)
    return column
  })
  return { rowCount: rows.length, columns }
}

export function unpackRows({ rowCount, columns }: PackedRows): Record<string, unknown>[] {
  const known = new Map<string, unknown[]>()
  for (const column of columns) {
    const values = followRule(column, rowCount, known)
    for (const [row, value] of column.but) values[row] = value
    known.set(column.key, values)
  }
  // Copies of one object share its layout: several times faster than adding keys to each row.
  const first = Object.fromEntries([...known].map(([key, values]) => [key, values[0]]))
  const rows = Array.from({ length: rowCount }, (): Record<string, unknown> => ({ ...first }))
  for (const { key, ...rule } of columns) {
    if ('usual' in rule && rule.but.length === 0 && !isObject(rule.usual)) continue
    const values = known.get(key) ?? []
    rows.forEach((row, index) => (row[key] = values[index]))
  }
  for (const { key, but } of columns) for (const [row, ...value] of but) if (value.length === 0) delete rows[row]?.[key]
  return rows
}

function keysOfRows(rows: readonly Row[]): string[] {
  const keys = new Set<string>()
  for (const row of rows) for (const key of Object.keys(row)) keys.add(key)
  return [...keys]
}

function packValues(values: Values, known: Columns): PackedValues {
  for (const [rule, follows] of likelyRules(values, known)) {
    const but = findExceptions(values, follows, values.length * MAX_EXCEPTION_SHARE)
    if (but !== undefined) return { ...rule, but }
  }
  const but = findExceptions(values, (row) => values[row] !== undefined, values.length)
  return { values: values.map((value) => value ?? null), but: but ?? [] }
}

type Follows = (row: number) => boolean

function* likelyRules(values: Values, known: Columns): Generator<readonly [Rule, Follows]> {
  const marks = values.some(isObject) ? values.map(markOf) : values
  const mark = majorityOf(marks)
  const usual = values[marks.indexOf(mark)]
  if (usual !== undefined) yield [{ usual }, (row) => marks[row] === mark]
  const middle = Math.floor(values.length / 2)
  const sample = values[middle]
  if (isInteger(sample)) {
    const numbers = values.map((value) => (isInteger(value) ? value : 0))
    yield [{ steps: stepsOf(numbers) }, (row) => values[row] === numbers[row]]
  } else if (isIntegerList(sample)) {
    const lists = values.map((value) => (isIntegerList(value) ? value : []))
    yield [{ stepsByRow: lists.map(stepsOf) }, (row) => values[row] === lists[row]]
  } else if (typeof sample === 'string') {
    for (const [of, others] of known) {
      const [before = '', after, ...more] = sample.split(String(others[middle]))
      if (after === undefined || more.length > 0) continue
      yield [{ of, before, after }, (row) => values[row] === `${before}${String(others[row])}${after}`]
    }
  }
}

function findExceptions(values: Values, follows: Follows, most: number): Exceptions | undefined {
  const found: [row: number, value?: unknown][] = []
  for (let row = 0; row < values.length; row += 1) {
    if (follows(row)) continue
    found.push(values[row] === undefined ? [row] : [row, values[row]])
    if (found.length > most) return undefined
  }
  return found
}

/** Returns new objects, because events change the objects of a row in place. */
function followRule(rule: Rule, count: number, known: Columns): unknown[] {
  if ('values' in rule) return [...rule.values]
  if ('steps' in rule) return sumsOf(rule.steps)
  if ('stepsByRow' in rule) return rule.stepsByRow.map(sumsOf)
  if ('of' in rule) return (known.get(rule.of) ?? []).map((value) => `${rule.before}${String(value)}${rule.after}`)
  const { usual } = rule
  const text = JSON.stringify(usual)
  const values = Array.from<unknown>({ length: count }).fill(usual)
  return isObject(usual) ? values.map((): unknown => JSON.parse(text)) : values
}

/** Returns equal values for equal objects, and different values otherwise. */
function markOf(value: unknown): unknown {
  if (isObject(value)) return `\0${JSON.stringify(value)}`
  return typeof value === 'string' && value.startsWith('\0') ? `\0${value}` : value
}

/** Returns the value of more than half of the list, if there is one. */
function majorityOf(values: Values): unknown {
  let candidate: unknown
  let lead = 0
  for (const value of values) {
    if (lead === 0) candidate = value
    lead += value === candidate ? 1 : -1
  }
  return candidate
}

function stepsOf(numbers: readonly number[]): number[] {
  return numbers.map((number, index) => number - (numbers[index - 1] ?? 0))
}

function sumsOf(steps: readonly number[]): number[] {
  let sum = 0
  return steps.map((step) => (sum += step))
}

/** Excludes integers whose differences could be inexact. */
function isInteger(value: unknown): value is number {
  return Number.isInteger(value) && !Object.is(value, -0) && Math.abs(Number(value)) < 2 ** 52
}

function isIntegerList(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(isInteger)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isRowList(value: unknown): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord)
}

function isPacked(value: unknown): value is PackedRows {
  return isRecord(value) && 'rowCount' in value && 'columns' in value
}
