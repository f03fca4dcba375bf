import pg from 'pg'
import { expect, it } from 'vitest'
import { VERSION } from '../../version.ts'
import { startTestServer, useTestServer } from '../../testing/server.ts'
import { upload } from '../../testing/files.ts'
import type { Answer, TestUser } from '../../testing/user.ts'
import { createPeople, makeBot } from '../bots/testing/bots.ts'
import { KINDS_OF_WORK } from './contract.ts'
import { checkRecentFiles } from './queries/index.ts'

const server = useTestServer()

it("reports the server's state and the organization's pending work to administrators", async () => {
  const { id, owner } = await server().organization()
  const elsewhere = await server().organization('Elsewhere')
  const health = await owner.call('GET', '/server_health')
  expect(health).toMatchObject({
    version: VERSION,
    node_version: process.versions.node,
    problems: [],
    is_mail_configured: false,
  })
  expect(health['database']?.['version']).toMatch(/^\d+/)
  expect(Number(health['database']?.['milliseconds'])).toBeGreaterThanOrEqual(0)
  expect(health['started_at']).toBeLessThanOrEqual(Date.now() / 1000)
  const nothing = KINDS_OF_WORK.map((what) => ({ what, count: 0, since: null }))
  expect(health['waiting']).toEqual(nothing)
  // The lease keeps the server from working on the export during the test.
  await server().parley.database.pool.query(
    `insert into data_exports (organization_id, id, acting_user_id, export_type, begun_at, name, leased_until)
     values ($1, 1000000, $2, 1, 1000, 'a name', 4000000000)`,
    [id, owner.id],
  )
  const { waiting, findings } = await owner.call('GET', '/server_health')
  expect(findings).toContainEqual({ what: 'work_late', severity: 'wrong', value: 1 })
  expect(waiting).toEqual(nothing.map((one) => (one.what === 'exports' ? { ...one, count: 1, since: 1_000 } : one)))
  const others = await elsewhere.owner.call('GET', '/server_health')
  expect(others['waiting']).toEqual(nothing)
  expect(others['findings'].filter(({ what }) => what === 'work_late')).toEqual([])
})

it('reports missing files, without names, only to administrators of the organization', async () => {
  const { owner } = await server().organization()
  const elsewhere = await server().organization('Elsewhere')
  const addresses = [await upload(owner, 'one.txt', 'words'), await upload(owner, 'two.txt', 'words')]
  const missing = async (reader: TestUser): Promise<unknown[]> => {
    const { findings } = await reader.call('GET', '/server_health')
    return findings.filter(({ what }) => what.startsWith('files_'))
  }
  expect(await missing(owner)).toEqual([])
  const remove = async (address = ''): Promise<void> =>
    server().parley.facts.files.remove(`uploads/${address.split('/').slice(2, 5).join('/')}`)
  await remove(addresses[0])
  expect(await missing(owner)).toEqual([{ what: 'files_missing', severity: 'wrong', value: 1 }])
  // If all files are missing, the server is probably using the wrong store.
  await remove(addresses[1])
  expect(await missing(owner)).toEqual([{ what: 'files_elsewhere', severity: 'wrong', value: 2 }])
  expect(await missing(elsewhere.owner)).toEqual([])
})

it('does not report a file as missing if it was deleted during the check', async () => {
  const { id, owner } = await server().organization()
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await upload(owner, name, 'words')
  const { parley } = server()
  let deleting: Promise<undefined> | undefined
  const deleteAll = async (): Promise<undefined> => {
    const { attachments } = await owner.call('GET', '/attachments')
    for (const one of attachments) await owner.call('DELETE', `/attachments/${one.id}`)
  }
  const size = async (): Promise<undefined> => (deleting ??= deleteAll())
  expect(await checkRecentFiles(parley.database.reads, { place: 'here', size }, id)).toMatchObject({ state: 'ok' })
})

it('reports the same problems as `/readyz`, even with a read-only database', async () => {
  const own = await startTestServer({ PARLEY_LOG_LEVEL: 'silent' })
  const admin = new pg.Client({ ...own.database, database: 'postgres' })
  await admin.connect()
  try {
    const { owner } = await own.organization()
    expect(await owner.call('GET', '/server_health')).toMatchObject({ problems: [] })
    const name = pg.escapeIdentifier(own.database.database ?? '')
    await admin.query(`alter database ${name} set default_transaction_read_only = on`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      own.database.database,
    ])
    await expect.poll(async () => (await fetch(`${own.parley.url}/readyz`)).status).toBe(503)
    expect(await owner.call('GET', '/server_health')).toMatchObject({
      version: VERSION,
      problems: ['database_read_only'],
      database: null,
      waiting: [],
    })
    await admin.query(`alter database ${name} reset default_transaction_read_only`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      own.database.database,
    ])
    await expect
      .poll(async () => (await owner.call('GET', '/server_health'))['problems'], { timeout: 5_000 })
      .toEqual([])
  } finally {
    await admin.end()
    await own.close()
  }
})

it('reports a full database after a failed write, and fails the readiness check', async () => {
  const own = await startTestServer({ PARLEY_LOG_LEVEL: 'silent' })
  const client = new pg.Client(own.database)
  await client.connect()
  try {
    const { owner } = await own.organization()
    const queue = await owner.register({ event_types: ['message'] })
    const send = async (): Promise<Answer> =>
      owner.try('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Words' })
    await client.query(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
      create trigger refuse before insert on messages for each statement execute function refuse()`)
    const { status, body, headers } = await send()
    expect([status, body['code'], headers['retry-after']]).toEqual([503, 'SERVER_NOT_READY', '1'])
    expect(body['msg']).toBe('The server is out of space. Tell its operator.')
    const ready = await fetch(`${own.parley.url}/readyz`)
    expect([ready.status, await ready.text()]).toEqual([503, 'The database is out of space.\n'])
    const { problems } = await owner.call('GET', '/server_health')
    expect(problems).toEqual(['database_full'])
    expect(await queue.events()).toEqual([])
    await client.query('drop function refuse cascade')
    expect((await send()).status).toBe(200)
    await expect.poll(async () => (await fetch(`${own.parley.url}/readyz`)).status).toBe(200)
    expect(await queue.events()).toMatchObject([{ type: 'message' }])
  } finally {
    await client.end()
    await own.close()
  }
})

it('refuses the server health report to people other than administrators', async () => {
  const organization = await server().organization()
  const { ada, mia } = await createPeople(organization)
  expect((await ada.call('GET', '/server_health'))['version']).toBe(VERSION)
  const others = [mia, await organization.user('Mo', { role: 300 }), await makeBot(mia)]
  for (const one of others) {
    const { status, body } = await one.try('GET', '/server_health')
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', 'Must be an organization administrator'])
    expect(body['version']).toBeUndefined()
  }
})
