import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { OWNER_ENVIRONMENT } from '../testing/command-line.ts'
import { useProgram } from '../testing/program.ts'
import { basic, type TestUser } from '../testing/user.ts'

const program = useProgram()
const DESCRIPTORS = 256
const CLIENTS = 300

/** Sends a request over the agent's only connection. @returns the response's status */
async function sendRequest(agent: Agent, user: TestUser, method: string, path: string, body?: Buffer): Promise<number> {
  const headers = {
    authorization: basic(user.email, user.apiKey),
    ...(body === undefined ? {} : { 'content-type': 'multipart/form-data; boundary=b', 'content-length': body.length }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(`${user.url}/api/v1${path}`, { method, agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

it('closes and logs connections beyond the descriptor limit, and keeps serving existing connections', async () => {
  const parley = await program()
  const server = await parley.stay('start', OWNER_ENVIRONMENT, { descriptors: DESCRIPTORS })
  const { stdout: key } = await parley.run(['user', 'api-key', 'owner@localhost'])
  const owner = server.user('owner@localhost', key.trim())
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await sendRequest(agent, owner, 'GET', '/users/me')).toBe(200)

  const { hostname, port } = new URL(server.url)
  const flood: Socket[] = []
  let turnedAway = 0
  for (let index = 0; index < CLIENTS; index += 1) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.on('close', () => (turnedAway += 1))
    flood.push(socket)
  }
  // A quarter of the descriptors is reserved for files and the database.
  await expect.poll(() => turnedAway, { timeout: 20_000 }).toBeGreaterThan(CLIENTS - DESCRIPTORS)
  const file = Buffer.from(
    '--b\r\ncontent-disposition: form-data; name="f"; filename="words.txt"\r\n\r\nmany words\r\n--b--\r\n',
  )
  for (let index = 0; index < 5; index += 1) {
    expect(await sendRequest(agent, owner, 'GET', '/users/me')).toBe(200)
    expect(await sendRequest(agent, owner, 'POST', '/user_uploads', file)).toBe(200)
  }
  for (const socket of flood) socket.destroy()
  await expect
    .poll(async () =>
      owner.try('GET', '/users/me').then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  agent.destroy()
  const { code, stdout } = await server.stop()
  expect(code).toBe(0)
  const said = stdout.split('\n').filter((line) => line.includes('too many connections'))
  expect(said.length).toBeGreaterThan(0)
  expect(said.length).toBeLessThan(10)
})
