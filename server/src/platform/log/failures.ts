import pg from 'pg'

/** Whether the database itself said that the statement failed: then nothing of it happened. */
export function isRolledBack(error: unknown): boolean {
  const OPERATOR_INTERVENTION = '57'
  return error instanceof pg.DatabaseError && !(error.code ?? OPERATOR_INTERVENTION).startsWith(OPERATOR_INTERVENTION)
}

/** Whether it failed because it saw the database as it was before another server's commit, and would not now. */
export function isOvertaken(error: unknown): boolean {
  const UNIQUE_VIOLATION = '23505'
  const SERIALIZATION_FAILURE = '40001'
  const DEADLOCK = '40P01'
  // What the statement saw, such as the queue that a message names, was deleted before it was done.
  const FOREIGN_KEY_VIOLATION = '23503'
  const codes = [UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION, SERIALIZATION_FAILURE, DEADLOCK]
  return error instanceof pg.DatabaseError && codes.includes(error.code ?? '')
}
