import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { openDatabase, type Database } from './database.ts'

const USES: readonly (readonly [string, (database: Database) => Promise<unknown>])[] = [
  ['was only taken', async ({ pool }) => (await pool.connect()).release()],
  ['was asked', async ({ kysely }) => sql`select 1`.execute(kysely)],
]

it.each(USES)('keeps no connection open that %s', async (_, use) => {
  const database = openDatabase(inject('postgres'), 30, { onError: () => undefined })
  await use(database)
  expect(database.pool.totalCount).toBe(1)
  await database.close()
  expect(database.pool.totalCount).toBe(0)
})
