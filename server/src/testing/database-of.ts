import pg from 'pg'
import { runningPostgres } from '../platform/embedded/index.ts'
import type { CommandLine } from './command-line.ts'

/** Asks the embedded database of a running server, as its superuser. @returns the rows of the last statement */
export async function askDatabaseOf(
  parley: Pick<CommandLine, 'settings'>,
  ...statements: readonly string[]
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const running = await runningPostgres(parley.settings['PARLEY_DATA_DIR'] ?? '')
  if (running === undefined) throw new Error('the database does not answer')
  const client = new pg.Client(running.connection)
  await client.connect()
  try {
    let rows: readonly Readonly<Record<string, unknown>>[] = []
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows
    return rows
  } finally {
    await client.end()
    await running.release()
  }
}
