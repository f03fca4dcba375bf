import pg from 'pg'
import { vi } from 'vitest'

/** What jobs and housekeeping ask every few seconds, whatever else happens. */
const NAMES_OF_JOBS: readonly unknown[] = [
  'due_scheduled_messages',
  'due_reminders',
  'due_newcomers',
  'write_activity',
  'end_stuck',
]

/**
 * The statements that servers in this process send to a database while something happens, in their order, with those
 * that begin and end transactions, but without those of jobs. Each is a round trip, unless it is pipelined.
 */
export async function statementsDuring(
  { database }: Pick<pg.ClientConfig, 'database'>,
  action: () => Promise<unknown>,
): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await action()
    return (
      spy.mock.calls
        // It is a method of clients.
        .filter((_, index) => (spy.mock.contexts[index] as pg.Client).database === database)
        .filter(([query]) => !NAMES_OF_JOBS.includes((query as { readonly name?: string }).name))
        .map(([query]) => textOf(query))
    )
  } finally {
    spy.mockRestore()
  }
}

function textOf(query: unknown): string {
  // A statement alone or with its parameters.
  return typeof query === 'string' ? query : (query as { readonly text: string }).text
}
