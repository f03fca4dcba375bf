import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

const MEBIBYTES = 1024 * 1024
/** The share of a database that its packed rows take at most, while they are on their way. */
const ROWS_SHARE = 0.5
/** How far the log of a database goes ahead of its checkpoints: `max_wal_size` of ../embedded/server.ts, and a segment or two. */
const MOST_LOG_BYTES = 560 * MEBIBYTES

/** How many bytes the files of a cluster have, without its log. */
export async function sizeOfCluster(directory: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.name === 'pg_wal') continue
    const path = join(directory, entry.name)
    bytes += entry.isDirectory() ? await sizeOfCluster(path) : (await stat(path)).size
  }
  return bytes
}

/** How much room it takes to read a cluster into a new one beside it. The new one is no larger: its indexes are made anew. */
export function roomToMove(bytes: number): number {
  return bytes + bytes * ROWS_SHARE + Math.min(bytes, MOST_LOG_BYTES)
}

/** How much a folder's disk has left for this account. */
export async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
