import { randomBytes } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type pg from 'pg'
import { waitForMigrations } from '../db/migrate.ts'
import type { FileStore } from '../files/store.ts'
import { pathExists, makeFolder, findFolderObstacle } from '../folders.ts'
import { copyData, type CopyResult } from './copy.ts'
import { dumpDatabase } from './dump.ts'
import { defaultIfMissing, computeChecksum, syncFolder, syncFolders } from './folder.ts'
import {
  BACKUP_FORMAT,
  DATABASE_FOLDER,
  pathOfTable,
  readManifest,
  CHECKSUMS_FILE,
  writeManifest,
  type Manifest,
} from './manifest.ts'
import type { Report } from './reporting.ts'
import { readSums, SortedChecksums, ChecksumWriter, type Checksum } from './sums.ts'

export interface BackupOptions {
  readonly client: pg.Client
  readonly dataDirectory: string
  readonly files: FileStore
  readonly target: string
  readonly version: string
  readonly report: Report
  readonly signal?: AbortSignal
}

export interface BackupResult {
  readonly manifest: Manifest
  readonly copiedFiles: number
  readonly linkedFiles: number
  readonly copiedBytes: number
  readonly earlier: string | undefined
  readonly unfinished: readonly string[]
}

/** Backs up while servers run. Copies files before and after the database, to include files added in between. */
export async function makeBackup(options: BackupOptions): Promise<BackupResult> {
  const { client, report, signal, version } = options
  const begunAt = Math.floor(Date.now() / 1000)
  const target = resolve(options.target)
  await requireFreeTarget(target, resolve(options.dataDirectory))
  const beside = await findBackupsBeside(target)
  const partial = `${target}.partial-${randomBytes(4).toString('hex')}`
  await makeFolder(partial)
  try {
    await waitForMigrations(client)
    const round = async (sums: ChecksumWriter, known: AsyncIterator<Checksum, unknown>): Promise<CopyResult> =>
      copyData({
        from: resolve(options.dataDirectory),
        outside: options.files.report.kind === 'folder' ? undefined : options.files,
        to: partial,
        known: new SortedChecksums(known),
        earlier:
          beside.earlier === undefined
            ? undefined
            : { folder: beside.earlier, sums: new SortedChecksums(readSums(join(beside.earlier, CHECKSUMS_FILE))) },
        sums,
        report,
        signal,
      })
    const firstList = join(partial, `${CHECKSUMS_FILE}.first`)
    const first = new ChecksumWriter(firstList)
    const before = await round(first, noSums())
    await first.end()
    await makeFolder(join(partial, DATABASE_FOLDER))
    const dump = await dumpDatabase(client, partial, report, signal)
    const sums = new ChecksumWriter(join(partial, CHECKSUMS_FILE))
    const after = await round(sums, readSums(firstList))
    const tables = dump.tables.map(({ name, sha256 }) => ({ path: pathOfTable(name), sha256 }))
    for (const table of tables.toSorted((a, b) => (a.path < b.path ? -1 : 1))) await sums.write(table)
    await sums.end()
    await rm(firstList)
    await syncFolders(partial)
    const copiedBytes = before.copiedBytes + after.copiedBytes
    const manifest: Manifest = {
      format: BACKUP_FORMAT,
      parley: version,
      begunAt,
      ...dump,
      files: after.fileCount,
      sums: (await computeChecksum(join(partial, CHECKSUMS_FILE))).sha256,
    }
    await writeManifest(partial, manifest)
    await syncFolder(partial)
    signal?.throwIfAborted()
    await rename(partial, target)
    await syncFolder(dirname(target))
    return {
      manifest,
      copiedFiles: before.copiedFiles + after.copiedFiles,
      linkedFiles: before.linkedFiles + after.linkedFiles,
      copiedBytes,
      ...beside,
    }
  } catch (error) {
    await rm(partial, { recursive: true, force: true, maxRetries: 3 })
    throw error
  }
}

async function* noSums(): AsyncGenerator<Checksum> {}

async function requireFreeTarget(target: string, dataDirectory: string): Promise<void> {
  if ((await stat(dataDirectory).catch(defaultIfMissing(undefined))) === undefined) {
    throw new Error(`The data folder ${dataDirectory} does not exist. Check PARLEY_DATA_DIR.`)
  }
  const below = relative(dataDirectory, target)
  if (below === '' || !(below.startsWith('..') || resolve(below) === below)) {
    throw new Error(
      `${target} is in the data folder and would be lost with it. Choose another place, preferably on another disk.`,
    )
  }
  const obstacle = await findFolderObstacle(dirname(target))
  if (obstacle !== undefined) throw new Error(`${dirname(target)} ${obstacle}: choose a new folder elsewhere.`)
  if (await pathExists(target)) {
    throw new Error(`${target} already exists. Backups are never overwritten: choose a new folder.`)
  }
}

async function findBackupsBeside(target: string): Promise<Pick<BackupResult, 'earlier' | 'unfinished'>> {
  const parent = dirname(target)
  await makeFolder(parent)
  let newest: { readonly folder: string; readonly begunAt: number } | undefined
  const unfinished: string[] = []
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === basename(target)) continue
    const folder = join(parent, entry.name)
    if (/\.partial-[\da-f]{8}$/.test(entry.name)) unfinished.push(folder)
    else {
      // Only the newest complete backup is a source of hard links.
      const { begunAt } = (await readManifest(folder).catch(() => undefined)) ?? {}
      if (begunAt !== undefined && begunAt >= (newest?.begunAt ?? 0)) newest = { folder, begunAt }
    }
  }
  return { earlier: newest?.folder, unfinished }
}
