import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Readable } from 'node:stream'

/** Both ends inclusive, from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A file, as it is listed. */
export interface ListedFile {
  readonly key: string
  readonly size: number
  /** UNIX seconds: when it was stored. */
  readonly storedAt: number
}

/**
 * Stores the bytes of files under keys that say nothing of the files. Their names, their owners and who may fetch
 * them are in the database.
 */
export interface FileStore {
  /** A folder of this machine for files that are still arriving; made at its first use. */
  readonly incoming: string
  /** Takes over a file that lies in `incoming`. The file is durable when `put` returns. */
  put(key: string, path: string): Promise<void>
  /** Stores bytes that this process made. They are durable when `write` returns. */
  write(key: string, bytes: Uint8Array): Promise<void>
  /** The size in bytes; undefined where there is no such file. */
  size(key: string): Promise<number | undefined>
  read(key: string, range?: ByteRange): Readable
  /** Removes a file; a file that is not there is no error. */
  remove(key: string): Promise<void>
  /** All files, but for those that are still arriving. */
  list(): AsyncIterable<ListedFile>
  /** Removes all files of an organization. The second part of each key is its id. */
  removeOrganization(organizationId: number): Promise<void>
}

/** The bytes of randomness in a name, so many that a name cannot be guessed. */
const NAME_BYTES = 18
/** The folder of files that are still arriving; no kind of file has that name. */
const INCOMING = 'incoming'
const KEY = /^[\w-]+(\/[\w-]+)+(\.\w+)?$/

/** A name that cannot be guessed, fit for addresses and file systems. */
export function randomName(): string {
  return randomBytes(NAME_BYTES).toString('base64url')
}

/** Stores files in a folder: `<folder>/<key>`, and files that are still arriving in `<folder>/incoming`. */
export function diskStore(folder: string): FileStore {
  const pathOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error(`not the key of a file: ${key}`)
    return join(folder, key)
  }
  const incoming = join(folder, INCOMING)
  const put = async (key: string, path: string): Promise<void> => {
    const target = pathOf(key)
    await sync(path)
    const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await rename(path, target)
    await sync(dirname(target))
    // The names of new folders are entries of the folders above them.
    if (made !== undefined) for (const above of foldersFrom(dirname(target), dirname(made))) await sync(above)
  }
  return {
    incoming,
    put,
    async write(key, bytes) {
      await mkdir(incoming, { recursive: true, mode: 0o700 })
      const path = join(incoming, randomName())
      try {
        await writeFile(path, bytes, { mode: 0o600 })
        await put(key, path)
      } catch (error) {
        await rm(path, { force: true })
        throw error
      }
    },
    async size(key) {
      try {
        return (await stat(pathOf(key))).size
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    read: (key, range) => createReadStream(pathOf(key), range),
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
    async *list() {
      const kinds = await readdir(folder).catch(() => [])
      for (const kind of kinds.filter((name) => name !== INCOMING)) {
        for await (const path of filesBelow(join(folder, kind))) {
          const key = relative(folder, path)
          // What is none of ours is left alone.
          if (!KEY.test(key)) continue
          const { size, mtimeMs } = await stat(path)
          yield { key, size, storedAt: Math.floor(mtimeMs / 1000) }
        }
      }
    },
    async removeOrganization(organizationId) {
      const kinds = await readdir(folder).catch(() => [])
      for (const kind of kinds.filter((name) => name !== INCOMING)) {
        await rm(join(folder, kind, String(organizationId)), { recursive: true, force: true })
      }
    },
  }
}

/** The folders above one, up to another. */
function foldersFrom(folder: string, last: string): string[] {
  return folder === last || folder === dirname(folder) ? [] : [dirname(folder), ...foldersFrom(dirname(folder), last)]
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (entry.isFile()) yield path
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
