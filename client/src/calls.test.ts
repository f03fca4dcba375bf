import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { channels, messages, queues, sessions, uploads, users } from '../../server/src/contract.ts'
import { portOf } from '../../server/src/testing/free-port.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { ApiError, call, follow, isInAnswer, type KeyCredentials } from './index.ts'

// Serves the organization at every host: `fetch` cannot set the Host header.
const server = useTestServer({ PARLEY_ROOT_DOMAIN: '' })
let owner: TestUser
let credentials: KeyCredentials

beforeAll(async () => {
  owner = (await server().organization('Test', { stringId: '' })).owner
  credentials = { url: owner.url, email: owner.email, apiKey: owner.apiKey }
})

let other: Server | undefined

afterEach(() => {
  vi.restoreAllMocks()
  other?.closeAllConnections()
  other?.close()
})

/** Starts a server that is not the API and returns its URL. */
async function startOtherServer(answer: RequestListener): Promise<string> {
  const listening = createServer(answer)
  other = listening
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return `http://127.0.0.1:${portOf(listening)}`
}

describe('call', () => {
  it('sends parameters as the endpoint expects and returns the response', async () => {
    const { id } = await call(credentials, messages.sendMessage, { type: 'direct', to: [owner.id], content: 'Hi ✨' })
    const { user } = await call(credentials, users.getUser, { user_id: owner.id, client_external_avatar: false })
    expect([id > 0, user.full_name, user.avatar_url]).toEqual([true, 'Olivia Owner', expect.any(String)])
    const missing = call(credentials, users.getUserByEmail, { email: 'a/b?c@example.com' })
    await expect(missing).rejects.toMatchObject({ code: 'BAD_REQUEST', status: 400 })
  })

  it('calls onSignedOut for an unauthenticated request, but not for a wrong password', async () => {
    let reports = 0
    const browser = { url: owner.url, onSignedOut: () => void (reports += 1) }
    const wrong = call(browser, sessions.login, { username: owner.email, password: 'wrong' })
    await expect(wrong).rejects.toMatchObject({ status: 401 })
    expect(reports).toBe(0)
    const refused = call(browser, users.getUser, { user_id: owner.id })
    await expect(refused).rejects.toMatchObject({ code: 'UNAUTHENTICATED_USER' })
    expect(reports).toBe(1)
  })

  it('reports the log position up to which a response includes events', async () => {
    await owner.subscribe(['general'])
    const begun = await call(credentials, queues.registerQueue, { client_capabilities: { log_position: true } })
    const { queue_id: queueId, log_position: start } = begun
    if (queueId === null || start === undefined) throw new Error('it is logged in and asks for the position')
    await owner.send('general', 'hello', 'Held')
    const positions: number[] = []
    const onPosition = (position: number): unknown => positions.push(position)
    const { stream_id } = await call(credentials, channels.getStreamId, { stream: 'general' }, { onPosition })
    await call(credentials, messages.getStreamTopics, { stream_id }, { onPosition })
    await owner.send('general', 'hello', 'Later')
    const { events } = await call(
      credentials,
      queues.getEvents,
      { queue_id: queueId, dont_block: true },
      { onPosition },
    )
    const told = events.filter(({ type }) => type === 'message')
    expect(positions).toHaveLength(2)
    expect(told.map(({ id }) => positions.map((position) => isInAnswer(start, id, position)))).toEqual([
      [true, true],
      [false, false],
    ])
  })

  it('uploads a file only to an endpoint that accepts files', async () => {
    const file = new File(['hello'], 'größe.txt', { type: 'text/plain' })
    const { filename, url } = await call(credentials, uploads.uploadFile, {}, { file })
    expect([filename, url]).toEqual(['größe.txt', expect.stringMatching(/^\/user_uploads\//)])
    const { attachments } = await call(credentials, uploads.getAttachments, {})
    expect(attachments).toMatchObject([{ name: 'größe.txt', size: 5 }])
    await expect(call(credentials, uploads.uploadFile, {})).rejects.toThrow(/needs a file/)
    await expect(call(credentials, users.updateOwnStatus, {}, { file })).rejects.toThrow(/takes no file/)
  })

  it('sends no cookies with an API key, and only same-origin cookies without a key', async () => {
    const sent = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ result: 'success' }))
    await call({ url: 'https://chat.example.com', email: 'a@b.c', apiKey: 'k' }, users.getOwnUser, {})
    await call({ url: '' }, users.getOwnUser, {})
    const others = { method: 'GET', keepalive: false, signal: null }
    expect(sent.mock.calls).toEqual([
      [
        'https://chat.example.com/api/v1/users/me',
        {
          ...others,
          credentials: 'omit',
          headers: { authorization: `Basic ${btoa('a@b.c:k')}`, 'parley-client': '1' },
        },
      ],
      ['/api/v1/users/me', { ...others, credentials: 'same-origin' }],
    ])
  })

  it('sends the highest log position received so far, even after a response with a lower position', async () => {
    const sent: unknown[] = []
    const url = await startOtherServer(({ headers }, response) => {
      sent.push(headers['parley-position'])
      response.writeHead(200, { 'parley-position': sent.length === 1 ? '7' : '5' }).end('{}')
    })
    const login = { url }
    for (let count = 0; count < 3; count += 1) await call(login, users.getOwnUser, {})
    expect(sent).toEqual([undefined, '7', '7'])
  })

  it('stops a request when its signal aborts', async () => {
    const controller = new AbortController()
    const url = await startOtherServer(() => controller.abort())
    const calling = call({ url }, users.getOwnUser, {}, { signal: controller.signal })
    await expect(calling).rejects.toMatchObject({ name: 'AbortError' })
  })

  it.each([
    ['an HTML page', 502, '<html>Bad gateway</html>'],
    ['an HTML page with status 200', 200, '<html>Please sign in to this network</html>'],
    ['an empty body', 504, ''],
    ['unexpected JSON', 500, 'null'],
  ])('reports %s in place of an API response as an error without a code', async (_, status, text) => {
    const url = await startOtherServer((_request, response) => response.writeHead(status).end(text))
    const error: unknown = await call({ url }, users.getOwnUser, {}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status, code: '', body: {}, message: `HTTP status ${status}` })
  })

  it('reports an interrupted response as a network error', async () => {
    const url = await startOtherServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"a":')
      response.destroy()
    })
    await expect(call({ url }, users.getOwnUser, {})).rejects.toThrow(TypeError)
  })
})

describe('follow', () => {
  it('keeps following events after a response that is not from the API', async () => {
    let asked = 0
    const url = await startOtherServer((_request, response) => {
      asked += 1
      if (asked === 1) response.writeHead(404).end('<html>Starting</html>')
      else if (asked === 2) response.end(JSON.stringify({ queue_id: 'q', last_event_id: -1 }))
      else if (asked === 3) response.end(JSON.stringify({ events: [{ id: 0, type: 'heartbeat' }] }))
      else response.writeHead(401).end(JSON.stringify({ code: 'UNAUTHENTICATED_USER', msg: 'No' }))
    })
    const seen: string[] = []
    const follower = { onState: () => seen.push('state'), onEvent: ({ type }: { type: string }) => seen.push(type) }
    const following = follow({ url }, {}, follower, new AbortController().signal)
    await expect(following).rejects.toMatchObject({ code: 'UNAUTHENTICATED_USER' })
    expect([asked, seen]).toEqual([4, ['state', 'heartbeat']])
  })

  it('waits before a retry for as long as the server requests', async () => {
    const asked: number[] = []
    const url = await startOtherServer((_request, response) => {
      asked.push(performance.now())
      if (asked.length === 1) response.writeHead(429).end(JSON.stringify({ code: 'RATE_LIMIT_HIT', 'retry-after': 1 }))
      else response.writeHead(401).end(JSON.stringify({ code: 'UNAUTHENTICATED_USER' }))
    })
    const follower = { onEvent: () => undefined }
    await expect(follow({ url }, {}, follower)).rejects.toMatchObject({ code: 'UNAUTHENTICATED_USER' })
    const [first = 0, second = 0] = asked
    // The usual pause is a quarter of this time. Timers can fire slightly early.
    expect(second - first).toBeGreaterThan(990)
  })

  it('reports an event that cannot be applied, and registers a new queue', async () => {
    const asked: string[] = []
    const url = await startOtherServer(({ method, url: path = '' }, response) => {
      asked.push(`${method} ${path.split('?')[0]}`)
      const registered = asked.filter((one) => one === 'POST /api/v1/register').length
      if (method === 'POST') response.end(JSON.stringify({ queue_id: `q${registered}`, last_event_id: -1 }))
      else if (method === 'DELETE') response.end('{}')
      else if (path.includes('q1')) response.end(JSON.stringify({ events: [{ id: 0, type: 'odd' }] }))
      else response.writeHead(401).end(JSON.stringify({ code: 'UNAUTHENTICATED_USER', msg: 'No' }))
    })
    const told: unknown[] = []
    const follower = {
      onState: () => undefined,
      onEvent: () => {
        throw new TypeError('This is odd')
      },
      onConnection: (isThere: boolean) => told.push(isThere),
      onFault: (error: unknown) => told.push(String(error)),
    }
    const following = follow({ url }, {}, follower, new AbortController().signal)
    await expect(following).rejects.toMatchObject({ code: 'UNAUTHENTICATED_USER' })
    expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(2)
    expect(asked).toContain('DELETE /api/v1/events')
    expect(told).toEqual(['TypeError: This is odd'])
  })
})
