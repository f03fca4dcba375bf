import pg from 'pg'
import { expect, it } from 'vitest'
import { startTestServer, startTestServerOn } from '../../testing/server.ts'

it('goes on beside a newer version that writes what this one does not know', async () => {
  const server = await startTestServer({}, { shared: true })
  const { owner, id } = await server.organization()
  const queue = await owner.register()
  const newer = new pg.Client(server.database)
  await newer.connect()
  await newer.query('begin')
  const { rows } = await newer.query<{ position: string }>(
    'update organizations set position = position + 1 where id = $1 returning position',
    [id],
  )
  await newer.query(
    `insert into events (organization_id, position, type, audience, payload, changes, recorded_at)
     values ($1, $2, 'something/newer', '{"roleAtMost": 600}', '{"any": 1}', '[{"fold": "newer", "change": {"a": 1}}]', 0)`,
    [id, rows[0]?.position],
  )
  await newer.query('commit')
  await newer.query(`select pg_notify('parley_log', $1)`, [`${id}:${String(rows[0]?.position)}`])
  await newer.end()
  const sent = await owner.sendTo([owner.id], 'hello')
  expect(await queue.events()).toMatchObject([{ type: 'message', message: { id: sent } }])
  expect((await owner.register()).state).toHaveProperty('realm_users')
  await server.close()
})

it('does not start on a database that a newer version has changed, and says so', async () => {
  const server = await startTestServer()
  const newer = new pg.Client(server.database)
  await newer.connect()
  await newer.query(`insert into migrations (name, applied_at) values ('2999-01-01-newer', now())`)
  await newer.end()
  await expect(startTestServerOn(server.database)).rejects.toThrow(
    'a newer version of Parley has changed it (2999-01-01-newer); start that version, or a later one',
  )
  // The one that runs already goes on.
  const { owner } = await server.organization()
  await owner.sendTo([owner.id], 'hello')
  await server.close()
})
