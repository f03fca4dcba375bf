import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { makeFolder } from '../folders.ts'
import { createFairQueue } from '../turns.ts'
import { StoreUnavailableError, requireValidKey, isKey, randomName, type FileStore } from './store.ts'

const INCOMING_FOLDER = 'incoming'

/** Half of the threads that read files: a slow disk can block a thread for seconds. */
const SYNCS_AT_ONCE = 2
const MAX_WAITING_SYNCS = 100_000

const syncInTurn = createFairQueue(SYNCS_AT_ONCE, MAX_WAITING_SYNCS, () => {
  throw new StoreUnavailableError('too many files are waiting for the disk')
})

export function diskStore(folder: string): FileStore {
  const pathOf = (key: string): string => join(folder, requireValidKey(key))
  const incoming = join(folder, INCOMING_FOLDER)
  const put = async (key: string, path: string): Promise<void> => {
    const target = pathOf(key)
    await syncPath(path)
    const made = await makeFolder(dirname(target))
    await rename(path, target)
    await syncPath(dirname(target))
    // Syncs the parents, too, because a new folder's name is an entry of its parent.
    if (made !== undefined) for (const above of foldersUpTo(dirname(target), dirname(made))) await syncPath(above)
  }
  return {
    place: resolve(folder),
    incoming,
    report: { kind: 'folder', isReached: true, requests: 0, failures: 0 },
    failure: async () => Promise.resolve(undefined),
    put,
    async write(key, bytes) {
      await makeFolder(incoming)
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
      for (const kind of kinds.filter((name) => name !== INCOMING_FOLDER)) {
        for await (const path of filesBelow(join(folder, kind))) {
          const key = relative(folder, path)
          if (!isKey(key)) continue
          const { size, mtimeMs } = await stat(path)
          yield { key, size, storedAt: Math.floor(mtimeMs / 1000) }
        }
      }
    },
    async removeOrganization(organizationId) {
      const kinds = await readdir(folder).catch(() => [])
      for (const kind of kinds.filter((name) => name !== INCOMING_FOLDER)) {
        await rm(join(folder, kind, String(organizationId)), { recursive: true, force: true })
      }
    },
    close: () => undefined,
  }
}

function foldersUpTo(folder: string, last: string): string[] {
  return folder === last || folder === dirname(folder) ? [] : [dirname(folder), ...foldersUpTo(dirname(folder), last)]
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (entry.isFile()) yield path
  }
}

async function syncPath(path: string): Promise<void> {
  await syncInTurn(async () => {
    const file = await open(path, 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
  })
}
