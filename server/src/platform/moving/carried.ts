import { hasVisibleCharacter, toPrintable } from '../../kernel/characters.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { TransactionDb } from '../../kernel/transaction.ts'

export type ArchiveRecord = Record<string, unknown>

export class UnimportableRecordError extends Error {
  override readonly name = 'Unfit'
}

export interface ImportContext {
  /** The organization's ID at the source; `to` is its ID on this server. */
  readonly from: number
  readonly to: number
  /** Reports a deviation from the archive. */
  readonly note: (what: string) => void
}

/** A column with HTML, rendered again from another column unless this server's renderer could have written it. */
export interface RenderedColumn {
  readonly column: string
  readonly from: string
  readonly as: 'message' | 'description'
  /** Author's account; absent if the server is the author. */
  readonly by?: string
}

export interface ExportedFile {
  /** Variant of the file, for example `original`. */
  readonly form: string
  readonly key: string
  readonly isOptional?: boolean
}

export interface UniqueName {
  readonly column: string
  readonly keyColumn?: string
  readonly keyOf: (name: string) => string
  /** Maximum length in code points. */
  readonly most: number
  /** Index that finds taken names, for names that must be unique only among the children of a row. */
  readonly index?: string
}

export interface OwnRows {
  readonly table: string
  /** Query whose parameters are the IDs of the organization and the person. */
  readonly sql: string
}

/** Describes how to export a table, and how to turn rows of an untrusted archive into valid rows. */
export interface ExportedTable {
  readonly table: string
  /** Never remove a column: archives of earlier versions contain it. */
  readonly columns: readonly string[]
  readonly order: readonly string[]
  readonly derived: readonly string[]
  /** Exported as null in archives without secrets. */
  readonly secrets: readonly string[]
  /** Undefined if the rows belong to no single person. */
  readonly ownRows: OwnRows | undefined
  /** Referenced tables by column. If the referenced row is missing, the record is rejected. */
  readonly refers: Readonly<Record<string, string>>
  /** Like `refers`, but the column becomes null if the row is missing, and can refer to later rows. */
  readonly loosely: Readonly<Record<string, string>>
  /** Tables to import first, in addition to those in `refers`. */
  readonly after: readonly string[]
  readonly rendered: readonly RenderedColumn[]
  readonly unique: UniqueName | undefined
  /** Maximum number of IDs per log position; 1 if IDs are log positions. */
  readonly idsOfPosition: number
  readonly onImport: (record: ArchiveRecord, context: ImportContext) => void | Promise<void>
  readonly files: ((record: ArchiveRecord, organizationId: number) => readonly ExportedFile[]) | undefined
  /** Changes a record whose file is missing. @throws UnimportableRecordError if nothing useful is left */
  readonly withoutFile: (record: ArchiveRecord, form: string) => void
  /** Runs after all tables are imported. @throws UnimportableRecordError if the organization would be invalid */
  readonly finish:
    | ((db: TransactionDb, organizationId: number, note: (what: string, example?: string) => void) => Promise<void>)
    | undefined
}

type Column<Name extends keyof Tables> = Extract<Exclude<keyof Tables[Name], 'organization_id'>, string>

interface TableDeclaration<Name extends keyof Tables> {
  readonly columns: readonly Column<Name>[]
  readonly order: readonly Column<Name>[]
  readonly derived?: readonly Column<Name>[]
  readonly secrets?: readonly Column<Name>[]
  /** Column with the ID of the person whose data export contains the row. */
  readonly belongsTo?: Column<Name>
  /** Names of columns in data exports if they differ; null omits a column. */
  readonly exportedAs?: Readonly<Partial<Record<Column<Name>, string | null>>>
  readonly refers?: Readonly<Partial<Record<Column<Name>, keyof Tables>>>
  readonly loosely?: Readonly<Partial<Record<Column<Name>, keyof Tables>>>
  readonly after?: readonly (keyof Tables)[]
  readonly rendered?: readonly RenderedColumn[]
  readonly unique?: UniqueName
  readonly idsOfPosition?: number
  readonly onImport?: ExportedTable['onImport']
  readonly files?: NonNullable<ExportedTable['files']>
  readonly withoutFile?: ExportedTable['withoutFile']
  readonly finish?: NonNullable<ExportedTable['finish']>
}

export function exportedTable<Name extends keyof Tables>(table: Name, declared: TableDeclaration<Name>): ExportedTable {
  return {
    table,
    columns: declared.columns,
    order: declared.order,
    derived: declared.derived ?? [],
    secrets: declared.secrets ?? [],
    ownRows: personalRowsOf(table, declared),
    // Safe: `TableDeclaration` allows only existing columns.
    refers: (declared.refers ?? {}) as Record<string, string>,
    loosely: (declared.loosely ?? {}) as Record<string, string>,
    after: declared.after ?? [],
    rendered: declared.rendered ?? [],
    unique: declared.unique,
    idsOfPosition: declared.idsOfPosition ?? 1,
    onImport: declared.onImport ?? (() => undefined),
    files: declared.files,
    withoutFile:
      declared.withoutFile ??
      ((_record, form) => {
        throw new UnimportableRecordError(`its file (${form}) is not in the archive`)
      }),
    finish: declared.finish,
  }
}

function personalRowsOf<Name extends keyof Tables>(
  table: Name,
  { columns, order, belongsTo, exportedAs }: TableDeclaration<Name>,
): OwnRows | undefined {
  if (belongsTo === undefined) return undefined
  const fields = columns.flatMap((column) => {
    const name = exportedAs?.[column]
    return name === null ? [] : [name === undefined ? column : `${column} as "${name}"`]
  })
  const sql = `
    select ${fields.join(', ')} from ${table}
    where organization_id = $1 and ${belongsTo} = $2 order by ${order.join(', ')}`
  return { table, sql }
}

export function sortByReferences(tables: readonly ExportedTable[]): ExportedTable[] {
  const sorted: ExportedTable[] = []
  const names = new Set(tables.map(({ table }) => table))
  let left = [...tables]
  while (left.length > 0) {
    const done = new Set(sorted.map(({ table }) => table))
    const isReady = (one: ExportedTable): boolean =>
      [...Object.values(one.refers), ...one.after].every(
        (name) => name === one.table || done.has(name) || !names.has(name),
      )
    const next = left.find(isReady)
    if (next === undefined)
      throw new Error(`these tables refer to each other: ${left.map(({ table }) => table).join(', ')}`)
    sorted.push(next)
    left = left.filter((one) => one !== next)
  }
  return sorted
}

export function requireText(record: ArchiveRecord, column: string, most: number): string {
  const value = record[column]
  if (typeof value !== 'string') throw new UnimportableRecordError(`${column} is not text`)
  if (value.length > most) throw new UnimportableRecordError(`${column} is longer than ${most} characters`)
  return value
}

export function appendNumber(wanted: string, number: number, most: number): string {
  const ending = ` (${number})`
  const points = Array.from(wanted)
  const room = most - ending.length
  return (points.length <= room ? wanted : points.slice(0, room).join('').trimEnd()) + ending
}

/** Returns a name of at most `most` code points; `otherwise` if nothing visible is left. */
export function toPrintableName(given: string, most: number, otherwise: string): string {
  const points = Array.from(toPrintable(given))
  // Truncation may leave a trailing emoji joiner.
  const name = points.length <= most ? points.join('') : toPrintable(points.slice(0, most).join(''))
  return hasVisibleCharacter(name) ? name : otherwise
}

export function toRecord(value: unknown): ArchiveRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
