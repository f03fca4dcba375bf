import { readFileSync } from 'node:fs'

/* Part reserved for files and the database. */

const KEPT_PART = 0.25
const LEAST_KEPT = 64
const MOST_KEPT = 1_024

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

export function isOutOfDescriptors(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
}
