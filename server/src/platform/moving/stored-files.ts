import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FILE_MODE } from '../backup/folder.ts'
import { randomName, type FileStore } from '../files/store.ts'
import { makeFolder } from '../folders.ts'
import { DamagedArchive } from './damage.ts'
import { openPlain } from './lines.ts'
import { pathOfFile } from './manifest.ts'

const DIGEST = /^[\da-f]{64}$/

/**
 * Stores a file of an archive.
 * @param store undefined only looks whether it is there, and whole
 * @returns its size; undefined where the archive has no such file, or another one in its place
 */
export async function storeFile(
  folder: string,
  sha256: unknown,
  key: string,
  store: FileStore | undefined,
): Promise<number | undefined> {
  if (typeof sha256 !== 'string' || !DIGEST.test(sha256)) return undefined
  const file = await openPlain(join(folder, pathOfFile(sha256))).catch((error: unknown) => {
    if (error instanceof DamagedArchive) return undefined
    throw error
  })
  if (file === undefined) return undefined
  const hash = createHash('sha256')
  let bytes = 0
  const hashed = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  // The stream closes the file.
  const source = file.createReadStream()
  if (store === undefined) {
    for await (const _ of hashed(source)) continue
    return hash.digest('hex') === sha256 ? bytes : undefined
  }
  await makeFolder(store.incoming)
  const path = join(store.incoming, randomName())
  try {
    await pipeline(source, hashed, createWriteStream(path, { flags: 'wx', mode: FILE_MODE }))
    if (hash.digest('hex') === sha256) {
      await store.put(key, path)
      return bytes
    }
    return undefined
  } finally {
    // It is not there any more where it was stored.
    await rm(path, { force: true })
  }
}
