import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { openDatabase, type Database } from './database.ts'

const USES: readonly (readonly [string, (database: Database) => Promise<unknown>])[] = [
  ['was only acquired', async ({ pool }) => (await pool.connect()).release()],
  ['ran a query', async ({ kysely }) => sql`select 1`.execute(kysely)],
]

it.each(USES)('closes a connection that %s', async (_, use) => {
  const database = openDatabase(inject('postgres'), 30, { onError: () => undefined })
  await use(database)
  expect(database.pool.totalCount).toBe(1)
  await database.close()
  expect(database.pool.totalCount).toBe(0)
})
