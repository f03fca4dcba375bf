import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { basic, callApi, type TestUser } from '../../testing/user.ts'

const server = useTestServer()

let sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets = []
})

/** Sends a request whose body never ends. Resolves with the start of the response. */
async function startRequest(
  user: TestUser,
  path: string,
  credentials: string,
  sent: string,
  { type = 'application/x-www-form-urlencoded', length = 4_000_000 } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(user.url).port), '127.0.0.1', () => {
      socket.write(
        `POST /api/v1${path} HTTP/1.1\r\nhost: ${user.host}\r\n${credentials}` +
          `content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
      )
      socket.write(sent)
    })
    sockets.push(socket)
    socket.on('data', (chunk) => resolve(chunk.toString('latin1')))
    socket.on('error', reject)
  })
}

const statusOf = (answer: string): number => Number(answer.split(' ')[1])

it('answers an unauthenticated request before its body has arrived', async () => {
  const { owner } = await server().organization()
  expect(statusOf(await startRequest(owner, '/messages', '', 'x'.repeat(1_000)))).toBe(401)
  const wrong = `authorization: ${basic(owner.email, 'wrong')}\r\n`
  expect(statusOf(await startRequest(owner, '/messages', wrong, 'x'.repeat(1_000)))).toBe(401)
  // An unknown path does not need the body.
  expect(statusOf(await startRequest(owner, '/nothing', '', 'x'.repeat(1_000)))).toBe(404)
})

it('limits the size of unauthenticated bodies, and the memory used per address', async () => {
  const { owner } = await server().organization()
  const login = { username: 'x'.repeat(70_000), password: 'x' }
  const { status, body } = await callApi(owner.url, owner.host, 'POST', '/fetch_api_key', login)
  expect([status, body['code'], body['msg']]).toEqual([
    400,
    'BAD_REQUEST',
    'The request is too large (limit: 65536 bytes)',
  ])

  // With the right key, bodies wait in memory, up to 16 MiB per address.
  const right = `authorization: ${basic(owner.email, owner.apiKey)}\r\n`
  const answers = Array.from({ length: 150 }, () =>
    startRequest(owner, '/messages', right, 'x'.repeat(120_000), { length: 125_000 }),
  )
  const first = await Promise.race(answers)
  expect(statusOf(first)).toBe(429)
  expect(first).toMatch(/\r\nretry-after: 1\r\n/i)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await owner.try('POST', '/messages/render', { content: 'x' })).status).toBe(200)
})

it('limits the memory used per address at endpoints that accept a file', async () => {
  const { owner } = await server().organization()
  const right = `authorization: ${basic(owner.email, owner.apiKey)}\r\n`
  const words = `--x\r\ncontent-disposition: form-data; name="words"\r\n\r\n${'x'.repeat(60_000)}`
  const type = 'multipart/form-data; boundary=x'
  const answers = Array.from({ length: 300 }, () => startRequest(owner, '/user_uploads', right, words, { type }))
  expect(statusOf(await Promise.race(answers))).toBe(429)
})

it('rejects an upload that contains too much text besides the file', async () => {
  const { owner } = await server().organization()
  const right = `authorization: ${basic(owner.email, owner.apiKey)}\r\n`
  const words = `--x\r\ncontent-disposition: form-data; name="words"\r\n\r\n${'x'.repeat(2 * 1024 * 1024)}`
  const answer = await startRequest(owner, '/user_uploads', right, words, {
    type: 'multipart/form-data; boundary=x',
  })
  expect(statusOf(answer)).toBe(400)
  expect(answer).toContain('The request is too large (limit: 2097152 bytes)')
})
