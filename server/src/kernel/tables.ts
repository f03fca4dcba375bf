import type { ColumnType } from 'kysely'

/* Tables after all migrations. Only a table's capability writes to it. Each `bigint` fits into a number. */

export type Json<T> = ColumnType<T, string, string>
export type JsonWithDefault<T> = ColumnType<T, string | undefined, string>
/** An int8multirange, for example `{[3,7),[9,10)}`. */
export type Multirange = string

/** Each capability adds its tables in its own `tables.ts`. */
export interface Tables {}

export interface Migration {
  /** Name such as `2026-11-21-saved-snippets`; recorded in the database. */
  readonly name: string
  readonly sql: string
}
