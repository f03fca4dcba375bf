import type { TransactionDb } from '../../kernel/transaction.ts'
import { couldRendererWrite } from '../markdown/whitelist.ts'
import {
  toPrintableName,
  appendNumber,
  UnimportableRecordError,
  type ArchiveRecord,
  type ExportedTable,
} from './carried.ts'
import { findExistingIds } from './rows.ts'

/** Renders text on behalf of an account or, without a user ID, of the server. */
export type RenderText = (as: 'message' | 'description', text: string, userId: number | undefined) => Promise<string>

export interface ImportRun {
  readonly from: number
  readonly to: number
  /** Highest ID in the archive. */
  readonly position: number
  readonly bring: (sha256: unknown, key: string) => Promise<number | undefined>
  readonly note: (what: string, example?: string) => void
}

export interface BatchContext {
  readonly db: TransactionDb
  readonly render: () => Promise<RenderText>
  readonly taken: Set<string>
}

export async function importRecords(
  table: ExportedTable,
  records: readonly ArchiveRecord[],
  journey: ImportRun,
  surroundings: BatchContext,
): Promise<ArchiveRecord[]> {
  const fit: ArchiveRecord[] = []
  for (const record of await updateReferences(table, records, journey, surroundings.db)) {
    try {
      fit.push(await adaptRecord(table, record, journey, surroundings))
    } catch (error) {
      if (!(error instanceof UnimportableRecordError)) throw error
      journey.note(`skipped records of ${table.table}: ${error.message}`, recordName(table, record))
    }
  }
  return fit
}

export function recordName({ order }: ExportedTable, record: ArchiveRecord): string {
  return order.map((column) => `${column} ${JSON.stringify(record[column])}`).join(', ')
}

async function adaptRecord(
  table: ExportedTable,
  record: ArchiveRecord,
  journey: ImportRun,
  surroundings: BatchContext,
): Promise<ArchiveRecord> {
  const { from, to } = journey
  const { files, ...row } = record
  const made: ArchiveRecord = row
  const example = recordName(table, record)
  await table.onImport(made, { from, to, note: (what) => journey.note(what, example) })
  for (const { column, from: source, as, by } of table.rendered) {
    const text = made[source]
    const html = made[column]
    if (text === null || text === undefined) continue
    if (typeof text !== 'string') throw new UnimportableRecordError(`${source} is not text`)
    if (typeof html === 'string' && couldRendererWrite(html)) continue
    if (text === '') {
      made[column] = ''
      continue
    }
    if (typeof html === 'string' && html !== '') journey.note(`${column} of ${table.table} was rendered again`, example)
    const author = by === undefined ? undefined : made[by]
    made[column] = await (await surroundings.render())(as, text, typeof author === 'number' ? author : undefined)
  }
  if (table.unique !== undefined && table.unique.index === undefined)
    claimUniqueName(table, made, surroundings.taken, journey, example)
  if (table.files !== undefined) await importFiles(table, made, files, journey, example)
  return made
}

export const changedNamesReport = (table: string): string => `names in ${table} were changed: invalid or already taken`

function claimUniqueName(
  { unique, table }: ExportedTable,
  record: ArchiveRecord,
  taken: Set<string>,
  { note }: ImportRun,
  example: string,
): void {
  if (unique === undefined) return
  const { column, keyColumn, keyOf, most } = unique
  const given = record[column]
  if (typeof given !== 'string') throw new UnimportableRecordError(`${column} is not text`)
  const wanted = toPrintableName(given, most, '?')
  let name = wanted
  for (let number = 2; taken.has(keyOf(name)); number += 1) name = appendNumber(wanted, number, most)
  taken.add(keyOf(name))
  record[column] = name
  if (keyColumn !== undefined) record[keyColumn] = keyOf(name)
  if (name !== given) note(changedNamesReport(table), `${example}: ${name}`)
}

async function importFiles(
  table: ExportedTable,
  record: ArchiveRecord,
  given: unknown,
  { to, bring, note }: ImportRun,
  example: string,
): Promise<void> {
  const sums = new Map(typeof given === 'object' && given !== null ? Object.entries(given) : [])
  for (const { form, key, isOptional } of table.files?.(record, to) ?? []) {
    if (isOptional === true && !sums.has(form)) continue
    const size = await bring(sums.get(form), key)
    if (size !== undefined) {
      if ('size' in record && form === 'original') record['size'] = size
      continue
    }
    note(`files of ${table.table}: missing from the archive or incomplete`, `${example}, ${form}`)
    table.withoutFile(record, form)
  }
}

async function updateReferences(
  table: ExportedTable,
  records: readonly ArchiveRecord[],
  { to, position, note }: ImportRun,
  db: TransactionDb,
): Promise<readonly ArchiveRecord[]> {
  // IDs are log positions or count from 1, so they are positive.
  const idColumns = new Set(['id', ...Object.keys(table.refers), ...Object.keys(table.loosely)])
  let fit = records.filter((record) => {
    const wrong = Object.entries(record).find(
      ([column, value]) => !hasOnlySafeIntegers(value) || (idColumns.has(column) && !isValidReference(value)),
    )
    const isBeyond = typeof record['id'] === 'number' && record['id'] >= (position + 1) * table.idsOfPosition
    if (wrong === undefined && !isBeyond) return true
    const why =
      wrong === undefined ? 'id is beyond the last position of the archive' : `${wrong[0]} is not a valid number`
    note(`skipped records of ${table.table}: ${why}`, recordName(table, record))
    return false
  })
  for (const [column, target] of Object.entries(table.refers)) {
    const ids = fit.flatMap((record) => parseIds(record[column]))
    if (ids.length === 0) continue
    const there = await findExistingIds(db, to, target, [...new Set(ids)])
    const beside = new Set(target === table.table ? records.flatMap(({ id }) => parseIds(id)) : [])
    fit = fit.filter((record) => {
      const missing = parseIds(record[column]).find((id) => !there.has(id) && !beside.has(id))
      if (missing === undefined) return true
      note(`skipped records of ${table.table}: ${column} refers to no row of ${target}`, recordName(table, record))
      return false
    })
  }
  return fit
}

/** Whether the value is null, absent, or one or more positive numeric IDs. PostgreSQL would also accept strings. */
function isValidReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'number' && one > 0)
  return value === null || value === undefined || (typeof value === 'number' && value > 0)
}

/** Whether JavaScript and PostgreSQL read the value's numbers alike. Lists contain IDs or strings. */
function hasOnlySafeIntegers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'number' || Number.isSafeInteger(one))
  return true
}

function parseIds(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'number') : []
}
