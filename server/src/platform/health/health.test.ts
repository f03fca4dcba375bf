import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, startTestServerOn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let admin: pg.Client

beforeAll(async () => {
  server = await startTestServer({ PARLEY_LOG_LEVEL: 'silent' })
  admin = new pg.Client({ ...server.database, database: 'postgres' })
  await admin.connect()
})

afterAll(async () => {
  await admin.end()
  await server.close()
})

async function probe(path: string, url = server.parley.url): Promise<readonly [number, string]> {
  const answer = await fetch(url + path)
  return [answer.status, await answer.text()]
}

async function loseConnections(): Promise<void> {
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    server.database.database,
  ])
}

it('reports liveness and readiness without authentication', async () => {
  expect(await probe('/healthz')).toEqual([200, 'The process is alive.\n'])
  expect(await probe('/readyz')).toEqual([200, 'Ready.\n'])
})

it('fails the readiness check while the database is read-only', async () => {
  const { database = '' } = server.database
  await admin.query(`alter database ${pg.escapeIdentifier(database)} set default_transaction_read_only = on`)
  await loseConnections()
  await expect.poll(() => probe('/readyz')).toEqual([503, 'The database is read-only.\n'])
  // The process itself is healthy, so a restart would not help.
  expect(await probe('/healthz')).toEqual([200, 'The process is alive.\n'])
  await admin.query(`alter database ${pg.escapeIdentifier(database)} reset default_transaction_read_only`)
  await loseConnections()
  await expect.poll(() => probe('/readyz'), { timeout: 5_000 }).toEqual([200, 'Ready.\n'])
})

it('queries a hanging database only once, however often readiness is probed', async () => {
  const { reads } = server.parley.database
  const rows = reads.rows.bind(reads)
  let looks = 0
  reads.rows = async (name, ...rest) => {
    if (name === 'health_writable') looks += 1
    return rows(name, ...rest)
  }
  const holder = new pg.Client(server.database)
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table organizations in access exclusive mode')
    await expect
      .poll(() => probe('/readyz'), { timeout: 20_000 })
      .toEqual([503, expect.stringMatching(/^The database has not responded for [7-9] seconds\.\n$/)])
    expect(looks).toBe(1)
    await holder.query('rollback')
    await expect.poll(() => probe('/readyz'), { timeout: 10_000 }).toEqual([200, 'Ready.\n'])
  } finally {
    await holder.end()
    reads.rows = rows
  }
}, 40_000)

it('fails the readiness check while the database rejects connections, and reveals no user name', async () => {
  const { database = '', user = '' } = server.database
  await admin.query(`alter database ${pg.escapeIdentifier(database)} with allow_connections false`)
  await loseConnections()
  await expect.poll(async () => (await probe('/readyz'))[0]).toBe(503)
  const [, said] = await probe('/readyz')
  expect(said).toBe('The database is unreachable.\n')
  expect(said).not.toContain(user)
  await admin.query(`alter database ${pg.escapeIdentifier(database)} with allow_connections true`)
  await expect.poll(() => probe('/readyz'), { timeout: 5_000 }).toEqual([200, 'Ready.\n'])
})

it('fails the readiness check while the server lags behind the commits of another node', async () => {
  const other = await startTestServerOn(server.database, { PARLEY_LOG_LEVEL: 'silent' }, { shared: true })
  let resumeNode = (): void => undefined
  try {
    const { id, owner } = await server.organization()
    await other.parley.logs.of(id)
    const { organization, follower } = await other.parley.logs.of(id)
    // Simulates a node that hangs: it neither receives nor polls commits, and callers that need a commit wait.
    const catchUp = follower.catchUp.bind(follower)
    const hangs = new Promise<void>((resolve) => {
      resumeNode = () => {
        follower.catchUp = catchUp
        resolve()
      }
    })
    follower.catchUp = async () => hangs
    const before = organization.position
    await owner.subscribe(['general'])
    await owner.send('general', 'talk', 'Hello')
    expect(await probe('/readyz', other.parley.url)).toEqual([200, 'Ready.\n'])
    await expect
      .poll(() => probe('/readyz', other.parley.url), { timeout: 15_000 })
      .toEqual([503, expect.stringMatching(/^Events of 1 organization have not been applied here for \d+ seconds?/)])
    expect(organization.position).toBe(before)
    expect(await probe('/readyz')).toEqual([200, 'Ready.\n'])
  } finally {
    resumeNode()
    await other.close()
  }
}, 30_000)

it("keeps a proxy's valid X-Request-Id, and otherwise creates an ID", async () => {
  const named = await fetch(`${server.parley.url}/api/v1/server_settings`, {
    headers: { 'x-request-id': 'proxy-7.a/b' },
  })
  expect(named.headers.get('x-request-id')).toBe('proxy-7.a/b')
  const own = await fetch(`${server.parley.url}/api/v1/server_settings`)
  const created = [own.headers.get('x-request-id')]
  for (const invalid of ['a name {"with":"spaces"}', 'x'.repeat(129)]) {
    const response = await fetch(`${server.parley.url}/healthz`, { headers: { 'x-request-id': invalid } })
    created.push(response.headers.get('x-request-id'))
  }
  for (const id of created) expect(id).toMatch(/^[a-z\d]+-\d+$/)
  expect(new Set(created).size).toBe(3)
})
