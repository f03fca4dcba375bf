import pg from 'pg'

/*
 * The failures that are the database's and not those of a statement: the same statement may succeed in a moment.
 */

/** SQLSTATE codes by their class, and single ones. */
const CLASSES = [
  // Connection exceptions.
  '08',
  // Insufficient resources: disk full, out of memory, too many connections.
  '53',
  // Operator intervention: it stops, starts or was told to end the statement.
  '57',
  // System errors, such as a disk that does not answer.
  '58',
]
const CODES = new Set([
  // A standby that does not take writes, as after a switch of the primary.
  '25006',
  // The transaction fell silent for too long.
  '25P03',
  '25P04',
  // Other processes were faster, again and again.
  '40001',
  '40P01',
  // A lock was not to be had in time.
  '55P03',
])

/** What Node says of a connection that cannot be made, or broke. */
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

/** None of several servers takes writes, as while a standby takes over. */
export const NO_PRIMARY = 'no server that DATABASE_URL names takes writes'

/** The driver's messages of errors that have no code. */
const DRIVER_WORDS =
  /^Connection terminated|^Client has encountered a connection error|^Client was closed|timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$/

const DISK_FULL = '53100'

/** Whether the database has no room for what is written. */
export function isFullDatabase(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DISK_FULL
}

/** What the database had committed cannot be read: it takes too long, or another server has taken over that has not got it. */
export class DatabaseBehind extends Error {}

/** Whether an error means that the database is away or overloaded, and not that something is wrong with the request. */
export function isUnavailable(error: unknown): boolean {
  // A name may have several addresses.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnavailable)
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseBehind) return true
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError) return CODES.has(code) || CLASSES.includes(code.slice(0, 2))
  if (DRIVER_WORDS.test(error.message) || error.message === NO_PRIMARY) return true
  return SYSTEM_CODES.has(code) && 'syscall' in error && isConnecting(error.syscall)
}

/** Errors of files have the same codes, so the failed call is looked at. */
function isConnecting(call: unknown): boolean {
  return typeof call === 'string' && /^(connect|read|write|getaddrinfo)$/.test(call)
}
