import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { messages, queues } from '../../server/src/contract.ts'
import { call, follow, isEvent, type ApiEvent, type FollowOptions, type KeyCredentials } from './index.ts'

// Serves the organization at every host: `fetch` cannot set the Host header.
const server = useTestServer({ PARLEY_ROOT_DOMAIN: '', PARLEY_HEARTBEAT_SECONDS: '1' })
let owner: TestUser

beforeAll(async () => {
  owner = (await server().organization('Test', { stringId: '' })).owner
})

type Relay = (answer: IncomingMessage, response: ServerResponse) => void

let proxy: Server | undefined
let leaving: AbortController | undefined

afterEach(() => {
  vi.restoreAllMocks()
  leaving?.abort()
  proxy?.closeAllConnections()
  proxy?.close()
})

/** Starts a proxy. @returns its URL and the event requests it received, streams and polls */
async function startRelay(relay: Relay): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const listening = createServer((received, response) => {
    const { url = '', method = '', headers } = received
    if (url.startsWith('/api/v1/events')) asked.push(headers.accept === 'text/event-stream' ? 'stream' : 'poll')
    const sent = request(owner.url + url, { method, headers, agent: false }, (answer) => relay(answer, response))
    sent.on('error', () => response.destroy())
    response.on('close', () => sent.destroy())
    received.pipe(sent)
  })
  proxy = listening
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return { url: `http://127.0.0.1:${address.port}`, asked }
}

const PASS_THROUGH: Relay = (answer, response) => {
  response.writeHead(answer.statusCode ?? 0, answer.headers)
  response.flushHeaders()
  answer.pipe(response)
}

/** Follows messages until the test ends. @returns the received contents and the number of registrations */
async function followMessages(
  url: string,
  options?: FollowOptions,
): Promise<{ contents: string[]; registered: () => number; ended: Promise<void>; leave: () => void }> {
  const credentials: KeyCredentials = { url, email: owner.email, apiKey: owner.apiKey }
  const contents: string[] = []
  let registered = 0
  const controller = new AbortController()
  leaving = controller
  const ended = follow(
    credentials,
    { event_types: ['message'] },
    {
      onState: () => (registered += 1),
      onEvent: (event) => {
        if (isEvent(event, messages.messageSent)) contents.push(event.message.content)
      },
    },
    controller.signal,
    options,
  )
  await expect.poll(() => registered).toBe(1)
  return { contents, registered: () => registered, ended, leave: () => controller.abort() }
}

async function send(content: string): Promise<void> {
  await owner.sendTo([owner.id], content)
}

describe('follow', () => {
  it('receives events from one stream until its signal aborts', async () => {
    const { url, asked } = await startRelay(PASS_THROUGH)
    const { contents, ended, leave } = await followMessages(url)
    await send('one')
    await send('two ✨\nlines')
    await expect.poll(() => contents).toEqual(['one', 'two ✨\nlines'])
    leave()
    await ended
    expect(asked).toEqual(['stream'])
    await expect.poll(() => server().parley.queues.count().parked).toBe(0)
  })

  it('decodes characters whose bytes arrive one at a time', async () => {
    const fetched = fetch
    // Sockets merge consecutive writes, so the bytes are split on the receiving side.
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...asked) => {
      const response = await fetched(...asked)
      const bytes = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, output) {
          for (const byte of piece) output.enqueue(Uint8Array.of(byte))
        },
      })
      return new Response(response.body?.pipeThrough(bytes) ?? null, response)
    })
    const { contents } = await followMessages(owner.url)
    await send('✨ größer')
    await expect.poll(() => contents).toEqual(['✨ größer'])
  })

  it('polls when streams are disabled', async () => {
    const { url, asked } = await startRelay(PASS_THROUGH)
    const { contents } = await followMessages(url, { streams: false })
    await send('one')
    await expect.poll(() => contents).toEqual(['one'])
    expect(new Set(asked)).toEqual(new Set(['poll']))
  })

  it('falls back to polling behind a proxy that buffers responses', async () => {
    const { url, asked } = await startRelay((answer, response) => {
      buffer(answer).then(
        (body) => response.writeHead(answer.statusCode ?? 0, answer.headers).end(body),
        () => response.destroy(),
      )
    })
    const { contents } = await followMessages(url, { firstBytesMilliseconds: 100 })
    await send('one')
    await expect.poll(() => contents).toEqual(['one'])
    await send('two')
    await expect.poll(() => contents).toEqual(['one', 'two'])
    expect(asked.filter((one) => one === 'stream')).toHaveLength(1)
    expect(asked[1]).toBe('poll')
  })

  it('falls back to polling when the response is not a stream', async () => {
    const { url, asked } = await startRelay((answer, response) => {
      // Answers like a server without streams.
      if (answer.headers['content-type'] !== 'text/event-stream') PASS_THROUGH(answer, response)
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"result":"success","events":[]}')
    })
    const { contents } = await followMessages(url)
    await send('one')
    await expect.poll(() => contents).toEqual(['one'])
    expect(asked.slice(0, 2)).toEqual(['stream', 'poll'])
  })

  it('resumes after dropped connections without losing or repeating events', async () => {
    let cuts = 0
    const { url, asked } = await startRelay((answer, response) => {
      PASS_THROUGH(answer, response)
      if (answer.headers['content-type'] !== 'text/event-stream') return
      // Cuts each stream at a different byte, including inside an event.
      let left = 300 + 211 * cuts
      answer.on('data', (piece: Buffer) => {
        left -= piece.length
        if (left > 0 || cuts >= 5) return
        cuts += 1
        answer.unpipe(response)
        response.destroy()
      })
    })
    const { contents, registered } = await followMessages(url)
    const expected = Array.from({ length: 30 }, (_, count) => `Message ${count}`)
    for (const content of expected) await send(content)
    await expect.poll(() => contents, { timeout: 20_000 }).toEqual(expected)
    expect([cuts, registered()]).toEqual([5, 1])
    expect(new Set(asked)).toEqual(new Set(['stream']))
  })

  it('resumes from stored state and reports when the server is unreachable', async () => {
    let isThere = true
    const { url } = await startRelay((answer, response) => {
      if (isThere) PASS_THROUGH(answer, response)
      else response.destroy()
    })
    const credentials: KeyCredentials = { url, email: owner.email, apiKey: owner.apiKey }
    const registration = { event_types: ['message'] }
    const state = await call(credentials, queues.registerQueue, registration, {})
    await send('while it was away')
    const controller = new AbortController()
    leaving = controller
    const [received, connections]: [string[], boolean[]] = [[], []]
    const follower = {
      onState: () => received.push('registered'),
      onReceived: ({ type, id }: ApiEvent) => received.push(`${type} ${String(id > state.last_event_id)}`),
      onEvent: ({ id }: ApiEvent) => received.push(`folded ${String(id === state.last_event_id)}`),
      onConnection: (isConnected: boolean) => connections.push(isConnected),
    }
    isThere = false
    void follow(credentials, registration, follower, controller.signal, { from: state })
    await expect.poll(() => connections).toContain(false)
    isThere = true
    await expect.poll(() => received).toEqual(['message true', 'folded true'])
    expect(connections.at(-1)).toBe(true)
  })

  it('registers a new queue when the old queue no longer exists', async () => {
    const { contents, registered } = await followMessages(owner.url)
    await expect.poll(() => server().parley.queues.count().parked).toBe(1)
    const { rows } = await server().parley.database.pool.query<{ id: string }>('select id from queues')
    for (const { id } of rows) await owner.try('DELETE', '/events', { queue_id: id })
    await expect.poll(registered).toBe(2)
    await send('one')
    await expect.poll(() => contents).toEqual(['one'])
  })

  it('stops following events when the server rejects the credentials', async () => {
    const { ended } = await followMessages(owner.url)
    await expect.poll(() => server().parley.queues.count().parked).toBe(1)
    const { api_key: key } = await owner.call('POST', '/users/me/api_key/regenerate')
    await expect(ended).rejects.toMatchObject({ code: 'INVALID_API_KEY', status: 401 })
    owner.apiKey = key
  })
})
