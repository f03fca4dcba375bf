import { readFileSync } from 'node:fs'

/* Reserves a share of the process's descriptors for files and the database. */

const RESERVED_DESCRIPTORS_FRACTION = 0.25
const MIN_RESERVED_DESCRIPTORS = 64
const MAX_RESERVED_DESCRIPTORS = 1_024

export function connectionLimit(): number | undefined {
  const [, most] = /^Max open files\s+(\d+)/m.exec(readProcessLimits()) ?? []
  if (most === undefined) return undefined
  const kept = Math.min(
    MAX_RESERVED_DESCRIPTORS,
    Math.max(MIN_RESERVED_DESCRIPTORS, Math.ceil(RESERVED_DESCRIPTORS_FRACTION * Number(most))),
  )
  return Math.max(1, Number(most) - kept)
}

function readProcessLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}

export function isOutOfDescriptors(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
}
