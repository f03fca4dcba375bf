import pg from 'pg'
import type { TransactionDb } from '../../kernel/transaction.ts'
import { appendNumber, type ArchiveRecord, type ExportedTable } from './carried.ts'

const INVALID_ROW_CODES = /^2[23]/
/** Limits the work for an archive in which many rows have the same name. */
const MAX_NAME_ATTEMPTS = 20

interface WriteReport {
  readonly refused: (record: ArchiveRecord, why: string) => void
  readonly renamed: (record: ArchiveRecord, name: string) => void
}

const COLUMN_TYPES_SQL = `
  select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`

const quoteName = (name: string): string => pg.escapeIdentifier(name)

export class RowWriter {
  readonly #table: ExportedTable
  readonly #organizationId: number
  readonly #sql: string

  private constructor(table: ExportedTable, organizationId: number, types: ReadonlyMap<string, string>) {
    this.#table = table
    this.#organizationId = organizationId
    const columns = [...table.columns, ...table.derived]
    const isTopic = (column: string): boolean =>
      table.refers[column] === 'topics' || (table.table === 'topics' && column === 'id')
    const topics = columns.filter(isTopic)
    const values = columns.map((column) => (isTopic(column) ? `of_${column}.new_id` : `r.${quoteName(column)}`))
    const typed = columns.map((column) => `${quoteName(column)} ${types.get(column) ?? 'text'}`)
    this.#sql = [
      `insert into ${quoteName(table.table)} (organization_id, ${columns.map(quoteName).join(', ')})`,
      table.table === 'topics' ? 'overriding system value' : '',
      `select $1::bigint, ${values.join(', ')} from jsonb_to_recordset($2::jsonb) as r(${typed.join(', ')})`,
      ...topics.map(
        (column) =>
          `join imported_topics of_${column} on of_${column}.organization_id = $1 and of_${column}.old_id = r.${quoteName(column)}`,
      ),
    ].join(' ')
  }

  static async open(db: TransactionDb, table: ExportedTable, organizationId: number): Promise<RowWriter> {
    const rows = await db.rows<{ name: string; type: string }>('', COLUMN_TYPES_SQL, [table.table])
    return new RowWriter(table, organizationId, new Map(rows.map(({ name, type }) => [name, type])))
  }

  /** Inserts records together or, if PostgreSQL rejects them, one at a time. Adds numbers to taken names. */
  async write(db: TransactionDb, records: readonly ArchiveRecord[], { refused, renamed }: WriteReport): Promise<void> {
    if (records.length === 0) return
    if ((await this.#attempt(db, records)) === undefined) return
    for (const record of records) {
      const error = await this.#attempt(db, [record])
      if (error === undefined) continue
      const name = await this.#rename(db, record, error)
      if (name === undefined) refused(record, error.message)
      else renamed(record, name)
    }
  }

  async #rename(db: TransactionDb, record: ArchiveRecord, error: pg.DatabaseError): Promise<string | undefined> {
    const { unique } = this.#table
    if (unique?.keyColumn === undefined || unique.index === undefined || error.constraint !== unique.index)
      return undefined
    const { column, keyColumn, keyOf, most } = unique
    for (let number = 2; number <= MAX_NAME_ATTEMPTS; number += 1) {
      const name = appendNumber(String(record[column]), number, most)
      const renamed = { ...record, [column]: name, [keyColumn]: keyOf(name) }
      if ((await this.#attempt(db, [renamed])) === undefined) return name
    }
    return undefined
  }

  async #attempt(db: TransactionDb, records: readonly ArchiveRecord[]): Promise<pg.DatabaseError | undefined> {
    await db.rows('', 'savepoint carried', [])
    try {
      if (this.#table.table === 'topics') {
        await db.rows(
          '',
          `insert into imported_topics (organization_id, old_id, new_id)
           select $1::bigint, id, nextval(pg_get_serial_sequence('topics', 'id')) from unnest($2::bigint[]) as id`,
          [this.#organizationId, records.map(({ id }) => id)],
        )
      }
      await db.rows('', this.#sql, [this.#organizationId, JSON.stringify(records)])
      await db.rows('', 'release savepoint carried', [])
      return undefined
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !INVALID_ROW_CODES.test(error.code ?? '')) throw error
      await db.rows('', 'rollback to savepoint carried', [])
      return error
    }
  }
}

export async function findExistingIds(
  db: TransactionDb,
  organizationId: number,
  table: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const text =
    table === 'topics'
      ? 'select old_id as id from imported_topics where organization_id = $1 and old_id = any($2::bigint[])'
      : `select id from ${quoteName(table)} where organization_id = $1 and id = any($2::bigint[])`
  const rows = await db.rows<{ id: number }>('', text, [organizationId, ids])
  return new Set(rows.map(({ id }) => id))
}

/** Clears references to missing rows, and returns how many it cleared. */
export async function clearMissingReferences(
  db: TransactionDb,
  organizationId: number,
  { table, loosely }: ExportedTable,
): Promise<number> {
  let forgotten = 0
  for (const [column, target] of Object.entries(loosely)) {
    const [row] = await db.rows<{ count: number }>(
      '',
      `with gone as (
         update ${quoteName(table)} t set ${quoteName(column)} = null
         where t.organization_id = $1 and t.${quoteName(column)} is not null and not exists (
           select from ${quoteName(target)} o where o.organization_id = $1 and o.id = t.${quoteName(column)})
         returning 1)
       select count(*)::int as count from gone`,
      [organizationId],
    )
    forgotten += row?.count ?? 0
  }
  return forgotten
}
