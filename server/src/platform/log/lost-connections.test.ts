import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import type { BatchKind } from './batch-writer.ts'

let server: TestServer
let admin: pg.Client

beforeAll(async () => {
  server = await startTestServer({ PARLEY_LOG_LEVEL: 'silent' })
  admin = new pg.Client(server.database)
  await admin.connect()
})

afterAll(async () => {
  await admin.end()
  await server.close()
})

async function loseConnections(): Promise<void> {
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}

const batchLostAtCommit: BatchKind<{ readonly userId: number; readonly error: Error }, never> = {
  name: 'lostAtCommit',
  maxItems: 1,
  async write(connection, organization, [item]) {
    const [moved] = await connection.rows<{ position: number }>(
      'test_move',
      'update organizations set position = position + 1 where id = $1 returning position',
      [organization.id],
    )
    await connection.rows(
      'test_event',
      `insert into events (organization_id, position, type, audience, payload, recorded_at)
       values ($1, $2, 'realm_user/update', '{"roleAtMost": 600}', $4, $3)`,
      [
        organization.id,
        moved?.position,
        Math.floor(Date.now() / 1000),
        { person: { user_id: item?.userId, full_name: 'Lost' } },
      ],
    )
    throw item?.error ?? new Error('one at a time')
  },
}

it.each([
  ['silently', new Error('Connection terminated unexpectedly')],
  ['to an administrator command', Object.assign(new pg.DatabaseError('terminating', 0, 'error'), { code: '57P01' })],
])('delivers events committed before a connection was lost %s', async (_, error) => {
  const organization = await server.organization()
  const queue = await organization.owner.register({ event_types: ['realm_user'] })
  const waiting = queue.next()
  await expect.poll(() => server.parley.queues.count().parked).toBe(1)
  const log = await server.parley.logs.of(organization.id)
  await expect(log.batch(batchLostAtCommit, { userId: organization.owner.id, error })).rejects.toThrow(error)
  expect(await waiting).toMatchObject([{ type: 'realm_user', person: { full_name: 'Lost' } }])
})

it('does not repeat a batch write if its events cannot be read back', async () => {
  const { id } = await server.organization()
  const log = await server.parley.logs.of(id)
  let writes = 0
  const unreadable: BatchKind<number, never> = {
    name: 'unreadable',
    maxItems: 10,
    async write(connection, organization) {
      writes += 1
      await connection.rows('test_away', 'alter table events rename to events_away', [])
      const head = organization.position + 2
      const row = { position: head, type: 'fold', refId: null, audience: {}, payload: {}, changes: null }
      return { base: organization.position + 1, head, rows: [row], results: [] }
    },
  }
  const both = await Promise.allSettled([log.batch(unreadable, 1), log.batch(unreadable, 2)])
  await admin.query('alter table events_away rename to events')
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(writes).toBe(1)
})

it('recovers after all connections are lost, even during a transaction', async () => {
  const organization = await server.organization()
  const { owner } = organization
  await owner.subscribe(['general'])
  const queue = await owner.register({ event_types: ['message'] })
  const log = await server.parley.logs.of(organization.id)
  const noticed = new Promise((resolve) => {
    server.parley.database.pool.once('acquire', (client: pg.PoolClient) => void client.once('error', resolve))
  })
  const cut = log.write(async (tx) => {
    tx.nextId()
    await loseConnections()
    // The driver is notified while no statement of the transaction is running.
    await noticed
  })
  await expect(cut).rejects.toThrow(/terminat|not queryable/)
  const sent: number[] = []
  await expect
    .poll(async () => {
      const { status, body } = await owner.try('POST', '/messages', {
        type: 'stream',
        to: 'general',
        topic: 'after',
        content: 'Still here?',
      })
      if (status === 200) sent.push(Number(body['id']))
      return status
    })
    .toBe(200)
  const events = await queue.next()
  expect(events.map((event) => event['message']?.['id'])).toEqual(sent)
})

it('takes more concurrent snapshots than the server has database connections, even while the log lags', async () => {
  const { id } = await server.organization()
  const log = await server.parley.logs.of(id)
  await admin.query(
    `with moved as (update organizations set position = position + 1 where id = $1 returning position)
     insert into events (organization_id, position, type, audience, payload, recorded_at)
     select $1, position, 'fold', '{}', '{}', $2 from moved`,
    [id, Math.floor(Date.now() / 1000)],
  )
  const snapshots = Array.from({ length: 30 }, async () => {
    const { position, observed } = await log.snapshot(
      (organization) => organization.position,
      async () => Promise.resolve(),
    )
    return position - observed
  })
  expect(new Set(await Promise.all(snapshots))).toEqual(new Set([0]))
})

it('replaces connections that stop responding', async () => {
  const here = await startTestServer({ PARLEY_LOG_LEVEL: 'silent', PARLEY_REQUEST_DEADLINE_SECONDS: '1' })
  const { owner } = await here.organization()
  const statusesOfRequests = async (): Promise<number[]> => {
    const answers = await Promise.all([
      owner.try('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Is anybody there?' }),
      owner.try('PATCH', '/settings', { enter_sends: true }),
      owner.try('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
      owner.try('POST', '/register'),
    ])
    return answers.map(({ status }) => status)
  }
  const WELL = [200, 200, 200, 200]
  expect(await statusesOfRequests()).toEqual(WELL)
  const watcher = new pg.Client(here.database)
  await watcher.connect()
  const { rows } = await watcher.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
  try {
    expect(await statusesOfRequests()).toContain(503)
    await expect.poll(statusesOfRequests).toEqual(WELL)
  } finally {
    for (const { pid } of rows) process.kill(pid, 'SIGCONT')
    await watcher.end()
    await here.close()
  }
})
