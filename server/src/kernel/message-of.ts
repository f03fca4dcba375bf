/**
 * An error's message. A failed connection to a name with several addresses has its reasons inside and no message
 * itself.
 */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
