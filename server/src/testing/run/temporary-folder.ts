import { statfsSync } from 'node:fs'

/** A file system in memory that Linux offers to every account. */
const IN_MEMORY = '/dev/shm'
/** Databases and uploads of the files that run at once take less than a tenth of it. */
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * The folder for temporary files of a test run: the one that TMPDIR names, else memory if it has room. A database there
 * is created in a seventh of the time and dropped in a twentieth.
 */
export function temporaryFolder(): string | undefined {
  const { TMPDIR } = process.env
  if (TMPDIR !== undefined) return TMPDIR
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= NEEDED_BYTES ? IN_MEMORY : undefined
  } catch {
    // The system has no such folder.
    return undefined
  }
}
