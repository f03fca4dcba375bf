import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { chunksOf } from '../chunks.ts'

/** Only the owner has access, because a backup contains everything. */
export const FILE_MODE = 0o600

export interface FoundFile {
  readonly path: string
  readonly size: number
  readonly modifiedAt: number
}

/** Lists all files below a folder, sorted by path. `isWanted` filters only the entries directly in the folder. */
export async function* filesBelow(
  root: string,
  isWanted: (name: string) => boolean = () => true,
  prefix = '',
): AsyncGenerator<FoundFile> {
  const entries = await readdir(join(root, prefix), { withFileTypes: true })
  const found: { readonly path: string; readonly file: FoundFile | undefined }[] = []
  for (const entry of entries) {
    if (prefix === '' && !isWanted(entry.name)) continue
    const path = `${prefix}${entry.name}`
    // Operators use symbolic links to move folders to other disks. Dangling links are skipped.
    if (!entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink()) continue
    if (/[\n\\]/.test(path)) throw new Error(`a file name has a line break or a backslash: ${JSON.stringify(path)}`)
    const state = await stat(join(root, path)).catch(defaultIfMissing(undefined))
    if (state?.isDirectory() === true) found.push({ path: `${path}/`, file: undefined })
    if (state?.isFile() === true) {
      found.push({ path, file: { path, size: state.size, modifiedAt: Math.round(state.mtimeMs) } })
    }
  }
  found.sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path, file } of found) {
    if (file === undefined) yield* filesBelow(root, isWanted, path)
    else yield file
  }
}

export async function storeWithChecksum(
  source: Readable,
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  const measured = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const file = createWriteStream(path, { flags: 'wx', mode: FILE_MODE, flush: true })
  await pipeline(source, measured, file, { signal })
  return { sha256: hash.digest('hex'), bytes }
}

export async function computeChecksum(
  path: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunksOf(createReadStream(path, { highWaterMark: 256 * 1024 }))) {
    hash.update(chunk)
    bytes += chunk.length
    onBytes(chunk.length)
  }
  return { sha256: hash.digest('hex'), bytes }
}

export async function writeDurably(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flag: 'wx', mode: FILE_MODE, flush: true })
}

export async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name))
  }
  await syncFolder(folder)
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function defaultIfMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return value
    throw error
  }
}
