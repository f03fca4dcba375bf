import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { lchownSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { socketDirectory } from './socket-path.ts'

export interface Lock {
  release(): Promise<void>
}

/** A live Parley has the lock. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
}

/** More rounds than this mean that Parleys keep starting and dying on this directory. */
const MOST_ATTEMPTS = 20

/**
 * Keeps two Parleys from one data directory. The lock is a Unix socket we listen on, so the kernel takes it away with
 * the process however that dies, and, unlike a process id in a file, it is also right between containers which share
 * a volume but not their process ids.
 *
 * `lock/` contains one socket, named after its process. It is taken by renaming a directory, which only succeeds
 * when `lock/` is absent or empty, and a dead socket is removed by its own unique name: however many processes
 * compete, one wins, and none removes the lock of another that lives.
 */
export async function lockDataDirectory(dataDirectory: string): Promise<Lock> {
  const lock = join(dataDirectory, 'lock')
  const name = `${process.pid}-${randomBytes(4).toString('hex')}`
  const draft = `${lock}.${name}`
  mkdirSync(draft, { mode: 0o700 })
  const listener = createServer((socket) => socket.destroy()).unref()
  // Accepting fails when descriptors run out. That does not concern the lock, which is that we listen.
  listener.on('error', () => {})
  const close = () => once(listener.close(), 'close')
  try {
    const reachable = await socketDirectory(draft, name)
    listener.listen(join(reachable.path, name))
    await once(listener, 'listening')
    giveToOwner(dataDirectory, [draft, join(reachable.path, name)])
    await reachable.release()
    for (let attempt = 0; !renamed(draft, lock); attempt++) {
      if (attempt === MOST_ATTEMPTS) throw new Error(`Could not lock ${dataDirectory}`)
      await removeDead(dataDirectory, lock)
    }
  } catch (error) {
    await close()
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
  return {
    async release() {
      await close()
      rmSync(join(lock, name), { force: true })
    },
  }
}

/**
 * What a command of root leaves when it is killed, the account that runs the server must be able to look into and to remove. Where root
 * may not give things away, it goes on without that. A link that this account put in its place is given to it, and not what it leads to.
 */
function giveToOwner(dataDirectory: string, paths: readonly string[]): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(dataDirectory)
  if (uid === 0) return
  for (const path of paths) {
    try {
      lchownSync(path, uid, gid)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && (error.code === 'EPERM' || error.code === 'EINVAL')))
        throw error
    }
  }
}

function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST'))
      return false
    throw error
  }
}

async function removeDead(dataDirectory: string, lock: string): Promise<void> {
  for (const name of readdirSync(lock)) {
    if (await someoneListens(lock, name)) {
      const pid = name.split('-')[0]
      throw new DataDirectoryInUse(`Another Parley, process ${pid}, is using the data directory ${dataDirectory}`)
    }
    rmSync(join(lock, name), { force: true })
  }
}

/** Any doubt counts as life: an error other than a refused connection must not lead to two servers on the same data. */
export async function someoneListens(directory: string, socketName: string): Promise<boolean> {
  // After an orderly end it is gone, and to hear that from a connection takes 3 ms.
  if (isGone(join(directory, socketName))) return false
  const reachable = await socketDirectory(directory, socketName)
  const socket = connect(join(reachable.path, socketName))
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ENOENT'))
  } finally {
    socket.destroy()
    await reachable.release()
  }
}

function isGone(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
