import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../testing/databases.ts'
import { migrateDatabase, refuseOldPostgres } from './migrate.ts'

it('rejects PostgreSQL versions older than 15', () => {
  expect(() => refuseOldPostgres(149_999)).toThrow('it is PostgreSQL 14, but Parley needs 15 or newer')
  expect(() => refuseOldPostgres(150_000)).not.toThrow()
})

it('repeats a migration that deadlocks with a server of the previous version', async () => {
  const database = await createDatabase()
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client(database)
    await client.connect()
    onTestFinished(async () => client.end())
    return client
  }
  const [migrating, server, gate] = [await connect(), await connect(), await connect()]
  await server.query('create table one (id int); create table other (id int)')
  // PostgreSQL ends the transaction that notices the deadlock first.
  await server.query("set deadlock_timeout = '60s'")
  await gate.query('select pg_advisory_lock(1)')
  await server.query('begin; lock table other')
  const applied = await migrating.query<{ name: string; applied_at: Date }>('select name, applied_at from migrations')
  const earlier = applied.rows.map(({ name }) => ({ name, sql: '' }))
  const sql =
    'lock table one; select pg_advisory_xact_lock_shared(1); lock table other; alter table one add column added int'
  const migrated = migrateDatabase(migrating, [...earlier, { name: 'planted', sql }])
  const waitingFor = async (kind: string): Promise<number> => {
    const { rows } = await gate.query<{ count: number }>(
      `select count(*)::int as count from pg_locks join pg_database d on d.oid = database
       where not granted and locktype = $1 and datname = current_database()`,
      [kind],
    )
    return rows[0]?.count ?? 0
  }
  await expect.poll(async () => waitingFor('advisory')).toBe(1)
  const asked = server.query('lock table one')
  await expect.poll(async () => waitingFor('relation')).toBe(1)
  await gate.query('select pg_advisory_unlock(1)')
  await asked
  await server.query('commit')
  expect(await migrated).toEqual(['planted'])
  const { rows } = await server.query('select added from one')
  expect(rows).toEqual([])
})
