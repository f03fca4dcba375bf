import { expect, it } from 'vitest'
import pg from 'pg'
import { CLOSE_AT_ONCE, waitUntilClosed, isOpen } from '../../testing/closing.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

async function withShared(
  work: (server: TestServer, database: pg.Client) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  // The tests lose connections, which would otherwise be logged.
  const server = await startTestServer({ PARLEY_LOG_LEVEL: 'silent', ...settings }, { shared: true })
  const database = new pg.Client(server.database)
  await database.connect()
  try {
    await work(server, database)
  } finally {
    await database.end()
    await server.close()
  }
}

async function loseConnections(database: pg.Client): Promise<void> {
  await database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}

async function newestId(database: pg.Client): Promise<number> {
  return (await database.query<{ id: number }>('select max(id) as id from organizations')).rows[0]?.id ?? 0
}

async function placeIn(database: pg.Client): Promise<string | undefined> {
  return (await database.query<{ place: string }>('select place from database_place')).rows[0]?.place
}

it('records a failover that lost no events, and keeps queues', async () => {
  await withShared(async (server, database) => {
    const { owner } = await server.organization()
    let isLost = false
    void server.parley.lost.then(() => (isLost = true))
    const queue = await owner.register({ event_types: ['message'] })
    const place = await placeIn(database)
    await owner.subscribe(['news'])
    const local = { type: 'direct', to: [owner.id], content: 'Once', queue_id: queue.id, local_id: '1' }
    const [first, again] = [await owner.call('POST', '/messages', local), await owner.call('POST', '/messages', local)]
    expect(again['id']).toBe(first['id'])
    // Simulates a server on another timeline that recorded its identity.
    await database.query(`update database_place set place = 'elsewhere'`)
    await loseConnections(database)
    await expect.poll(async () => placeIn(database)).toBe(place)
    await expect.poll(async () => (await owner.try('GET', '/users/me')).status).toBe(200)
    await owner.sendTo([owner.id], 'Still there')
    expect((await queue.events()).map(({ type }) => type)).toEqual(['message', 'message'])
    expect(isLost).toBe(false)
  })
})

it('restarts when another server is the first to detect that events were lost', async () => {
  await withShared(async (server, database) => {
    const { id, owner } = await server.organization()
    const queue = await owner.register()
    await owner.sendTo([owner.id], 'Kept')
    const last = await owner.sendTo([owner.id], 'Acknowledged, and lost')
    await loseNewest(database, id, last)
    const moved = last + 5_000_000_000
    await database.query(`update organizations set position = ${moved} where id = ${id}`)
    await database.query(
      `insert into events (organization_id, position, type, audience, payload, recorded_at) values (${id}, ${moved}, 'fold', '{}', '{}', 0)`,
    )
    await database.query(
      `insert into queues (organization_id, id, user_id, registration, start_position, last_used_at)
       select organization_id, 'since', user_id, registration, ${moved}, last_used_at from queues where id = '${queue.id}'`,
    )
    await loseConnections(database)
    await server.parley.lost
    const { rows } = await database.query<{ position: number; queues: string[] }>(
      `select position, array(select id from queues where organization_id = ${id}) as queues from organizations where id = ${id}`,
    )
    // The earlier queue may have received lost events; the other queue was registered later.
    expect(rows).toEqual([{ position: moved, queues: ['since'] }])
  })
})

it('keeps serving an organization whose last known event was pruned', async () => {
  await withShared(async (server, database) => {
    const { id, owner } = await server.organization()
    let isLost = false
    void server.parley.lost.then(() => (isLost = true))
    const last = await owner.sendTo([owner.id], 'Long ago')
    await database.query(`update database_place set place = 'elsewhere'`)
    await database.query(`update organizations set position = position + 1 where id = ${id}`)
    await database.query(
      `insert into events (organization_id, position, type, audience, payload, recorded_at) values (${id}, ${last + 1}, 'fold', '{}', '{}', 0)`,
    )
    await database.query(`delete from events where organization_id = ${id} and position <= ${last}`)
    await loseConnections(database)
    await expect.poll(async () => placeIn(database)).not.toBe('elsewhere')
    await expect.poll(async () => (await owner.try('GET', '/users/me')).status).toBe(200)
    await owner.sendTo([owner.id], 'Now')
    expect(isLost).toBe(false)
  })
})

/** Deletes events that a standby lacks if it lagged at its promotion. */
async function loseNewest(database: pg.Client, id: number, last: number): Promise<void> {
  await database.query(`delete from messages where organization_id = ${id} and id = ${last}`)
  await database.query(`delete from events where organization_id = ${id} and position >= ${last}`)
  await database.query(`update organizations set position = ${last - 1} where id = ${id}`)
}

it.each([
  ['in use', {}, async () => undefined],
  ['that was unloaded', CLOSE_AT_ONCE, waitUntilClosed],
])('ends queues, skips IDs, and restarts when events of an organization %s are lost', async (_, settings, leave) => {
  await withShared(async (server, database) => {
    const organization = await server.organization()
    const { id, owner } = organization
    const queue = await owner.register()
    const last = await owner.sendTo([owner.id], 'Acknowledged, and lost')
    await leave(server, organization)
    await loseNewest(database, id, last)
    await loseConnections(database)
    await server.parley.lost
    const { rows } = await database.query<{ position: number; queues: number }>(
      `select position, (select count(*)::int from queues where id = '${queue.id}') as queues from organizations where id = ${id}`,
    )
    expect(rows[0]?.position).toBeGreaterThan(last + 1_000_000)
    expect(rows[0]?.queues).toBe(0)
  }, settings)
})

it('answers 503 and restarts when commits of another server are lost', async () => {
  await withShared(async (server, database) => {
    const { id, owner } = await server.organization()
    // Simulates a position of the old primary, up to which the new primary lacks events.
    await database.query(`update organizations set position = position + 5 where id = ${id}`)
    const { status, headers } = await owner.try('PATCH', '/settings', { twenty_four_hour_time: true })
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    await server.parley.lost
  })
})

it('answers no request from memory after detecting lost events', async () => {
  const server = await startTestServer({ PARLEY_LOG_LEVEL: 'silent' }, { shared: true })
  const [database, other] = [new pg.Client(server.database), new pg.Client(server.database)]
  await Promise.all([database.connect(), other.connect()])
  const { id, owner, user } = await server.organization()
  const somebody = await user('Somebody')
  await database.query('begin')
  await database.query('lock table user_activity in access exclusive mode')
  expect((await somebody.try('GET', '/users/me')).status).toBe(200)
  const waiting = `select count(*)::int as waiting from pg_locks
    where relation = 'user_activity'::regclass and database = (select oid from pg_database where datname = current_database()) and not granted`
  await expect.poll(async () => (await other.query<{ waiting: number }>(waiting)).rows[0]?.waiting).toBe(1)
  await other.query(`update organizations set position = position + 5 where id = ${id}`)
  expect((await owner.try('PATCH', '/settings', { twenty_four_hour_time: true })).status).toBe(503)
  await server.parley.lost
  const ending = server.close()
  const answered = await owner.try('GET', '/users/me').then(
    ({ status }) => status,
    () => 'refused',
  )
  await database.query('rollback')
  await ending
  await Promise.all([database.end(), other.end()])
  expect(answered).not.toBe(200)
})

it('answers 503 and leaves no transaction open while the log is unreadable', async () => {
  await withShared(async (server, database) => {
    const { id, owner } = await server.organization()
    const other = new pg.Client(server.database)
    await other.connect()
    await database.query('begin')
    await database.query('lock table events in access exclusive mode')
    await database.query(`insert into events (organization_id, position, type, audience, payload, recorded_at)
      select id, position + 1, 'fold', '{}', '{}', 0 from organizations where id = ${id}`)
    await other.query(`update organizations set position = position + 1 where id = ${id}`)
    const began = performance.now()
    const { status, headers } = await owner.try('PATCH', '/settings', { twenty_four_hour_time: true })
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    // The database stops waiting for a lock after 10 seconds.
    expect(performance.now() - began).toBeLessThan(8_000)
    const held = `select count(*)::int as held from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
      and pid <> (select pid from pg_locks where relation = 'events'::regclass and mode = 'AccessExclusiveLock')`
    await expect.poll(async () => (await other.query<{ held: number }>(held)).rows[0]?.held).toBe(0)
    await database.query('commit')
    await other.end()
    await expect
      .poll(async () => (await owner.try('PATCH', '/settings', { twenty_four_hour_time: true })).status)
      .toBe(200)
  })
})

it('rejects requests to an organization that the database lost, and keeps serving other organizations', async () => {
  await withShared(async (server, database) => {
    const [organization, { owner: other }] = [await server.organization(), await server.organization()]
    const { id, owner } = organization
    const waiting = (await owner.register()).next()
    waiting.catch(() => undefined)
    await expect.poll(() => server.parley.queues.count().parked).toBe(1)
    const newest = await newestId(database)
    await database.query(`delete from organizations where id = ${id}`)
    const message = { type: 'direct', to: [owner.id], content: 'Lost' }
    expect((await owner.try('POST', '/messages', message)).status).toBe(503)
    expect((await owner.try('PATCH', '/settings', { twenty_four_hour_time: true })).status).toBe(503)
    await database.query(`update database_place set place = 'elsewhere'`)
    await loseConnections(database)
    await expect(waiting).rejects.toThrow('BAD_EVENT_QUEUE_ID')
    await expect.poll(async () => (await owner.try('GET', '/users/me')).status).toBe(404)
    expect((await owner.try('POST', '/messages', message)).status).toBe(404)
    expect(isOpen(server, organization)).toBe(false)
    await expect.poll(async () => (await other.try('GET', '/users/me')).status).toBe(200)
    await other.sendTo([other.id], 'Still there')
    expect((await server.organization()).id).toBeGreaterThan(newest + 1_000)
  })
})

it('skips IDs after a failover and keeps event queues', async () => {
  await withShared(async (server, database) => {
    const { owner } = await server.organization()
    const queue = await owner.register({ event_types: ['message'] })
    const before = await owner.sendTo([owner.id], 'Before')
    // Only the identity differs, so connections that do not check the row may write first.
    // e2e/failover-connections.sweep.test.ts tests each kind of connection with two servers.
    await database.query(`update database_place set place = 'elsewhere'`)
    await loseConnections(database)
    await expect.poll(async () => placeIn(database)).not.toBe('elsewhere')
    const send = async (): Promise<number> => {
      const { status, body } = await owner.try('POST', '/messages', {
        type: 'direct',
        to: [owner.id],
        content: 'After',
      })
      return status === 200 ? Number(body['id']) : 0
    }
    await expect.poll(send).toBeGreaterThan(before + 1_000_000)
    expect((await queue.events()).map(({ type }) => type)).toEqual(['message', 'message'])
  })
})
