import type { ColumnType } from 'kysely'

/*
 * Columns after all migrations. Only the owner of a table writes it (architecture.test.ts). Every `bigint` fits in a
 * JavaScript number: IDs are log positions.
 */

export type Json<T> = ColumnType<T, string, string>
export type JsonWithDefault<T> = ColumnType<T, string | undefined, string>
/** An int8multirange, for example `{[3,7),[9,10)}`. */
export type Multirange = string

/** Each owner adds columns in its own `tables.ts`. */
export interface Tables {}

export interface Migration {
  /** Name such as `2026-11-21-saved-snippets`; recorded in the database. */
  readonly name: string
  readonly sql: string
}
