import { join } from 'node:path'
import type { TransactionDb } from '../../kernel/transaction.ts'
import { DamagedArchive, type Report } from '../backup/reporting.ts'
import type { Database } from '../db/database.ts'
import type { FileStore } from '../files/store.ts'
import { setLogStart } from '../log/organization-rows.ts'
import { changedNamesReport, importRecords, recordName, type ImportRun, type RenderText } from './arriving.ts'
import { sortByReferences, UnimportableRecordError, type ArchiveRecord, type ExportedTable } from './carried.ts'
import { checkArchive } from './check.ts'
import { ReportList } from './report-list.ts'
import { readLines, parseRecord } from './lines.ts'
import { pathOfTable, readManifest, type ArchiveManifest, type ArchiveTable, type ReportEntry } from './manifest.ts'
import {
  beginImport,
  completeImport,
  lockImport,
  recordProgress,
  requireFreeSubdomain,
  type StartedImport,
} from './progress.ts'
import { clearMissingReferences, RowWriter } from './rows.ts'
import { isDigest, archivedFileSize, storeArchivedFile, verifyFileSize } from './stored-files.ts'

/** Rows and derived data of a batch must fit in memory. */
const BATCH_ROWS = 500
const BATCH_BYTES = 4 * 1024 * 1024

export interface ImportOptions {
  readonly database: Database
  readonly files: FileStore
  readonly tables: readonly ExportedTable[]
  readonly folder: string
  readonly stringId: string
  readonly url: string
  readonly renderer: (db: TransactionDb, organizationId: number) => Promise<RenderText>
  readonly isDryRun: boolean
  readonly skipsDamagedFiles: boolean
  /** Called before the first write. */
  readonly begun?: (() => Promise<void>) | undefined
  readonly report: Report
  readonly signal: AbortSignal
}

export interface ImportedOrganization {
  readonly organizationId: number
  readonly manifest: ArchiveManifest
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly stored: number }[]
  readonly leftOut: readonly ReportEntry[]
  readonly isResumed: boolean
}

class DryRunEndedError extends Error {}

/** Starts or resumes an import. The organization is hidden until the end. @throws DamagedArchive, ImportRefusedError */
export async function importArchive(options: ImportOptions): Promise<ImportedOrganization> {
  const { database, folder, stringId, isDryRun } = options
  const { manifest, digest } = await readManifest(folder)
  const unlock = await lockImport(database, stringId)
  try {
    // Checked first, because verifying the archive can take an hour.
    await requireFreeSubdomain(database.reads, stringId)
    await checkArchive(options, manifest)
    if (!isDryRun) {
      const begun = await database.transaction(async (db) => beginImport(db, digest, stringId))
      await options.begun?.()
      return await new ArchiveImport(options, manifest, begun, (work) => database.transaction(work)).run()
    }
    let outcome: ImportedOrganization | undefined
    const everything = database.transaction(async (db) => {
      const begun = await beginImport(db, digest, stringId)
      outcome = await new ArchiveImport(options, manifest, begun, async (work) => work(db)).run()
      throw new DryRunEndedError()
    })
    await everything.catch((error: unknown) => {
      if (!(error instanceof DryRunEndedError)) throw error
    })
    if (outcome === undefined) throw new Error('a dry run did not finish')
    return outcome
  } finally {
    await unlock()
  }
}

class ArchiveImport {
  readonly #options: ImportOptions
  readonly #manifest: ArchiveManifest
  readonly #begun: StartedImport
  readonly #part: <Result>(work: (db: TransactionDb) => Promise<Result>) => Promise<Result>
  readonly #leftOut: ReportList
  readonly #isResumed: boolean
  #rows = 0
  #total = 0

  constructor(
    options: ImportOptions,
    manifest: ArchiveManifest,
    begun: StartedImport,
    part: <Result>(work: (db: TransactionDb) => Promise<Result>) => Promise<Result>,
  ) {
    this.#options = options
    this.#manifest = manifest
    this.#begun = begun
    this.#part = part
    this.#isResumed = Object.keys(begun.progress).length > 0
    this.#leftOut = new ReportList(begun.leftOut)
  }

  async run(): Promise<ImportedOrganization> {
    const { tables, stringId, signal } = this.#options
    const archived = new Map(this.#manifest.tables.map((table) => [table.name, table]))
    this.#total = this.#manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
    // A resumed import has already stored these notes with its progress.
    if (!this.#isResumed) for (const one of this.#manifest.left_out) this.#leftOut.addAll(one)
    for (const table of sortByReferences(tables)) {
      const archivedTable = archived.get(table.table)
      archived.delete(table.table)
      if (archivedTable !== undefined) await this.#table(table, archivedTable)
    }
    for (const { name, rows } of archived.values())
      this.#leftOut.add(`rows of the unknown table ${name}`, undefined, rows)
    signal.throwIfAborted()
    const counts = await this.#part(async (db) => {
      await this.#finish(db)
      const stored = await findStoredRows(db, this.#begun.organizationId, tables)
      await completeImport(db, this.#begun, stringId)
      return stored
    })
    return {
      organizationId: this.#begun.organizationId,
      manifest: this.#manifest,
      tables: this.#manifest.tables.map(({ name, rows }) => ({ name, rows, stored: counts.get(name) ?? 0 })),
      leftOut: this.#leftOut.all(),
      isResumed: this.#isResumed,
    }
  }

  async #table(table: ExportedTable, held: ArchiveTable): Promise<void> {
    const { folder, signal } = this.#options
    const path = join(folder, pathOfTable(table.table))
    let stored = this.#begun.progress[table.table] ?? 0
    if (stored >= held.bytes) {
      this.#reportRows(held.rows)
      return
    }
    const taken = await this.#part(async (db) => findTakenNames(db, this.#begun.organizationId, table))
    const writer = await this.#part(async (db) => RowWriter.open(db, table, this.#begun.organizationId))
    let batch: ArchiveRecord[] = []
    let [size, lines] = [0, 0]
    const flush = async (end: number): Promise<void> => {
      const records = batch
      batch = []
      this.#begun.progress[table.table] = end
      await this.#part(async (db) => this.#batch(db, table, writer, records, taken))
      this.#reportRows(lines)
      ;[size, lines, stored] = [0, 0, end]
    }
    for await (const { text, end } of readLines(path, stored)) {
      signal.throwIfAborted()
      const record = parseRecord(text === undefined ? undefined : this.#moved(text))
      if (record === undefined) {
        this.#leftOut.add(`lines of ${table.table} that are not records, or are too long`, text?.slice(0, 80))
      } else batch.push(this.#onlyKnown(table, record))
      size += text?.length ?? 0
      lines += 1
      if (lines >= BATCH_ROWS || size >= BATCH_BYTES) await flush(end)
    }
    await flush(Math.max(held.bytes, stored))
  }

  async #batch(
    db: TransactionDb,
    table: ExportedTable,
    writer: RowWriter,
    records: readonly ArchiveRecord[],
    taken: Set<string>,
  ): Promise<void> {
    const { renderer, signal } = this.#options
    const journey = this.#journey()
    const begun = this.#begun
    let rendering: Promise<RenderText> | undefined
    const fit = await importRecords(table, records, journey, {
      db,
      taken,
      async render() {
        signal.throwIfAborted()
        return (rendering ??= renderer(db, begun.organizationId))
      },
    })
    await writer.write(db, fit, {
      refused: (record, why) => journey.note(`skipped records of ${table.table}: ${why}`, recordName(table, record)),
      renamed: (record, name) => journey.note(changedNamesReport(table.table), `${recordName(table, record)}: ${name}`),
    })
    await recordProgress(db, this.#begun, this.#leftOut.all())
  }

  #journey(): ImportRun {
    const { folder, files, isDryRun, skipsDamagedFiles, signal } = this.#options
    return {
      from: this.#manifest.organization.id,
      to: this.#begun.organizationId,
      position: this.#manifest.position,
      async bring(sha256, key) {
        if (!isDigest(sha256)) return undefined
        if (!isDryRun) return storeArchivedFile(folder, sha256, key, files)
        return skipsDamagedFiles ? verifyFileSize(folder, sha256, signal) : archivedFileSize(folder, sha256)
      },
      note: (what, example) => this.#leftOut.add(what, example),
    }
  }

  #onlyKnown({ table, columns, files }: ExportedTable, record: ArchiveRecord): ArchiveRecord {
    const known: ArchiveRecord = {}
    for (const [name, value] of Object.entries(record)) {
      if (columns.includes(name) || (name === 'files' && files !== undefined)) known[name] = value
      else this.#leftOut.add(`values of the unknown column ${name} of ${table}`)
    }
    return known
  }

  #moved(text: string): string {
    const { organization } = this.#manifest
    const { organizationId } = this.#begun
    let moved = text
    for (const path of ['/user_uploads/', '/user_uploads/thumbnail/']) {
      moved = moved.replaceAll(`${path}${organization.id}/`, `${path}${organizationId}/`)
    }
    const there = organization.url
    const { url } = this.#options
    if (!/^https?:\/\/[^/"\\]+$/.test(there) || there === url) return moved
    for (const path of ['/#narrow/', '/user_uploads/']) moved = moved.replaceAll(`${there}${path}`, `${url}${path}`)
    return moved
  }

  async #finish(db: TransactionDb): Promise<void> {
    const { organizationId } = this.#begun
    const { tables } = this.#options
    for (const table of tables) {
      const forgotten = await clearMissingReferences(db, organizationId, table)
      if (forgotten > 0) this.#leftOut.add(`rows of ${table.table} that refer to missing rows`, undefined, forgotten)
    }
    for (const { finish } of tables) {
      await finish?.(db, organizationId, (what, example) => this.#leftOut.add(what, example)).catch(
        (error: unknown) => {
          throw error instanceof UnimportableRecordError
            ? new DamagedArchive(`The organization in the archive is incomplete: ${error.message}.`)
            : error
        },
      )
    }
    await setLogStart(db, organizationId, this.#manifest.position + 1)
  }

  #reportRows(rows: number): void {
    this.#rows += rows
    this.#options.report('rows', this.#rows, this.#total)
  }
}

async function findTakenNames(
  db: TransactionDb,
  organizationId: number,
  { table, unique }: ExportedTable,
): Promise<Set<string>> {
  if (unique === undefined || unique.index !== undefined) return new Set()
  const text = `select "${unique.column}" as name from "${table}" where organization_id = $1`
  const rows = await db.rows<{ name: string }>('', text, [organizationId])
  return new Set(rows.map(({ name }) => unique.keyOf(name)))
}

async function findStoredRows(
  db: TransactionDb,
  organizationId: number,
  tables: readonly ExportedTable[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { table } of tables) {
    const text = `select count(*)::int as count from "${table}" where organization_id = $1`
    const [row] = await db.rows<{ count: number }>('', text, [organizationId])
    counts.set(table, row?.count ?? 0)
  }
  return counts
}
