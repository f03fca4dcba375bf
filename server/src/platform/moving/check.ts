import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { toPrintable } from '../../kernel/characters.ts'
import { DamagedArchive, type Report } from '../backup/reporting.ts'
import { chunksOf } from '../chunks.ts'
import { recordName } from './arriving.ts'
import type { ArchiveRecord, ExportedTable } from './carried.ts'
import { readLines, openRegularFile, parseRecord } from './lines.ts'
import { pathOfFile, pathOfTable, type ArchiveManifest } from './manifest.ts'
import { isDigest, verifyFileSize } from './stored-files.ts'

const MAX_LISTED_PROBLEMS = 10
const MAX_NAME_CHARACTERS = 80

interface CheckOptions {
  readonly folder: string
  readonly tables: readonly ExportedTable[]
  readonly skipsDamagedFiles: boolean
  readonly report: Report
  readonly signal: AbortSignal
}

/** Verifies all checksums first: an import would otherwise stop at the first damaged file with half an organization. */
export async function checkArchive(options: CheckOptions, manifest: ArchiveManifest): Promise<void> {
  const { report, skipsDamagedFiles } = options
  const tableBytes = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const total = tableBytes + (skipsDamagedFiles ? 0 : manifest.files.bytes)
  let done = 0
  // The manifest counts a file once, even if several records reference it.
  const advance = (bytes: number): void => report('sums', Math.min((done += bytes), total), total)
  await checkTables(options, manifest, advance)
  if (!skipsDamagedFiles) await checkFiles(options, manifest, advance)
}

async function checkTables(
  { folder, signal }: CheckOptions,
  manifest: ArchiveManifest,
  advance: (bytes: number) => void,
): Promise<void> {
  for (const table of manifest.tables) {
    const hash = createHash('sha256')
    const file = await openRegularFile(join(folder, pathOfTable(table.name)))
    for await (const chunk of chunksOf(file.createReadStream({ highWaterMark: 256 * 1024 }))) {
      signal.throwIfAborted()
      hash.update(chunk)
      advance(chunk.length)
    }
    if (hash.digest('hex') !== table.sha256) {
      throw new DamagedArchive(`${pathOfTable(table.name)} does not match the checksum in the manifest.`)
    }
  }
}

async function checkFiles(
  { folder, tables, signal }: CheckOptions,
  manifest: ArchiveManifest,
  advance: (bytes: number) => void,
): Promise<void> {
  const named: string[] = []
  let damaged = 0
  for (const table of tables) {
    if (table.files === undefined || !manifest.tables.some(({ name }) => name === table.table)) continue
    for await (const { text } of readLines(join(folder, pathOfTable(table.table)))) {
      const record = parseRecord(text)
      for (const sha256 of record === undefined ? [] : readChecksums(record)) {
        const size = await verifyFileSize(folder, sha256, signal)
        advance(size ?? 0)
        if (size !== undefined || record === undefined) continue
        damaged += 1
        if (named.length < MAX_LISTED_PROBLEMS) {
          const name = toPrintable(recordName(table, record)).slice(0, MAX_NAME_CHARACTERS)
          named.push(`${pathOfFile(sha256)} (${table.table}, ${name})`)
        }
      }
    }
  }
  if (damaged === 0) return
  const more = damaged > named.length ? `, and ${damaged - named.length} more` : ''
  throw new DamagedArchive(
    `Files of this archive are missing or damaged: ${named.join(', ')}${more}. Copy the archive again, or import it without them with --skip-damaged-files.`,
  )
}

function readChecksums({ files }: ArchiveRecord): string[] {
  return typeof files === 'object' && files !== null ? Object.values(files).filter(isDigest) : []
}
