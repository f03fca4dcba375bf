import pg from 'pg'

/* Detects errors caused by the database's condition rather than by a statement, after which a retry may succeed. */

const UNAVAILABLE_CLASSES = [
  // Connection exceptions.
  '08',
  // Insufficient resources: disk full, out of memory, too many connections.
  '53',
  // Operator intervention: shutdown, startup, or canceled statement.
  '57',
  // System errors, such as an unresponsive disk.
  '58',
]
const UNAVAILABLE_CODES = new Set([
  // Read-only server, for example after a failover.
  '25006',
  // Idle or transaction timeout.
  '25P03',
  '25P04',
  // Serialization failure or deadlock.
  '40001',
  '40P01',
  // Lock timeout.
  '55P03',
])

const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Reported during a failover, for example. */
export const NO_PRIMARY_MESSAGE = 'no server in DATABASE_URL accepts writes'

const DRIVER_MESSAGE_PATTERN =
  /^Connection terminated|^Client has encountered a connection error|^Client was closed|timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$/

const DISK_FULL_CODE = '53100'

export function isFullDatabase(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DISK_FULL_CODE
}

/** Thrown if committed events cannot be read, because reading takes too long or a new primary lacks them. */
export class DatabaseBehindError extends Error {}

/** Whether the database is unreachable or overloaded, as opposed to an invalid request. */
export function isUnavailable(error: unknown): boolean {
  // A host name can resolve to several addresses, each with its own error.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnavailable)
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseBehindError) return true
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError)
    return UNAVAILABLE_CODES.has(code) || UNAVAILABLE_CLASSES.includes(code.slice(0, 2))
  if (DRIVER_MESSAGE_PATTERN.test(error.message) || error.message === NO_PRIMARY_MESSAGE) return true
  return SYSTEM_CODES.has(code) && 'syscall' in error && isNetworkCall(error.syscall)
}

function isNetworkCall(call: unknown): boolean {
  return typeof call === 'string' && /^(connect|read|write|getaddrinfo)$/.test(call)
}

export function isRolledBack(error: unknown): boolean {
  const OPERATOR_INTERVENTION = '57'
  return error instanceof pg.DatabaseError && !(error.code ?? OPERATOR_INTERVENTION).startsWith(OPERATOR_INTERVENTION)
}

/** Whether another server's commit caused the failure; a retry may succeed. */
export function isConflict(error: unknown): boolean {
  const UNIQUE_VIOLATION = '23505'
  const SERIALIZATION_FAILURE = '40001'
  const FOREIGN_KEY_VIOLATION = '23503'
  const codes = [UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION, SERIALIZATION_FAILURE, DEADLOCK]
  return error instanceof pg.DatabaseError && codes.includes(error.code ?? '')
}

const DEADLOCK = '40P01'

export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DEADLOCK
}
