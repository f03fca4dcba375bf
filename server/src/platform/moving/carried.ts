import { isVisible, printablePart } from '../../kernel/characters.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { TransactionDb } from '../../kernel/transaction.ts'

/** A row of a table as an archive has it: columns by their names, as PostgreSQL writes them as JSON. */
export type CarriedRecord = Record<string, unknown>

/** A record that cannot be carried, and why: for the report. */
export class Unfit extends Error {
  override readonly name = 'Unfit'
}

/** What is known while a record arrives. */
export interface Arriving {
  /** The organization's number where the archive is from, and its number here. */
  readonly from: number
  readonly to: number
  /** Reports what is otherwise than in the archive. */
  readonly note: (what: string) => void
}

/** A column with HTML. What the renderer of this server cannot have written is rendered anew, from another column. */
export interface RenderedColumn {
  readonly column: string
  readonly from: string
  readonly as: 'message' | 'description'
  /** The column with the account that wrote it; without one, the server did. */
  readonly by?: string
}

/** A file that belongs to a record. */
export interface CarriedFile {
  /** What it is of the record, e.g. `original`. */
  readonly form: string
  /** Under which it is stored. */
  readonly key: string
  /** Whether records are without it as a rule. */
  readonly isOptional?: boolean
}

/** A name that no two records of the table may have. One that is taken already gets a number. */
export interface UniqueName {
  readonly column: string
  /** Where the table keeps what `keyOf` makes of the name. */
  readonly keyColumn?: string
  readonly keyOf: (name: string) => string
  /** In code points. */
  readonly most: number
}

/**
 * A table that goes along when an organization moves to another server. Its owner declares it, with what makes a row of an
 * archive, which anybody may have written, a row that the capability can live with.
 */
export interface CarriedTable {
  readonly table: string
  /** The columns of the archive. They are a promise: archives of earlier versions have them, too. */
  readonly columns: readonly string[]
  /** The columns that make a row one, by which the rows are sorted. */
  readonly order: readonly string[]
  /** Columns that `arrive` makes of the others. */
  readonly derived: readonly string[]
  /** Columns that an archive without secrets has as null. */
  readonly secrets: readonly string[]
  /** The columns, and lists of ids, that name rows of other tables. Without that row a record is refused. */
  readonly refers: Readonly<Record<string, string>>
  /** Those that become null where the row is not there; they may name what comes later. */
  readonly loosely: Readonly<Record<string, string>>
  /** Tables of which rows must be there before, although no column names them. */
  readonly after: readonly string[]
  readonly rendered: readonly RenderedColumn[]
  readonly unique: UniqueName | undefined
  /** How many ids there are for each position of the log; 1 where ids are positions. */
  readonly idsOfPosition: number
  /** Changes a record into one that can be stored. @throws Unfit */
  readonly arrive: (record: CarriedRecord, arriving: Arriving) => void | Promise<void>
  /** The files of a record, of the organization with a number. @throws Unfit */
  readonly files: ((record: CarriedRecord, organizationId: number) => readonly CarriedFile[]) | undefined
  /** Changes a record of which a file is missing. @throws Unfit where nothing is left of it then */
  readonly withoutFile: (record: CarriedRecord, form: string) => void
  /**
   * What is to be done when all rows of all tables are there.
   * @param note reports what is otherwise than in the archive
   * @throws Unfit where the organization could not live with them
   */
  readonly finish:
    | ((db: TransactionDb, organizationId: number, note: (what: string, example?: string) => void) => Promise<void>)
    | undefined
}

type Column<Name extends keyof Tables> = Extract<Exclude<keyof Tables[Name], 'organization_id'>, string>

interface Declared<Name extends keyof Tables> {
  readonly columns: readonly Column<Name>[]
  readonly order: readonly Column<Name>[]
  readonly derived?: readonly Column<Name>[]
  readonly secrets?: readonly Column<Name>[]
  readonly refers?: Readonly<Partial<Record<Column<Name>, keyof Tables>>>
  readonly loosely?: Readonly<Partial<Record<Column<Name>, keyof Tables>>>
  readonly after?: readonly (keyof Tables)[]
  readonly rendered?: readonly RenderedColumn[]
  readonly unique?: UniqueName
  readonly idsOfPosition?: number
  readonly arrive?: CarriedTable['arrive']
  readonly files?: NonNullable<CarriedTable['files']>
  readonly withoutFile?: CarriedTable['withoutFile']
  readonly finish?: NonNullable<CarriedTable['finish']>
}

/** Declares a table that goes along. */
export function carriedTable<Name extends keyof Tables>(table: Name, declared: Declared<Name>): CarriedTable {
  return {
    table,
    columns: declared.columns,
    order: declared.order,
    derived: declared.derived ?? [],
    secrets: declared.secrets ?? [],
    // Only columns that are there are named.
    refers: (declared.refers ?? {}) as Record<string, string>,
    loosely: (declared.loosely ?? {}) as Record<string, string>,
    after: declared.after ?? [],
    rendered: declared.rendered ?? [],
    unique: declared.unique,
    idsOfPosition: declared.idsOfPosition ?? 1,
    arrive: declared.arrive ?? (() => undefined),
    files: declared.files,
    withoutFile:
      declared.withoutFile ??
      ((_record, form) => {
        throw new Unfit(`its file (${form}) is not in the archive`)
      }),
    finish: declared.finish,
  }
}

/** Those of some tables in an order in which each comes after those that its rows name. */
export function inOrder(tables: readonly CarriedTable[]): CarriedTable[] {
  const sorted: CarriedTable[] = []
  const names = new Set(tables.map(({ table }) => table))
  let left = [...tables]
  while (left.length > 0) {
    const done = new Set(sorted.map(({ table }) => table))
    const isReady = (one: CarriedTable): boolean =>
      [...Object.values(one.refers), ...one.after].every(
        (name) => name === one.table || done.has(name) || !names.has(name),
      )
    const next = left.find(isReady)
    if (next === undefined)
      throw new Error(`these tables name each other: ${left.map(({ table }) => table).join(', ')}`)
    sorted.push(next)
    left = left.filter((one) => one !== next)
  }
  return sorted
}

/** A text of a record. @throws Unfit where there is none, or it is too long */
export function textOf(record: CarriedRecord, column: string, most: number): string {
  const value = record[column]
  if (typeof value !== 'string') throw new Unfit(`${column} is no text`)
  if (value.length > most) throw new Unfit(`${column} is longer than ${most} characters`)
  return value
}

/**
 * A name of an archive as one that could have been given here.
 * @param most characters, in code points
 * @param otherwise where nothing of it can be seen
 */
export function nameFrom(given: string, most: number, otherwise: string): string {
  const points = Array.from(printablePart(given))
  // Of an emoji that is cut off in its middle, a joiner may be left.
  const name = points.length <= most ? points.join('') : printablePart(points.slice(0, most).join(''))
  return isVisible(name) ? name : otherwise
}

/** A record within a record; what is none stands for an empty one. */
export function recordOf(value: unknown): CarriedRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
