import { Writable } from 'node:stream'
import { connect } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { openStore, serve, type Parley } from '../../start.ts'
import { anyText } from '../../testing/expected.ts'
import { fetchUnauthenticated, upload } from '../../testing/files.ts'
import { parseObject } from '../../testing/json.ts'
import { useTestServer } from '../../testing/server.ts'
import { basic, callApi, TestUser, type Answer, type Parameters } from '../../testing/user.ts'

/** Accounts are created on this server; the tests read the log of another server on the same database. */
const server = useTestServer()
const PASSWORD = 'a very secret password'
let parley: Parley
let owner: TestUser
let lines: Record<string, unknown>[] = []

beforeAll(async () => {
  const organization = await server().organization('Test', { password: PASSWORD })
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(parseObject(chunk.toString('utf8')))
      done()
    },
  })
  const config = readConfig({
    PORT: '0',
    PARLEY_ROOT_DOMAIN: 'parley.test',
    PARLEY_DEVELOPMENT: '1',
    PARLEY_RATE_LIMITS: 'off',
  })
  const logger = pino({ level: 'trace', base: null }, sink)
  parley = await serve(openStore(server().database, config, logger, { shared: true }), config, logger)
  owner = new TestUser(parley.url, organization.host, organization.owner.email, organization.owner.apiKey, 0)
})
afterAll(async () => {
  await parley.close()
})
beforeEach(() => {
  lines = []
})

async function ask(method: string, path: string, parameters: Parameters = {}): Promise<Answer> {
  return owner.try(method, path, parameters)
}

it('logs one line per request with ID, method, path, status, and duration', async () => {
  await ask('GET', '/users/me')
  await ask('GET', '/users', { client_external_avatar: 'nonsense' })
  await ask('HEAD', '/users/me')
  await ask('GET', '/nothing')
  await ask('PUT', '/users')
  await ask('GET', '/users/%zz')
  await ask('POST', '/register', { event_types: ['message'] })
  await ask('GET', '/events', { queue_id: 'none' })
  const expected = [
    ['GET', '/api/v1/users/me', 200],
    ['GET', '/api/v1/users', 400],
    ['HEAD', '/api/v1/users/me', 200],
    ['GET', '/api/v1/nothing', 404],
    ['PUT', '/api/v1/users', 405],
    ['GET', '/api/v1/users/%zz', 400],
    ['POST', '/api/v1/register', 200],
    ['GET', '/api/v1/events', 400],
  ]
  expect(lines.map(({ method, path, status }) => [method, path, status])).toEqual(expected)
  expect(lines.every(({ ms }) => typeof ms === 'number')).toBe(true)
  const ids = lines.map(({ reqId }) => reqId)
  expect(ids.every((id) => typeof id === 'string')).toBe(true)
  expect(new Set(ids).size).toBe(expected.length)
})

it('logs long polls when they are answered', async () => {
  const queue = await owner.register({ event_types: ['message'] })
  const waiting = queue.next()
  await owner.subscribe(['general'])
  await owner.send('general', 'hello', 'Hello')
  await waiting
  const poll = lines.find(({ path }) => path === '/api/v1/events')
  expect(poll).toMatchObject({ method: 'GET', status: 200, reqId: anyText })
})

it('logs no passwords, keys, or cookies', async () => {
  const secrets = [owner.apiKey, basic(owner.email, owner.apiKey).slice(6), PASSWORD, 'topsecret']
  await ask('GET', '/users/me', { api_key: owner.apiKey, topsecret: 'topsecret' })
  await callApi(owner.url, owner.host, 'POST', '/fetch_api_key', { username: owner.email, password: PASSWORD })
  await callApi(owner.url, owner.host, 'POST', '/fetch_api_key', { username: owner.email, password: 'topsecret' })
  await ask('POST', '/users', { email: 'n@example.com', password: 'topsecret', full_name: 'N' })
  await ask('POST', '/users', { email: 'n@example.com', password: 'topsecret', full_name: 'topsecret' })
  await ask('GET', `/users/%zz?api_key=${owner.apiKey}`)
  await ask('GET', `/nothing?api_key=${owner.apiKey}`)
  await ask('GET', `/users/${'x'.repeat(500)}?api_key=${owner.apiKey}`)
  const headers = { authorization: 'Bearer topsecret', cookie: 'session=topsecret' }
  await callApi(owner.url, owner.host, 'GET', '/users', {}, { headers })
  const body = '{"password":"topsecret"'
  const json = { ...headers, authorization: basic(owner.email, owner.apiKey), 'content-type': 'application/json' }
  await callApi(owner.url, owner.host, 'POST', '/users', {}, { headers: json, body })
  await sendBytes(
    `GET /api/v1/users HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\nbroken\0\r\n\r\n`,
  )
  const said = lines.map((line) => JSON.stringify(line)).join('\n')
  expect(lines.length).toBeGreaterThanOrEqual(11)
  for (const secret of secrets) expect(said).not.toContain(secret)
})

it('logs no tokens of temporary file links', async () => {
  const url = await upload(owner, 'note.txt', 'Hello')
  const { url: pass } = await owner.call('GET', url)
  const token = String(pass).split('/')[3] ?? ''
  expect(token.length).toBeGreaterThan(20)
  expect((await fetchUnauthenticated(owner, String(pass))).status).toBe(200)
  await expect.poll(() => lines.map(({ path }) => path)).toContain('/user_uploads/temporary/:token/note.txt')
  expect(JSON.stringify(lines)).not.toContain(token)
})

it('logs no file tokens, even if a path is unknown, percent-encoded, or has extra slashes', async () => {
  const url = await upload(owner, 'note.txt', 'Hello')
  const { url: pass } = await owner.call('GET', url)
  const token = String(pass).split('/')[3] ?? ''
  const end = token.slice(-20)
  const codes = token.replace('.', '%2E')
  const requests = [
    `OPTIONS ${String(pass)}`,
    `POST ${String(pass)}`,
    `GET /user_uploads/temporary/${token}`,
    `GET /user_uploads/temporary/${token}/`,
    `GET //user_uploads//temporary/${token}/note.txt`,
    `GET /user%5Fuploads/temporary/${token}/note.txt/more`,
    `GET /api/v1/user_uploads/temporary/${token}/note.txt`,
    `GET /user_uploads/temporary/${token}/%zz`,
    `GET /user_uploads/temporary/${codes}/note.txt`,
  ]
  for (const request of requests) await sendBytes(`${request} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
  await expect.poll(() => lines.filter(({ msg }) => msg === 'request').length).toBeGreaterThan(requests.length)
  expect(lines.map(({ path }) => String(path)).filter((path) => path.includes(end))).toEqual([])
})

it('logs an internal error with the request ID that the client receives', async () => {
  const rename = async (from: string, to: string): Promise<unknown> =>
    server().parley.database.pool.query(`alter table ${from} rename to ${to}`)
  await rename('messages', 'messages_gone')
  let answer: Answer
  try {
    answer = await ask('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, topsecret: 'x' })
  } finally {
    await rename('messages_gone', 'messages')
  }
  // Jobs that need the table log errors, too.
  const failure = lines.find(({ level, path }) => level === 50 && path === '/api/v1/messages')
  expect(failure).toMatchObject({
    err: { code: '42P01' },
    reqId: anyText,
  })
  expect(JSON.stringify(failure)).toContain('history/queries/reading.ts')
  expect(answer.body).toEqual({
    result: 'error',
    msg: `Internal server error (request ${String(failure?.['reqId'])})`,
    code: 'SERVER_NOT_READY',
  })
  expect(answer.status).toBe(500)
  expect(lines.find(({ status }) => status === 500)).toMatchObject({ reqId: failure?.['reqId'] })
})

async function sendBytes(bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(owner.url).port), '127.0.0.1', () => socket.write(bytes))
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.resume()
  })
}
