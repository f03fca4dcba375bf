import type { ColumnType } from 'kysely'

/*
 * The columns of every table, as the migrations made them. A table is written only by the capability or platform
 * module that lists it as its own (see architecture.test.ts). Every `bigint` fits a JavaScript number: ids are
 * positions of an organization's log.
 */

export type Json<T> = ColumnType<T, string, string>
export type JsonWithDefault<T> = ColumnType<T, string | undefined, string>
/** A PostgreSQL int8multirange in its text form, e.g. `{[3,7),[9,10)}`. */
export type Multirange = string

/** Every table by its name. Who owns a table adds its columns here, in a file `tables.ts` of its own. */
export interface Tables {}

/** A change of the database, made once. */
export interface Migration {
  /** The day and words, e.g. `2026-11-21-saved-snippets`: what the database remembers of it. */
  readonly name: string
  readonly sql: string
}
