import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { SESSION_SETTINGS_SQL } from '../backup/dump.ts'
import { FILE_MODE, defaultIfMissing, storeWithChecksum, syncFolder, syncFolders } from '../backup/folder.ts'
import type { Report } from '../backup/reporting.ts'
import type { FileStore } from '../files/store.ts'
import { pathExists, makeFolder, findFolderObstacle } from '../folders.ts'
import { toRecord, type ArchiveRecord, type ExportedTable } from './carried.ts'
import { ReportList } from './report-list.ts'
import {
  ARCHIVE_FORMAT,
  pathOfFile,
  pathOfTable,
  writeManifest,
  type ArchiveManifest,
  type ArchiveTable,
} from './manifest.ts'

export interface OmittedTable {
  readonly table: string
  /** Phrase for the report; null if operators need not know that the table is omitted. */
  readonly note: string | null
}

export interface ExportOptions {
  readonly client: pg.Client
  readonly files: FileStore
  readonly tables: readonly ExportedTable[]
  readonly omitted: readonly OmittedTable[]
  readonly organization: ArchiveManifest['organization']
  readonly target: string
  readonly version: string
  readonly withSecrets: boolean
  readonly report: Report
  readonly signal: AbortSignal
}

/** JSON contains neither character, so nothing is quoted and a line of COPY is a line of JSON. */
const COPY_PLAIN_LINES_OPTIONS = "format csv, delimiter e'\\x02', quote e'\\x01'"

/** Exports an organization while servers are running. The archive has a temporary name until it is complete. */
export async function writeArchive(options: ExportOptions): Promise<ArchiveManifest> {
  const { client, organization, signal, version, withSecrets } = options
  const target = resolve(options.target)
  const obstacle = await findFolderObstacle(dirname(target))
  if (obstacle !== undefined) throw new Error(`${dirname(target)} ${obstacle}: choose a new folder elsewhere.`)
  if (await pathExists(target)) {
    throw new Error(`${target} already exists. Archives are never overwritten: choose a new folder.`)
  }
  await makeFolder(dirname(target))
  const partial = `${target}.partial-${randomBytes(4).toString('hex')}`
  try {
    await makeFolder(join(partial, 'tables'))
    await makeFolder(join(partial, 'files'))
    await client.query(SESSION_SETTINGS_SQL)
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ position: number; made_at: number }>(
      'select position, floor(extract(epoch from clock_timestamp()))::bigint as made_at from organizations where id = $1',
      [organization.id],
    )
    const [moment] = rows
    if (moment === undefined) throw new Error('the organization no longer exists')
    const writing = new ArchiveExport(options, partial)
    const tables: ArchiveTable[] = []
    for (const table of options.tables) tables.push(await writing.table(table))
    await writing.countOmitted()
    await client.query('commit')
    const manifest: ArchiveManifest = {
      format: ARCHIVE_FORMAT,
      made_by: 'parley',
      version,
      ...moment,
      organization,
      with_secrets: withSecrets,
      tables,
      files: writing.files,
      left_out: writing.leftOut.all(),
    }
    await syncFolders(partial)
    await writeManifest(partial, manifest)
    await syncFolder(partial)
    signal.throwIfAborted()
    await rename(partial, target)
    await syncFolder(dirname(target))
    return manifest
  } catch (error) {
    await rm(partial, { recursive: true, force: true, maxRetries: 3 })
    throw error
  }
}

class ArchiveExport {
  readonly leftOut = new ReportList()
  readonly files = { count: 0, bytes: 0 }
  readonly #options: ExportOptions
  readonly #folder: string
  #rows = 0

  constructor(options: ExportOptions, folder: string) {
    this.#options = options
    this.#folder = folder
  }

  async table(table: ExportedTable): Promise<ArchiveTable> {
    const { client, organization, signal } = this.#options
    const { to } = await import('pg-copy-streams')
    const lines = client.query(to(`copy (${this.#rowsSql(table)}) to stdout with (${COPY_PLAIN_LINES_OPTIONS})`))
    const hash = createHash('sha256')
    let [rows, bytes] = [0, 0]
    const counted = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    }
    const files = table.files
    const source =
      files === undefined
        ? lines
        : Readable.from(
            this.#withFiles(lines, (record) => files(record, organization.id)),
            { objectMode: false },
          )
    const path = join(this.#folder, pathOfTable(table.table))
    const file = createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true })
    await pipeline(source, counted, file, { signal })
    rows = lines.rowCount
    this.#rows += rows
    this.#options.report('rows', this.#rows, 0)
    return { name: table.table, columns: [...table.columns], rows, bytes, sha256: hash.digest('hex') }
  }

  #rowsSql({ table, columns, order, secrets }: ExportedTable): string {
    const { withSecrets, organization } = this.#options
    const column = (name: string): string => {
      const quoted = pg.escapeIdentifier(name)
      return secrets.includes(name) && !withSecrets ? `null as ${quoted}` : `t.${quoted}`
    }
    const where = `where t.organization_id = ${organization.id}`
    const sorted =
      order.length === 0 ? '' : `order by ${order.map((name) => `t.${pg.escapeIdentifier(name)}`).join(', ')}`
    return `select row_to_json(r) from (select ${columns.map(column).join(', ')} from ${pg.escapeIdentifier(table)} t ${where} ${sorted}) r`
  }

  async *#withFiles(
    chunks: AsyncIterable<Buffer>,
    filesOf: (record: ArchiveRecord) => ReturnType<NonNullable<ExportedTable['files']>>,
  ): AsyncGenerator<Buffer> {
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of chunks) {
      const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let begin = 0
      for (let at = text.indexOf(0x0a); at >= 0; at = text.indexOf(0x0a, begin)) {
        const record = toRecord(JSON.parse(text.toString('utf8', begin, at)))
        const files: Record<string, string> = {}
        for (const { form, key, isOptional } of filesOf(record)) {
          const sha256 = await this.#copyFile(key)
          if (sha256 !== undefined) files[form] = sha256
          else if (isOptional !== true) this.leftOut.add('files that are no longer stored', key)
        }
        yield Buffer.from(`${JSON.stringify({ ...record, files })}\n`)
        begin = at + 1
      }
      rest = text.subarray(begin)
    }
  }

  async #copyFile(key: string): Promise<string | undefined> {
    const { files, report, signal } = this.#options
    if ((await files.size(key)) === undefined) return undefined
    const incoming = join(this.#folder, 'files', 'incoming')
    const made = await storeWithChecksum(files.read(key), incoming, signal).catch(async (error: unknown) => {
      await rm(incoming, { force: true })
      return defaultIfMissing(undefined)(error)
    })
    if (made === undefined) return undefined
    const path = join(this.#folder, pathOfFile(made.sha256))
    if ((await stat(path).catch(defaultIfMissing(undefined))) === undefined) {
      await makeFolder(dirname(path))
      await rename(incoming, path)
      this.files.count += 1
      this.files.bytes += made.bytes
      report('files', this.files.bytes, 0)
    } else {
      await rm(incoming)
    }
    return made.sha256
  }

  async countOmitted(): Promise<void> {
    const { client, organization, omitted, withSecrets } = this.#options
    for (const { table, note } of omitted) {
      if (note === null) continue
      const text = `select count(*)::int as count from ${pg.escapeIdentifier(table)} where organization_id = $1`
      const { rows } = await client.query<{ count: number }>(text, [organization.id])
      const count = rows[0]?.count ?? 0
      if (count > 0) this.leftOut.add(note, undefined, count)
    }
    if (!withSecrets) this.leftOut.add('passwords and API keys, as requested')
  }
}
