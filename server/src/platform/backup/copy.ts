import { createReadStream } from 'node:fs'
import { link, lstat, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore } from '../files/store.ts'
import { makeFolder } from '../folders.ts'
import { DATA_FOLDER } from './manifest.ts'
import { filesBelow, defaultIfMissing, storeWithChecksum, type FoundFile } from './folder.ts'
import type { SortedChecksums, ChecksumWriter } from './sums.ts'
import type { Report } from './reporting.ts'

/** Excludes the database, which is dumped separately, and files of running processes. */
const EXCLUDED_NAMES_PATTERN = /^(?:postgres|lock(?:\..*)?|served\.json|backups\.json(?:\..*)?|lost\+found)$/

const INCOMING_PREFIX = 'files/incoming/'

const IMMUTABLE_PREFIX = 'files/'

export interface CopyOptions {
  readonly from: string
  /** The file store, if it is outside the data folder. */
  readonly outside: FileStore | undefined
  readonly to: string
  /** Checksums from the previous pass, whose files stay in the backup even if they have been deleted since. */
  readonly known: SortedChecksums
  readonly earlier: { readonly folder: string; readonly sums: SortedChecksums } | undefined
  readonly sums: ChecksumWriter
  readonly report: Report
  readonly signal: AbortSignal | undefined
}

export interface CopyResult {
  readonly fileCount: number
  readonly copiedBytes: number
  readonly copiedFiles: number
  readonly linkedFiles: number
}

export async function copyData(copying: CopyOptions): Promise<CopyResult> {
  const { to, known, sums, report, signal } = copying
  const total = { fileCount: 0, copiedBytes: 0, copiedFiles: 0, linkedFiles: 0 }
  const list = async (path: string, sha256: string): Promise<void> => {
    total.fileCount += 1
    await sums.write({ path, sha256 })
  }
  const listGone = async (before: string | undefined): Promise<void> => {
    for (let gone = await known.takeBefore(before); gone !== undefined; gone = await known.takeBefore(before)) {
      await list(gone.path, gone.sha256)
    }
  }
  for await (const file of filesToCopy(copying)) {
    signal?.throwIfAborted()
    if (file.path.startsWith(INCOMING_PREFIX)) continue
    const path = `${DATA_FOLDER}/${file.path}`
    await listGone(path)
    let sha256 = await known.take(path)
    if (sha256 === undefined) {
      await makeFolder(dirname(join(to, path)))
      sha256 = await linkFile(copying, file, path)
      if (sha256 !== undefined) total.linkedFiles += 1
    }
    if (sha256 === undefined) {
      const made = await copyFile(copying, file, path)
      if (made === undefined) continue
      sha256 = made.sha256
      total.copiedFiles += 1
      total.copiedBytes += made.bytes
      report('files', total.copiedBytes, 0)
    }
    await list(path, sha256)
  }
  await listGone(undefined)
  return total
}

async function* filesToCopy({ from, outside }: CopyOptions): AsyncGenerator<FoundFile> {
  if (outside === undefined) {
    yield* filesBelow(from, (name) => !EXCLUDED_NAMES_PATTERN.test(name))
    return
  }
  const stored: FoundFile[] = []
  for await (const { key, size, storedAt } of outside.list())
    stored.push({ path: `${IMMUTABLE_PREFIX}${key}`, size, modifiedAt: storedAt * 1000 })
  stored.sort((a, b) => (a.path < b.path ? -1 : 1))
  let hasListedStored = false
  for await (const file of filesBelow(
    from,
    (name) => !EXCLUDED_NAMES_PATTERN.test(name) && `${name}/` !== IMMUTABLE_PREFIX,
  )) {
    if (!hasListedStored && file.path > IMMUTABLE_PREFIX) {
      yield* stored
      hasListedStored = true
    }
    yield file
  }
  if (!hasListedStored) yield* stored
}

/** Hard-links an identical file of the earlier backup and returns the checksum recorded there. */
async function linkFile({ to, earlier }: CopyOptions, file: FoundFile, path: string): Promise<string | undefined> {
  if (earlier === undefined || !file.path.startsWith(IMMUTABLE_PREFIX)) return undefined
  const sha256 = await earlier.sums.take(path)
  if (sha256 === undefined) return undefined
  const source = join(earlier.folder, path)
  const state = await lstat(source).catch(defaultIfMissing(undefined))
  const isSame = state?.isFile() === true && state.size === file.size && Math.round(state.mtimeMs) === file.modifiedAt
  if (!isSame) return undefined
  try {
    await link(source, join(to, path))
    return sha256
  } catch {
    // Copies the file instead: the disk does not support hard links, or the file has too many.
    return undefined
  }
}

async function copyFile(
  { from, to, outside, signal }: CopyOptions,
  file: FoundFile,
  path: string,
): Promise<{ readonly sha256: string; readonly bytes: number } | undefined> {
  const key = file.path.slice(IMMUTABLE_PREFIX.length)
  const isOutside = outside !== undefined && file.path.startsWith(IMMUTABLE_PREFIX)
  const source = isOutside ? outside.read(key) : createReadStream(join(from, file.path), { highWaterMark: 256 * 1024 })
  const target = join(to, path)
  const made = await storeWithChecksum(source, target, signal).catch(async (error: unknown) => {
    await rm(target, { force: true })
    const left = await (isOutside ? outside.size(key) : stat(join(from, file.path)).catch(defaultIfMissing(undefined)))
    if (left !== undefined) throw error
    return undefined
  })
  // Keeps the modification time, because the next backup compares it.
  if (made !== undefined) await utimes(target, new Date(), file.modifiedAt / 1000)
  return made
}
