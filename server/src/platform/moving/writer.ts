import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { FILE_MODE, defaultIfMissing, storeWithChecksum } from '../backup/folder.ts'
import { makeFolder } from '../folders.ts'
import type { ArchiveRecord, ExportedTable } from './carried.ts'
import { ReportList } from './report-list.ts'
import { ARCHIVE_FORMAT, pathOfFile, pathOfTable, writeManifest, type ArchiveManifest } from './manifest.ts'

interface OpenTable {
  readonly columns: readonly string[]
  readonly stream: WriteStream
  readonly hash: Hash
  rows: number
  bytes: number
}

export class ArchiveWriter {
  readonly leftOut = new ReportList()
  readonly #folder: string
  readonly #files = { count: 0, bytes: 0 }
  readonly #written: ReadonlyMap<string, OpenTable>

  private constructor(folder: string, written: ReadonlyMap<string, OpenTable>) {
    this.#folder = folder
    this.#written = written
  }

  /** `folder` must be empty. */
  static async begin(folder: string, tables: readonly ExportedTable[]): Promise<ArchiveWriter> {
    await makeFolder(join(folder, 'tables'))
    await makeFolder(join(folder, 'files'))
    const written = new Map<string, OpenTable>(
      tables.map(({ table, columns }) => {
        const stream = createWriteStream(join(folder, pathOfTable(table)), { flags: 'wx', mode: FILE_MODE })
        stream.on('error', () => undefined)
        return [table, { stream, columns, hash: createHash('sha256'), rows: 0, bytes: 0 }]
      }),
    )
    return new ArchiveWriter(folder, written)
  }

  async write(table: string, record: ArchiveRecord): Promise<void> {
    const written = this.#written.get(table)
    if (written === undefined) throw new Error(`an archive has no table ${table}`)
    const line = Buffer.from(`${JSON.stringify(record)}\n`)
    written.hash.update(line)
    written.rows += 1
    written.bytes += line.length
    if (written.stream.errored !== null) throw written.stream.errored
    if (!written.stream.write(line)) await once(written.stream, 'drain')
  }

  /** Adds a file. Returns its path, and the checksum by which records reference the file. */
  async file(source: Readable, signal: AbortSignal): Promise<{ sha256: string; bytes: number; path: string }> {
    const incoming = join(this.#folder, 'files', 'incoming')
    const { sha256, bytes } = await storeWithChecksum(source, incoming, signal).catch(async (error: unknown) => {
      await rm(incoming, { force: true })
      throw error
    })
    const path = join(this.#folder, pathOfFile(sha256))
    if ((await stat(path).catch(defaultIfMissing(undefined))) === undefined) {
      await makeFolder(dirname(path))
      this.#files.count += 1
      this.#files.bytes += bytes
    }
    await rename(incoming, path)
    return { sha256, bytes, path }
  }

  async end(
    facts: Pick<ArchiveManifest, 'made_by' | 'version' | 'made_at' | 'organization' | 'position'>,
  ): Promise<void> {
    await this.close()
    await writeManifest(this.#folder, {
      format: ARCHIVE_FORMAT,
      ...facts,
      with_secrets: false,
      tables: [...this.#written].map(([name, { columns, hash, rows, bytes }]) => ({
        name,
        columns: [...columns],
        rows,
        bytes,
        sha256: hash.digest('hex'),
      })),
      files: this.#files,
      left_out: this.leftOut.all(),
    })
  }

  async close(): Promise<void> {
    for (const { stream } of this.#written.values()) {
      if (stream.errored !== null) throw stream.errored
      stream.end()
      if (!stream.closed) await once(stream, 'close')
    }
  }
}
