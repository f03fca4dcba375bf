import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FILE_MODE } from '../backup/folder.ts'
import { chunksOf } from '../chunks.ts'
import { randomName, type FileStore } from '../files/store.ts'
import { makeFolder } from '../folders.ts'
import { DamagedArchive } from '../backup/reporting.ts'
import { openRegularFile } from './lines.ts'
import { pathOfFile } from './manifest.ts'

const DIGEST_PATTERN = /^[\da-f]{64}$/

export function isDigest(sha256: unknown): sha256 is string {
  return typeof sha256 === 'string' && DIGEST_PATTERN.test(sha256)
}

export async function storeArchivedFile(
  folder: string,
  sha256: string,
  key: string,
  store: FileStore,
): Promise<number | undefined> {
  await makeFolder(store.incoming)
  const file = await openArchivedFile(folder, sha256)
  if (file === undefined) return undefined
  const read = hashWhileReading(file)
  const path = join(store.incoming, randomName())
  try {
    await pipeline(read.chunks, createWriteStream(path, { flags: 'wx', mode: FILE_MODE }))
    const { digest, bytes } = read.result()
    if (digest !== sha256) return undefined
    await store.put(key, path)
    return bytes
  } finally {
    // Removes a rejected file; a stored file has already been moved by `put`.
    await rm(path, { force: true })
  }
}

export async function verifyFileSize(folder: string, sha256: string, signal: AbortSignal): Promise<number | undefined> {
  const file = await openArchivedFile(folder, sha256)
  if (file === undefined) return undefined
  const read = hashWhileReading(file)
  for await (const _ of read.chunks) signal.throwIfAborted()
  const { digest, bytes } = read.result()
  return digest === sha256 ? bytes : undefined
}

export async function archivedFileSize(folder: string, sha256: string): Promise<number | undefined> {
  const file = await openArchivedFile(folder, sha256)
  try {
    return file === undefined ? undefined : (await file.stat()).size
  } finally {
    await file?.close()
  }
}

async function openArchivedFile(folder: string, sha256: string): Promise<FileHandle | undefined> {
  return openRegularFile(join(folder, pathOfFile(sha256))).catch((error: unknown) => {
    if (error instanceof DamagedArchive) return undefined
    throw error
  })
}

function hashWhileReading(file: FileHandle): {
  readonly chunks: AsyncIterable<Buffer>
  readonly result: () => { digest: string; bytes: number }
} {
  const hash = createHash('sha256')
  let bytes = 0
  const read = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of chunksOf(file.createReadStream())) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  return { chunks: read(), result: () => ({ digest: hash.digest('hex'), bytes }) }
}
