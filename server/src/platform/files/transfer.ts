import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../folders.ts'
import { isMissingFile, randomName, type FileStore, type ListedFile } from './store.ts'

const FILES_AT_ONCE = 8

export interface TransferOptions {
  readonly from: FileStore
  readonly to: FileStore
  readonly isDry: boolean
  /** Whether to compare files that the target already has. */
  readonly verifies: boolean
  readonly removes: boolean
  readonly report: (doneBytes: number, allBytes: number) => void
  readonly signal: AbortSignal
}

export interface TransferResult {
  files: number
  bytes: number
  copied: number
  copiedBytes: number
  alreadyThere: number
  differing: string[]
  removed: number
}

/** Copies files, verified by checksum. A rerun skips files of equal size, because stored files are always complete. */
export async function transferFiles(options: TransferOptions): Promise<TransferResult> {
  const { from, to, isDry, signal } = options
  const result: TransferResult = {
    files: 0,
    bytes: 0,
    copied: 0,
    copiedBytes: 0,
    alreadyThere: 0,
    differing: [],
    removed: 0,
  }
  for await (const { size } of from.list()) {
    signal.throwIfAborted()
    result.files += 1
    result.bytes += size
  }
  if (!isDry) await makeFolder(to.incoming)
  let done = 0
  const left = from.list()[Symbol.asyncIterator]()
  const work = async (): Promise<void> => {
    for (;;) {
      signal.throwIfAborted()
      const next = await left.next()
      if (next.done === true) return
      await transferFile(next.value, options, result).catch((error: unknown) => {
        if (!isMissingFile(error)) throw error
      })
      done += next.value.size
      options.report(done, result.bytes)
    }
  }
  const workers = Array.from({ length: FILES_AT_ONCE }, work)
  // Waits for all workers, so that nothing continues after a failure is reported.
  const outcomes = await Promise.allSettled(workers)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  return result
}

async function transferFile(
  { key, size }: ListedFile,
  { from, to, isDry, verifies, removes, signal }: TransferOptions,
  result: TransferResult,
): Promise<void> {
  const isThere = (await to.size(key)) === size
  if (isThere) result.alreadyThere += 1
  let isSame =
    isThere && verifies
      ? (await computeStoredChecksum(from, key, signal)) === (await computeStoredChecksum(to, key, signal))
      : isThere
  if (!isThere) {
    if (!isDry) isSame = await copyFile(from, to, key, signal)
    result.copied += 1
    result.copiedBytes += size
  }
  if (isDry && !isThere) return
  if (!isSame) result.differing.push(key)
  else if (removes && !isDry) {
    await from.remove(key)
    result.removed += 1
  }
}

/** Copies a file, and returns whether the copy is identical. */
async function copyFile(from: FileStore, to: FileStore, key: string, signal: AbortSignal): Promise<boolean> {
  const path = join(to.incoming, randomName())
  try {
    const hash = createHash('sha256')
    const hashed = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    }
    await pipeline(from.read(key), hashed, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    await to.put(key, path)
    return (await computeStoredChecksum(to, key, signal)) === hash.digest('hex')
  } finally {
    await rm(path, { force: true })
  }
}

async function computeStoredChecksum(store: FileStore, key: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(
    store.read(key),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) hash.update(chunk)
    },
    { signal },
  )
  return hash.digest('hex')
}
