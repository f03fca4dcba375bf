import pg from 'pg'
import { expect, it } from 'vitest'
import { startTestServer, startTestServerOn, type TestServer } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'

interface NewerEvent {
  readonly type: string
  readonly audience: object
  readonly payload?: object
  readonly changes?: readonly object[]
}

async function writeAsNewer(server: TestServer, id: number, events: readonly NewerEvent[]): Promise<void> {
  const newer = new pg.Client(server.database)
  await newer.connect()
  for (const { type, audience, payload = {}, changes = null } of events) {
    await newer.query('begin')
    const { rows } = await newer.query<{ position: string }>(
      'update organizations set position = position + 1 where id = $1 returning position',
      [id],
    )
    await newer.query(
      `insert into events (organization_id, position, type, audience, payload, changes, recorded_at)
       values ($1, $2, $3, $4, $5, $6, 0)`,
      [id, rows[0]?.position, type, audience, payload, changes === null ? null : JSON.stringify(changes)],
    )
    await newer.query('commit')
    await newer.query(`select pg_notify('parley_log', $1)`, [`${id}:${String(rows[0]?.position)}`])
  }
  await newer.end()
}

it('tolerates unknown events and changes written by a newer version', async () => {
  const server = await startTestServer({}, { shared: true })
  const { owner, id } = await server.organization()
  const queue = await owner.register()
  await writeAsNewer(server, id, [
    {
      type: 'something/newer',
      audience: { roleAtMost: 600 },
      payload: { any: 1 },
      changes: [{ fold: 'newer', change: { a: 1 } }],
    },
  ])
  const sent = await owner.sendTo([owner.id], 'hello')
  expect(await queue.events()).toMatchObject([{ type: 'message', message: { id: sent } }])
  expect((await owner.register()).state).toHaveProperty('realm_users')
  await server.close()
})

it('withholds events for unknown audiences and delivers all other events', async () => {
  const server = await startTestServer({}, { shared: true })
  const { owner, id } = await server.organization()
  const queue = await owner.register()
  const beginning = queue.lastEventId
  const words = (word: string): Pick<NewerEvent, 'type' | 'payload'> => ({
    type: 'alert_words',
    payload: { alert_words: [word] },
  })
  const all = { roleAtMost: 600 }
  await writeAsNewer(server, id, [
    { ...words('for people of a newer kind'), audience: { newerPeople: [owner.id] } },
    { ...words('for clients that know more'), audience: { ...all, clients: { capability: 'newer', has: true } } },
    { ...words('for clients that do not'), audience: { ...all, clients: { capability: 'newer', has: false } } },
    { type: 'something/newer', audience: all },
    { ...words('for all'), audience: all },
  ])
  const sent = await owner.sendTo([owner.id], 'hello')
  const told = [
    { type: 'alert_words', alert_words: ['for clients that do not'] },
    { type: 'alert_words', alert_words: ['for all'] },
    { type: 'message', message: { id: sent } },
  ]
  const events = await queue.events()
  expect(events).toMatchObject(told)
  // The other node knows the queue only from the log.
  const other = await startTestServerOn(server.database, {}, { shared: true })
  const elsewhere = new TestUser(other.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
  const from = { queue_id: queue.id, last_event_id: beginning, dont_block: true }
  const again = await elsewhere.call('GET', '/events', from)
  expect(again['events']).toEqual(events)
  await other.close()
  await server.close()
})

it("keeps unknown events for the consumers of a newer version, and advances this version's consumers", async () => {
  const server = await startTestServer({}, { shared: true })
  const { owner, id } = await server.organization()
  const newer = new pg.Client(server.database)
  await newer.connect()
  await newer.query(`insert into known_consumers values ('ofNewer')`)
  await newer.query(
    `insert into consumers (organization_id, name, clear_position) select id, 'ofNewer', position from organizations where id = $1`,
    [id],
  )
  const reached = async (): Promise<Readonly<Record<string, number>>> => {
    const { rows } = await newer.query<{ name: string; position: number }>(
      'select name, greatest(position, clear_position) as position from consumers where organization_id = $1',
      [id],
    )
    return Object.fromEntries(rows.map(({ name, position }) => [name, position]))
  }
  const { ofNewer: before } = await reached()
  await writeAsNewer(server, id, [{ type: 'something/newer', audience: { roleAtMost: 600 } }])
  await owner.subscribe(['general'])
  const sent = await owner.send('general', 'talk', 'hello')
  // The other node's cursor is stored together with the server's.
  await server.close()
  const after = await reached()
  expect(after['ofNewer']).toBe(before)
  expect(after['followUp']).toBeGreaterThanOrEqual(sent)
  const { rows: left } = await newer.query('select type from events where organization_id = $1 and position = $2', [
    id,
    Number(before) + 1,
  ])
  expect(left).toEqual([{ type: 'something/newer' }])
  await newer.end()
})

it('refuses to start on a database that a newer version migrated', async () => {
  const server = await startTestServer()
  const newer = new pg.Client(server.database)
  await newer.connect()
  await newer.query(`insert into migrations (name, applied_at) values ('2999-01-01-newer', now())`)
  await newer.end()
  await expect(startTestServerOn(server.database)).rejects.toThrow(
    'a newer version of Parley has changed it (2999-01-01-newer); start that version or a later one',
  )
  const { owner } = await server.organization()
  await owner.sendTo([owner.id], 'hello')
  await server.close()
})
