import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../kernel/phrases.ts'
import { DataDirectoryInUseError, lockDataDirectory } from './lock.ts'
import { endProcesses, clusterNameFor } from './processes.ts'

/** Creates a temporary data directory in TMPDIR, and removes directories that killed processes left. */
export async function makeTemporaryData(kind: string): Promise<string> {
  try {
    await removeAbandonedDirectories(kind)
    return await mkdtemp(join(tmpdir(), `${kind}-${process.pid}-`))
  } catch (error) {
    throw new Error(`The temporary folder ${tmpdir()} (TMPDIR) cannot be used: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

async function removeAbandonedDirectories(kind: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(`${kind}-`)) continue
    const [, pid] = /^(\d+)-/.exec(name.slice(kind.length + 1)) ?? []
    const folder = join(tmpdir(), name)
    // Skips the folder of a running process, which may not have locked a new folder yet.
    if (pid === undefined || isProcessAlive(Number(pid))) continue
    // Skips folders of other accounts.
    if ((await stat(folder).catch(() => undefined))?.uid === process.geteuid?.()) await removeAbandonedDirectory(folder)
  }
}

export async function removeAbandonedDirectory(dataDirectory: string): Promise<void> {
  try {
    const lock = await lockDataDirectory(dataDirectory)
    const cluster = join(dataDirectory, 'postgres/data')
    if (existsSync(cluster)) await endProcesses(clusterNameFor(cluster), statSync(cluster).uid)
    await lock.release()
  } catch (error) {
    // Keeps the folder: its process runs in another container, where PIDs differ, but holds the lock.
    if (error instanceof DataDirectoryInUseError) return
    throw error
  }
  // Retries, because child processes may still write to the folder for a moment.
  await rm(dataDirectory, { recursive: true, force: true, maxRetries: 10 })
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
