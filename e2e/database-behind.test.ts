/*
 * A server exits with an explanation when its database lacks acknowledged data, as after a failover to a lagging
 * standby.
 */
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../server/src/testing/databases.ts'
import { Random } from '../server/src/testing/random.ts'
import { logIn } from './crash/log-in.ts'
import { ServerProcess, databaseUrl } from './crash/server-process.ts'

const TIMEOUT_MILLISECONDS = 120_000

it(
  'exits with an explanation when the database lacks acknowledged data',
  async () => {
    const database = await createDatabase()
    const node = await ServerProcess.start({ DATABASE_URL: databaseUrl(database), PARLEY_LOG_LEVEL: 'silent' })
    onTestFinished(async () => node.close())
    const owner = await logIn(node.url, { random: new Random(1), over: AbortSignal.timeout(TIMEOUT_MILLISECONDS) })
    const last = await owner.sendTo([owner.id], 'Acknowledged')
    const client = new pg.Client(database)
    await client.connect()
    onTestFinished(async () => client.end())
    await client.query('delete from events where position >= $1', [last])
    await client.query('update organizations set position = $1', [last - 1])
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await expect.poll(() => node.accidents).toHaveLength(1)
    expect(node.accidents[0]).toContain('The database lost acknowledged changes')
  },
  TIMEOUT_MILLISECONDS,
)
