import { existsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDataDirectory } from './lock.ts'
import { endProcesses, nameOfCluster } from './processes.ts'

/**
 * Removes a data folder that nobody needs any more, with the database server that a process left running there when it was
 * killed.
 * @throws DataDirectoryInUse where a Parley that lives uses it
 */
export async function removeAbandoned(dataDirectory: string): Promise<void> {
  const lock = await lockDataDirectory(dataDirectory)
  try {
    const cluster = join(dataDirectory, 'postgres/data')
    if (existsSync(cluster)) await endProcesses(nameOfCluster(cluster), statSync(cluster).uid)
  } finally {
    await lock.release()
  }
  await rm(dataDirectory, { recursive: true, force: true, maxRetries: 3 })
}
