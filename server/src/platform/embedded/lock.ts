import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { lchownSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { socketDirectory } from './socket-path.ts'

export interface DataDirectoryLock {
  release(): Promise<void>
}

export class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError'
}

/** This many failed attempts mean that other processes keep taking the lock and dying. */
const MAX_ATTEMPTS = 20

/**
 * Lets only one process use a data directory. The lock is a Unix socket, which the kernel closes when its process ends;
 * unlike a PID file, it works between containers that share a volume. Exactly one process gets the lock, because
 * renaming a directory to `lock/` succeeds only if `lock/` is absent or empty.
 */
export async function lockDataDirectory(dataDirectory: string): Promise<DataDirectoryLock> {
  const lock = join(dataDirectory, 'lock')
  const name = `${process.pid}-${randomBytes(4).toString('hex')}`
  const draft = `${lock}.${name}`
  mkdirSync(draft, { mode: 0o700 })
  const listener = createServer((socket) => socket.destroy()).unref()
  // Ignores errors: accepting can fail when descriptors run out, but listening is enough.
  listener.on('error', () => {})
  const close = () => once(listener.close(), 'close')
  try {
    const reachable = await socketDirectory(draft, name)
    listener.listen(join(reachable.path, name))
    await once(listener, 'listening')
    giveToOwner(dataDirectory, [draft, join(reachable.path, name)])
    await reachable.release()
    for (let attempt = 0; !renameIfPossible(draft, lock); attempt++) {
      if (attempt === MAX_ATTEMPTS) throw new Error(`Could not lock ${dataDirectory}`)
      await removeDeadLocks(dataDirectory, lock)
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

/** Lets the server's account remove lock files of root's commands. Follows no links, which that account could plant. */
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

function renameIfPossible(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST'))
      return false
    throw error
  }
}

async function removeDeadLocks(dataDirectory: string, lock: string): Promise<void> {
  for (const name of readdirSync(lock)) {
    if (await isSocketAlive(lock, name)) {
      const pid = name.split('-')[0]
      throw new DataDirectoryInUseError(`Another Parley, process ${pid}, is using the data directory ${dataDirectory}`)
    }
    rmSync(join(lock, name), { force: true })
  }
}

/** Whether another process may be using the data: only a refused connection proves that none is. */
export async function isSocketAlive(directory: string, socketName: string): Promise<boolean> {
  // Checks first for the file, which a clean shutdown removes: this is 3 ms faster than connecting.
  if (isMissing(join(directory, socketName))) return false
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

function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
