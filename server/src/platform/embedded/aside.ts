import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../kernel/message-of.ts'
import { DataDirectoryInUse, lockDataDirectory } from './lock.ts'
import { endProcesses, nameOfCluster } from './processes.ts'

/**
 * Makes a data folder in TMPDIR for a database that is thrown away again, and takes away those that processes left behind which
 * were killed, with the database servers that still run there.
 * @param kind how their names begin
 * @throws Error that names the folder, where it cannot be used
 */
export async function makeAside(kind: string): Promise<string> {
  try {
    await removeAllAbandoned(kind)
    return await mkdtemp(join(tmpdir(), `${kind}-${process.pid}-`))
  } catch (error) {
    throw new Error(`The folder for what is temporary, ${tmpdir()} (TMPDIR), cannot be used: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

async function removeAllAbandoned(kind: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(`${kind}-`)) continue
    const [, pid] = /^(\d+)-/.exec(name.slice(kind.length + 1)) ?? []
    const folder = join(tmpdir(), name)
    // One that has just begun has no lock yet, but lives.
    if (pid === undefined || isAlive(Number(pid))) continue
    // Another account's is not ours to remove.
    if ((await stat(folder).catch(() => undefined))?.uid === process.geteuid?.()) await removeAbandoned(folder)
  }
}

/** Removes a data folder of a process that was killed, with the database server that still runs there. */
export async function removeAbandoned(dataDirectory: string): Promise<void> {
  try {
    const lock = await lockDataDirectory(dataDirectory)
    const cluster = join(dataDirectory, 'postgres/data')
    if (existsSync(cluster)) await endProcesses(nameOfCluster(cluster), statSync(cluster).uid)
    await lock.release()
  } catch (error) {
    // In a container of its own a process may live under a number that means nothing here, and has the lock.
    if (error instanceof DataDirectoryInUse) return
    throw error
  }
  // A program that the process had started may still write there for a moment.
  await rm(dataDirectory, { recursive: true, force: true, maxRetries: 10 })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
