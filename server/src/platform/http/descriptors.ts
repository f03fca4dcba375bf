import { readFileSync } from 'node:fs'

/*
 * Each connection takes a descriptor. When there are none left, nothing can be opened any more: no file, no connection to the
 * database. So some are kept for these, and clients beyond them are turned away.
 */

/** Of those that the process may have, a part is kept, at least and at most so many. */
const KEPT_PART = 0.25
const LEAST_KEPT = 64
const MOST_KEPT = 1_024

/** How many connections clients may have at once; undefined where the system does not say how many descriptors there may be. */
export function mostConnections(): number | undefined {
  const [, most] = /^Max open files\s+(\d+)/m.exec(limitsOfProcess()) ?? []
  if (most === undefined) return undefined
  const kept = Math.min(MOST_KEPT, Math.max(LEAST_KEPT, Math.ceil(KEPT_PART * Number(most))))
  return Math.max(1, Number(most) - kept)
}

function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}

/** Whether something could not be opened since there are no descriptors left, in the process or on the machine. */
export function isOutOfDescriptors(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
}
