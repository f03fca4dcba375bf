import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

const MEBIBYTES = 1024 * 1024
/** Upper bound of compressed rows relative to the database. */
const ROWS_SHARE = 0.5
/** `max_wal_size` of ../embedded/server.ts, plus one or two segments. */
const MOST_LOG_BYTES = 560 * MEBIBYTES

/** Returns bytes without WAL. */
export async function sizeOfCluster(directory: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.name === 'pg_wal') continue
    const path = join(directory, entry.name)
    bytes += entry.isDirectory() ? await sizeOfCluster(path) : (await stat(path)).size
  }
  return bytes
}

/** Estimates the required space. The new cluster is never larger than the old one, because its indexes are rebuilt. */
export function roomToMove(bytes: number): number {
  return bytes + bytes * ROWS_SHARE + Math.min(bytes, MOST_LOG_BYTES)
}

export async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
