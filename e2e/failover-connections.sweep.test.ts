/*
 * A standby takes over while the old primary keeps running and the connection with which a node follows the log stays
 * open. One other kind of the node's connections goes to the new primary, and must detect this on its own.
 */
import { expect, it } from 'vitest'
import type { PostgresServer } from '../server/src/testing/postgres-server.ts'
import { Random } from '../server/src/testing/random.ts'
import type { TestUser } from '../server/src/testing/user.ts'
import { logIn } from './crash/log-in.ts'
import { ServerProcess } from './crash/server-process.ts'
import { DATABASE, startPrimaryAndStandby, databasePairUrl } from './failover/pair.ts'

const TIMEOUT_MILLISECONDS = 300_000
/** Each takeover skips more IDs than this number. */
const MIN_SKIPPED_IDS = 1_000_000

/** Connections of the node by purpose. The connection that follows the log permanently holds a lock. */
const CONNECTION_KINDS = `
  select pid, case when query like 'listen %' then 'bus' when query like '%insert into user_activity%' then 'lookups'
    when exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory') then 'reads' else 'transactions' end as kind
  from pg_stat_activity a where datname = '${DATABASE}' and pid <> pg_backend_pid()`

it.each([
  ['transactions', async (user: TestUser) => user.try('PATCH', '/settings', { twenty_four_hour_time: true })],
  ['lookups', async (user: TestUser) => user.try('PATCH', '/messages/1', { content: 'It is not there' })],
] as const)(
  'skips IDs before the first write after a failover, even if that write uses a connection for %s',
  async (kind, use) => {
    const [first, second] = await startPrimaryAndStandby()
    const over = new AbortController()
    const node = await ServerProcess.start({
      DATABASE_URL: databasePairUrl([first, second]),
      PARLEY_LOG_LEVEL: 'silent',
    })
    try {
      const user = await logIn(node.url, { random: new Random(1), over: over.signal })
      const last = await user.sendTo([user.id], 'Before')
      await expect
        .poll(async () => (await connectionKinds(first)).toSorted())
        .toEqual(['bus', 'lookups', 'reads', 'transactions'])
      await second.ask('select pg_promote()')
      await first.ask(
        `select pg_terminate_backend(pid) from (${CONNECTION_KINDS}) as connections where kind = '${kind}'`,
        DATABASE,
      )
      await use(user)
      const positions = await second.ask<{ position: number }>(
        `select position from events where position > ${last} order by position`,
        DATABASE,
      )
      expect(positions.length).toBeGreaterThan(0)
      expect(Number(positions[0]?.position)).toBeGreaterThan(last + MIN_SKIPPED_IDS)
    } finally {
      over.abort()
      await node.close()
      await first.close()
      await second.close()
    }
  },
  TIMEOUT_MILLISECONDS,
)

async function connectionKinds(server: PostgresServer): Promise<string[]> {
  const rows = await server.ask<{ kind: string }>(
    `select distinct kind from (${CONNECTION_KINDS}) as connections`,
    DATABASE,
  )
  return rows.map(({ kind }) => kind)
}
