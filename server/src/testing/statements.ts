import pg from 'pg'
import { vi } from 'vitest'

/** What jobs and housekeeping ask every few seconds, whatever else happens; many of them as one statement. */
const NAMES_OF_JOBS: readonly unknown[] = [
  'written_logs',
  'write_activity',
  'end_stuck',
  'consumer_cursor',
  'events_of_consumer',
  'consumers_clear',
  'consumers_left',
  'replica_look',
]
const BEGINNINGS_OF_JOBS = /^(due|together)_/

/** A statement as it is sent; one without a name is not kept prepared. */
interface SentStatement {
  readonly name: string | undefined
  readonly text: string
  /** Of the database server that it is sent to. */
  readonly port: number
}

/**
 * The statements that servers in this process send to a database while something happens, in their order, with those
 * that begin and end transactions, but without those of jobs. Each is a round trip, unless it is pipelined.
 */
export async function statementsDuring(
  database: Pick<pg.ClientConfig, 'database'>,
  action: () => Promise<unknown>,
): Promise<string[]> {
  const statements = await namedStatementsDuring(database, action)
  return statements.map(({ text }) => text)
}

/** What `statementsDuring` returns, with the names under which the database keeps the statements prepared. */
export async function namedStatementsDuring(
  { database }: Pick<pg.ClientConfig, 'database'>,
  action: () => Promise<unknown>,
): Promise<SentStatement[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await action()
    return (
      spy.mock.calls
        // It is a method of clients.
        .map(([query], index) => ({ query, client: spy.mock.contexts[index] as pg.Client }))
        .filter(({ client }) => client.database === database)
        .map(({ query, client }) => ({ ...sentStatement(query), port: client.port }))
        .filter(({ name = '' }) => !NAMES_OF_JOBS.includes(name) && !BEGINNINGS_OF_JOBS.test(name))
    )
  } finally {
    spy.mockRestore()
  }
}

function sentStatement(query: unknown): Omit<SentStatement, 'port'> {
  // A statement alone, or with its parameters and its name.
  return typeof query === 'string' ? { name: undefined, text: query } : (query as Omit<SentStatement, 'port'>)
}
