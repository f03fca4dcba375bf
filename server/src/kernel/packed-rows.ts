/* Lists of similar objects, stored by column: 50,000 users take a tenth of the text, a third if compressed. */
import { isRecord } from './keys.ts'

export type Row = Readonly<Record<string, unknown>>
export type ColumnValues = readonly unknown[]

export type ColumnRule =
  | { readonly values: ColumnValues }
  /** The value of most rows. */
  | { readonly usual: unknown }
  /** Value of an earlier column with text around it, such as a user ID within the avatar's path. */
  | { readonly of: string; readonly before: string; readonly after: string }
  /** Integers, each as its difference from the previous one. */
  | { readonly steps: readonly number[] }
  /** Lists of integers, each integer as its difference from the previous one. */
  | { readonly stepsByRow: readonly (readonly number[])[] }

/** Rows that lack the key, or whose value differs from the rule's. */
export type Exceptions = readonly (readonly [row: number, value?: unknown])[]

export type PackedValues = ColumnRule & { readonly but: Exceptions }

type Column = PackedValues & { readonly key: string }

export type Columns = ReadonlyMap<string, ColumnValues>

export interface PackedRows {
  readonly rowCount: number
  readonly columns: readonly Column[]
}

/** Replaces each packed list among the fields with the original list. */
export function unpackLists(fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) if (isPacked(value)) fields[name] = unpackRows(value)
}

export function unpackRows({ rowCount, columns }: PackedRows): Record<string, unknown>[] {
  const known = new Map<string, unknown[]>()
  for (const column of columns) {
    const values = applyRule(column, rowCount, known)
    for (const [row, value] of column.but) values[row] = value
    known.set(column.key, values)
  }
  // Copies of one object share its hidden class: several times faster than adding keys to each row.
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

/** Returns new objects, because events change the objects of a row in place. */
function applyRule(rule: ColumnRule, count: number, known: Columns): unknown[] {
  if ('values' in rule) return [...rule.values]
  if ('steps' in rule) return runningSums(rule.steps)
  if ('stepsByRow' in rule) return rule.stepsByRow.map(runningSums)
  if ('of' in rule) return (known.get(rule.of) ?? []).map((value) => `${rule.before}${String(value)}${rule.after}`)
  const { usual } = rule
  const text = JSON.stringify(usual)
  const values = Array.from<unknown>({ length: count }).fill(usual)
  return isObject(usual) ? values.map((): unknown => JSON.parse(text)) : values
}

function runningSums(steps: readonly number[]): number[] {
  let sum = 0
  return steps.map((step) => (sum += step))
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isPacked(value: unknown): value is PackedRows {
  return isRecord(value) && 'rowCount' in value && 'columns' in value
}
