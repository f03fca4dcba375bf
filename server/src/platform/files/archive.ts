import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Pack } from 'tar-stream'
import { chunksOf, toNodeWritable } from '../chunks.ts'
import { makeFolder } from '../folders.ts'
import { randomName, type FileStore } from './store.ts'

export interface Entry {
  /** Can contain slashes. */
  readonly name: string
  readonly size: number
  readonly content: Iterable<Buffer> | AsyncIterable<Buffer>
}

/** Archives entries chunk by chunk. Stores nothing on failure or abort. Returns the size in bytes. */
export async function storeArchive(
  store: FileStore,
  key: string,
  entries: AsyncIterable<Entry>,
  { modifiedAt, signal }: { readonly modifiedAt: number; readonly signal: AbortSignal },
): Promise<number> {
  await makeFolder(store.incoming)
  const path = join(store.incoming, randomName())
  const target = createWriteStream(path, { mode: 0o600 })
  try {
    await pipeline(archiveBytes(entries, new Date(modifiedAt * 1000)), createGzip(), target, { signal })
    await store.put(key, path)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return target.bytesWritten
}

async function* archiveBytes(entries: AsyncIterable<Entry>, mtime: Date): AsyncGenerator<Buffer> {
  const { pack } = await import('tar-stream')
  const archive = pack()
  const adding = addEntries(archive, entries, mtime).catch((error: unknown) => {
    archive.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  // If the caller stops early, this destroys the archive, so that no more files are added.
  yield* chunksOf(archive)
  await adding
}

async function addEntries(archive: Pack, entries: AsyncIterable<Entry>, mtime: Date): Promise<void> {
  for await (const { name, size, content } of entries) {
    try {
      await pipeline(content, toNodeWritable(archive.entry({ name, size, mode: 0o600, mtime })))
    } catch (error) {
      throw new Error(`${name} cannot be archived`, { cause: error })
    }
  }
  archive.finalize()
}
