import { statfsSync } from 'node:fs'

/** In-memory file system that Linux offers to every account. */
const IN_MEMORY = '/dev/shm'
/** More than ten times what concurrently running files use. */
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * Returns the folder for temporary files: TMPDIR if set, or memory if it has enough space. There, creating a database
 * takes a seventh of the time, and dropping it a twentieth.
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
