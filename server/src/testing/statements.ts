import pg from 'pg'
import { vi } from 'vitest'

/** Names of periodic statements, which can run at any time and are often combined into one. */
const JOB_STATEMENTS: readonly unknown[] = [
  'written_logs',
  'write_activity',
  'end_stuck',
  'consumer_cursor',
  'events_of_consumer',
  'consumer_clear',
  'consumers_left',
  'replica_look',
]
const JOB_STATEMENT_PREFIXES = /^(due|together)_/

interface SentStatement {
  readonly name: string | undefined
  readonly text: string
  readonly values?: readonly unknown[]
  readonly port: number
}

/** Records statements in order, including transaction control but not jobs. Each is a round trip unless pipelined. */
export async function statementsDuring(
  database: Pick<pg.ClientConfig, 'database'>,
  action: () => Promise<unknown>,
): Promise<string[]> {
  const statements = await namedStatementsDuring(database, action)
  return statements.map(({ text }) => text)
}

export async function namedStatementsDuring(
  { database }: Pick<pg.ClientConfig, 'database'>,
  action: () => Promise<unknown>,
): Promise<SentStatement[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await action()
    return (
      spy.mock.calls
        // Safe: the spied method belongs to clients.
        .map(([query], index) => ({ query, client: spy.mock.contexts[index] as pg.Client }))
        .filter(({ client }) => client.database === database)
        .map(({ query, client }) => ({ ...sentStatement(query), port: client.port }))
        .filter(({ name = '' }) => !JOB_STATEMENTS.includes(name) && !JOB_STATEMENT_PREFIXES.test(name))
    )
  } finally {
    spy.mockRestore()
  }
}

function sentStatement(query: unknown): Omit<SentStatement, 'port'> {
  // Safe: either a string, or an object with text and name.
  return typeof query === 'string' ? { name: undefined, text: query } : (query as Omit<SentStatement, 'port'>)
}
