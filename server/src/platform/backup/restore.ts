import { createReadStream } from 'node:fs'
import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { formatCount } from '../../kernel/phrases.ts'
import { isKey, randomName, type FileStore } from '../files/store.ts'
import { makeFolder } from '../folders.ts'
import { recordRestoredDatabase, databaseIdentity } from '../log/restored.ts'
import { DamagedBackup, type Report } from './reporting.ts'
import {
  defaultIfMissing,
  storeWithChecksum,
  computeChecksum,
  syncFolder,
  syncFolders,
  writeDurably,
} from './folder.ts'
import { loadDatabase, advanceSequences, type LoadOptions } from './load.ts'
import { DATA_FOLDER, MANIFEST_FILE, CHECKSUMS_FILE, type Manifest } from './manifest.ts'
import { readSums } from './sums.ts'

/** Name of the file that blocks other uses of a data folder during a restore. */
const RESTORE_MARKER = 'restoring'

const FILES_PREFIX = `${DATA_FOLDER}/files/`

export async function markRestoreStarted(dataDirectory: string): Promise<void> {
  const names = await readdir(dataDirectory).catch(defaultIfMissing<string[]>([]))
  const [found] = names.filter((name) => name !== 'lost+found')
  if (found !== undefined) {
    throw new Error(
      `The data folder ${resolve(dataDirectory)} is not empty: it contains ${found}. Move it elsewhere first: a backup can be restored only into an empty folder.`,
    )
  }
  await makeFolder(dataDirectory)
  await writeDurably(
    join(dataDirectory, RESTORE_MARKER),
    'A backup is being restored into this folder. Do not use the folder until the restore is complete.\n',
  )
  await syncFolder(dataDirectory)
}

export async function requireEmptyFileStore(files: FileStore): Promise<void> {
  if (files.report.kind === 'folder') return
  for await (const { key } of files.list()) {
    throw new Error(
      `The place in PARLEY_FILES is not empty: it contains ${key}. Set another prefix: a backup can be restored only into an empty one.`,
    )
  }
}

export async function markRestoreComplete(dataDirectory: string): Promise<void> {
  await rm(join(dataDirectory, RESTORE_MARKER))
  await syncFolder(dataDirectory)
}

export async function undoRestore(dataDirectory: string, files: FileStore): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    if (name !== 'lost+found') await rm(join(dataDirectory, name), { recursive: true, force: true, maxRetries: 3 })
  }
  if (files.report.kind !== 'folder') for await (const { key } of files.list()) await files.remove(key)
}

export async function requireCompleteRestore(dataDirectory: string): Promise<void> {
  if ((await stat(join(dataDirectory, RESTORE_MARKER)).catch(defaultIfMissing(undefined))) === undefined) return
  throw new Error(
    `A backup is being restored into ${resolve(dataDirectory)}, or a restore into it was interrupted. If it was interrupted, delete everything in the folder (and in an external database), and restore again.`,
  )
}

export interface FileRestoreOptions {
  readonly dataDirectory: string
  readonly files: FileStore
  readonly report: Report
  readonly signal: AbortSignal | undefined
}

export async function restoreFiles(
  folder: string,
  manifest: Manifest,
  { dataDirectory, files, report, signal }: FileRestoreOptions,
): Promise<number> {
  const list = join(folder, CHECKSUMS_FILE)
  const { sha256: sums } = await computeChecksum(list).catch(defaultIfMissing({ sha256: '' }))
  if (sums !== manifest.sums)
    throw new DamagedBackup(`${CHECKSUMS_FILE} does not match the checksum in ${MANIFEST_FILE}.`)
  let [count, bytes] = [0, 0]
  for await (const { path, sha256 } of readSums(list)) {
    signal?.throwIfAborted()
    if (!path.startsWith(`${DATA_FOLDER}/`)) continue
    const source = join(folder, path)
    const state = await stat(source).catch(defaultIfMissing(undefined))
    if (state === undefined) throw new DamagedBackup(`${path} is missing.`)
    const key = storeKeyFor(path, files)
    const target =
      key === undefined ? join(dataDirectory, path.slice(DATA_FOLDER.length + 1)) : join(files.incoming, randomName())
    await makeFolder(dirname(target))
    const stored = await storeWithChecksum(createReadStream(source, { highWaterMark: 256 * 1024 }), target, signal)
    if (stored.sha256 !== sha256) throw new DamagedBackup(`${path} does not match its checksum.`)
    if (key === undefined) await utimes(target, new Date(), state.mtime)
    else await files.put(key, target)
    count += 1
    report('files', (bytes += stored.bytes), 0)
  }
  if (count !== manifest.files)
    throw new DamagedBackup(
      `${CHECKSUMS_FILE} lists ${formatCount(count, 'file', 'files')}, but ${MANIFEST_FILE} says ${manifest.files}.`,
    )
  await syncFolders(dataDirectory)
  return count
}

function storeKeyFor(path: string, files: FileStore): string | undefined {
  const key = path.slice(FILES_PREFIX.length)
  return files.report.kind !== 'folder' && path.startsWith(FILES_PREFIX) && isKey(key) ? key : undefined
}

export interface RestoreOptions extends LoadOptions {
  readonly manifest: Manifest
  readonly dataDirectory: string | undefined
}

export interface RestoredDatabase {
  readonly leftOut: readonly string[]
  readonly distance: number
}

/** Restores the database in one transaction. Advances positions beyond all that clients can have seen. */
export async function restoreDatabase(options: RestoreOptions): Promise<RestoredDatabase> {
  const { client, manifest, dataDirectory } = options
  await client.query('begin')
  const leftOut = await loadDatabase(options)
  const distance = await recordRestoredDatabase(
    client,
    await databaseIdentity(client, dataDirectory),
    manifest.snapshotAt,
  )
  await advanceSequences(client, manifest, distance)
  await client.query('analyze')
  await client.query('commit')
  return { leftOut, distance }
}
