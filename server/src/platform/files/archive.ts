import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { makeFolder } from '../folders.ts'
import { randomName, type FileStore } from './store.ts'

export interface Entry {
  /** ASCII, at most 100 characters; can contain slashes. */
  readonly name: string
  readonly size: number
  readonly content: Iterable<Buffer> | AsyncIterable<Buffer>
}

const BLOCK_BYTES = 512
const MAX_NAME = 100
const MAX_ENTRY_BYTES = 8 ** 11 - 1

/** Keeps at most one chunk in memory, and stores nothing on failure or abort. Returns the size in bytes. */
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
    await pipeline(Readable.from(bytesOf(entries, modifiedAt)), createGzip(), target, { signal })
    await store.put(key, path)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return target.bytesWritten
}

async function* bytesOf(entries: AsyncIterable<Entry>, modifiedAt: number): AsyncGenerator<Buffer> {
  for await (const { name, size, content } of entries) {
    yield headerOf(name, size, modifiedAt)
    let written = 0
    for await (const piece of content) {
      written += piece.length
      yield piece
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes instead of ${size}`)
    yield Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES)
  }
  yield Buffer.alloc(2 * BLOCK_BYTES)
}

function headerOf(name: string, size: number, modifiedAt: number): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME) throw new Error(`too long for an archive: ${name}`)
  if (size > MAX_ENTRY_BYTES) throw new Error(`too large for an archive: ${name}`)
  const header = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, at: number, length: number): void => {
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  }
  header.write(name, 0, 'latin1')
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(modifiedAt, 136, 12)
  // The checksum counts its own field as spaces.
  header.write('        0', 148, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}
