import pg from 'pg'

export function isRolledBack(error: unknown): boolean {
  const OPERATOR_INTERVENTION = '57'
  return error instanceof pg.DatabaseError && !(error.code ?? OPERATOR_INTERVENTION).startsWith(OPERATOR_INTERVENTION)
}

/** Whether another server's commit caused the failure; a retry may succeed. */
export function isOvertaken(error: unknown): boolean {
  const UNIQUE_VIOLATION = '23505'
  const SERIALIZATION_FAILURE = '40001'
  const DEADLOCK = '40P01'
  const FOREIGN_KEY_VIOLATION = '23503'
  const codes = [UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION, SERIALIZATION_FAILURE, DEADLOCK]
  return error instanceof pg.DatabaseError && codes.includes(error.code ?? '')
}
