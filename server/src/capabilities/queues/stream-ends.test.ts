import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { MAX_BUFFERED_CHARACTERS } from '../../platform/queues/queue.ts'
import { signIn } from '../../testing/browser.ts'
import { stopClock } from '../../testing/held-time.ts'
import { isObject } from '../../testing/json.ts'
import { startTestServer, useTestServer } from '../../testing/server.ts'
import { openStream, type TestStream } from '../../testing/stream.ts'
import type { Body, TestQueue, TestUser } from '../../testing/user.ts'

const server = useTestServer({ PARLEY_HEARTBEAT_SECONDS: '1' })

afterEach(() => {
  vi.restoreAllMocks()
})

async function openUserStream(user: TestUser, queue: TestQueue, headers?: Record<string, string>): Promise<TestStream> {
  return openStream(user, { queue_id: queue.id, last_event_id: queue.lastEventId }, headers).begun()
}

/** @returns the last named event of the stream after it ends, such as an error; undefined if there is none */
async function lastEventOf(stream: TestStream): Promise<unknown> {
  await stream.ended()
  return stream.named.at(-1)
}

describe('ends of event streams', () => {
  it('ends a stream when a request deletes its queue', async () => {
    const { owner } = await server().organization()
    const queue = await owner.register()
    const stream = await openUserStream(owner, queue)
    await owner.call('DELETE', '/events', { queue_id: queue.id })
    const data = {
      result: 'error',
      msg: `Bad event queue id: ${queue.id}`,
      code: 'BAD_EVENT_QUEUE_ID',
      queue_id: queue.id,
    }
    expect(await lastEventOf(stream)).toEqual({ name: 'error', data })
  })

  it('ends a stream when another server deleted its queue', async () => {
    const { owner } = await server().organization()
    const queue = await owner.register()
    const stream = await openUserStream(owner, queue)
    await server().parley.database.pool.query('delete from queues where id = $1', [queue.id])
    await server().parley.queues.sweep()
    expect(await lastEventOf(stream)).toMatchObject({ data: { code: 'BAD_EVENT_QUEUE_ID' } })
  })

  it('ends a stream when the account is deactivated', async () => {
    const { owner, user } = await server().organization()
    const leaver = await user('Leo Leaver')
    const stream = await openUserStream(leaver, await leaver.register())
    await owner.call('DELETE', `/users/${leaver.id}`)
    expect(await lastEventOf(stream)).toMatchObject({ data: { code: 'BAD_EVENT_QUEUE_ID' } })
  })

  it('ends a stream when the session that opened it ends', async () => {
    const { user } = await server().organization()
    const ann = await user('Ann')
    const [here, there] = [await signIn(ann), await signIn(ann)]
    const [mine, others, keys] = [await here.register(), await there.register(), await ann.register()]
    // The stream ends with its session, even if another session registered the queue.
    const ends = [await openUserStream(here, mine, here.headers), await openUserStream(here, keys, here.headers)]
    const stays = await openUserStream(there, others, there.headers)
    await there.call('DELETE', `/sessions/${await here.session()}`)
    for (const stream of ends)
      expect(await lastEventOf(stream)).toMatchObject({ data: { code: 'UNAUTHENTICATED_USER' } })
    await ann.call('PATCH', '/settings', { enter_sends: true })
    await stays.count(1)
    stays.cut()
  })

  it('ends a stream when its API key is replaced, and resumes the stream with the new API key', async () => {
    const { user } = await server().organization()
    const ann = await user('Ann')
    const browser = await signIn(ann)
    const queue = await ann.register({ event_types: ['message'] })
    const stream = await openUserStream(ann, queue)
    const { api_key: key } = await browser.call('POST', '/users/me/api_key/regenerate')
    expect(await lastEventOf(stream)).toMatchObject({ data: { code: 'INVALID_API_KEY' } })
    ann.apiKey = key
    const again = await openUserStream(ann, queue)
    await ann.sendTo([ann.id], 'hello')
    await again.count(1)
    again.cut()
  })

  it('refuses a stream that resumes before the start of the log', async () => {
    const { owner, id } = await server().organization()
    const queue = await owner.register({ event_types: ['message'] })
    await owner.sendTo([owner.id], 'hello')
    const last = await owner.sendTo([owner.id], 'hello')
    await server().parley.database.pool.query('delete from events where organization_id = $1 and position < $2', [
      id,
      last,
    ])
    const polled = await owner.try('GET', '/events', { queue_id: queue.id, last_event_id: -1, dont_block: true })
    expect(polled.body['code']).toBeUndefined()
    await server().parley.queues.sweep()
    // Acknowledging events leaves them only in the log, so resuming at an earlier event reads the log.
    await owner.call('GET', '/events', { queue_id: queue.id, last_event_id: 2048, dont_block: true })
    const stream = await openStream(owner, { queue_id: queue.id, last_event_id: -1 }).ended()
    expect([stream.status, stream.body?.['code']]).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
  })
})

describe('lifetimes of event streams', () => {
  it('refuses a stream whose API key was replaced while the log was being read', async () => {
    const organization = await server().organization()
    const ann = await organization.user('Ann')
    const browser = await signIn(ann)
    const reads = server().parley.database.reads
    const queue = await ann.register({ event_types: ['message'] })
    await ann.sendTo([ann.id], 'hello')
    // The event was received and acknowledged, so resuming at an earlier event reads the log.
    await queue.events()
    await queue.events()
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const rows = reads.rows.bind(reads)
    const spy = vi.spyOn(reads, 'rows').mockImplementation(async (name, ...rest) => {
      if (name === 'events_between') await held
      return rows(name, ...rest)
    })
    const stream = openStream(ann, { queue_id: queue.id, last_event_id: -1 })
    await expect.poll(() => spy.mock.calls.some(([name]) => name === 'oldest_event')).toBe(true)
    await browser.call('POST', '/users/me/api_key/regenerate')
    release()
    await stream.ended()
    expect([stream.status, stream.body?.['code']]).toEqual([401, 'INVALID_API_KEY'])
  })

  it('keeps a queue while it is streamed and for its lifespan afterward', async () => {
    const brief = await startTestServer({ PARLEY_HEARTBEAT_SECONDS: '1', PARLEY_QUEUE_IDLE_SECONDS: '1' })
    const { owner } = await brief.organization()
    const [used, idle] = [await owner.register({ event_types: ['message'] }), await owner.register()]
    const stream = await openUserStream(owner, used)
    const sweepAndListQueues = async (): Promise<string[]> => {
      await brief.parley.queues.sweep()
      const rows = await brief.parley.database.kysely.selectFrom('queues').select('id').execute()
      return rows.map(({ id }) => id).filter((id) => [used.id, idle.id].includes(id))
    }
    await expect.poll(sweepAndListQueues, { timeout: 5_000 }).toEqual([used.id])
    await owner.sendTo([owner.id], 'hello')
    await stream.count(1)
    stream.cut()
    await expect.poll(sweepAndListQueues, { timeout: 5_000 }).toEqual([])
    await brief.close()
  })

  it('ends a stream after an hour so that the client authenticates again', async () => {
    const { owner } = await server().organization()
    const queue = await owner.register({ event_types: ['message'] })
    const stream = await openUserStream(owner, queue)
    const time = stopClock()
    time.pass(3_601)
    await stream.ended()
    expect(stream.code).toBeUndefined()
    time.release()
    await owner.sendTo([owner.id], 'hello')
    expect(await queue.events()).toHaveLength(1)
  })
})

const LARGE_CHARACTERS = 1_000_000
const MANY_EVENTS = 40

async function fillLog(owner: TestUser): Promise<TestQueue> {
  const queue = await owner.register({ event_types: ['update_message'] })
  const id = await owner.sendTo([owner.id], 'Message')
  for (let count = 0; count < MANY_EVENTS; count += 1)
    await owner.call('PATCH', `/messages/${id}`, { content: `Now ${count}` })
  await server().parley.database.pool.query(
    `update events set payload = payload || jsonb_build_object('rendered_content', repeat('x', $1::int))
     where type = 'update_message'`,
    [LARGE_CHARACTERS],
  )
  // The event was received and acknowledged, so resuming at an earlier event reads the log.
  await queue.events()
  await queue.events()
  queue.lastEventId = -1
  return queue
}

async function responseOf(begin: () => Promise<unknown>): Promise<ServerResponse> {
  let found: ServerResponse | undefined
  const take = (message: unknown): void => {
    if (isObject(message) && message['response'] instanceof ServerResponse) found = message['response']
  }
  subscribe('http.server.request.start', take)
  await begin()
  unsubscribe('http.server.request.start', take)
  if (found === undefined) throw new Error('nothing was asked')
  return found
}

async function waitUntilStalled(response: ServerResponse): Promise<void> {
  let before = -1
  const isStill = (): boolean => {
    const { bytesWritten = 0 } = response.socket ?? {}
    const isSame = bytesWritten === before
    before = bytesWritten
    return isSame && response.writableNeedDrain
  }
  await expect.poll(isStill, { interval: 300, timeout: 20_000 }).toBe(true)
}

describe('slow stream clients', () => {
  it('limits the events buffered for a paused client and sends the rest when the client resumes', async () => {
    const { owner } = await server().organization()
    const queue = await fillLog(owner)
    let stream: TestStream | undefined
    const response = await responseOf(async () => {
      stream = await openUserStream(owner, queue)
      stream.pause()
    })
    await waitUntilStalled(response)
    // A single event can exceed the limit by its own size.
    expect(response.writableLength).toBeLessThan(MAX_BUFFERED_CHARACTERS + LARGE_CHARACTERS)
    expect(response.socket?.bytesWritten).toBeLessThan((MANY_EVENTS * LARGE_CHARACTERS) / 2)
    const { bufferedEvents } = server().parley.queues.count()
    const id = await owner.sendTo([owner.id], 'Later')
    for (let count = 0; count < 20; count += 1)
      await owner.call('PATCH', `/messages/${id}`, { content: `Later ${count}` })
    // The queue buffers no events for the paused client.
    expect(server().parley.queues.count().bufferedEvents).toBe(bufferedEvents)
    stream?.resume()
    const events = (await stream?.count(MANY_EVENTS + 20)) ?? []
    const numbers = (text: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `${text} ${index}`)
    expect(events.map(({ content }) => content)).toEqual([...numbers('Now', MANY_EVENTS), ...numbers('Later', 20)])
    stream?.cut()
  })

  it('disconnects a client that reads nothing, and lets the client resume without loss', async () => {
    const { owner } = await server().organization()
    const queue = await fillLog(owner)
    const stream = await openUserStream(owner, queue)
    stream.pause()
    await expect.poll(() => server().parley.queues.count().parked, { timeout: 20_000 }).toBe(0)
    stream.resume()
    await stream.ended()
    expect(stream.events.length).toBeLessThan(MANY_EVENTS)
    const again = openStream(owner, { queue_id: queue.id, last_event_id: Number(stream.lastEventId ?? -1) })
    const events = [...stream.events, ...(await again.count(MANY_EVENTS - stream.events.length))]
    expect(events.map((event: Body) => event['content'])).toEqual(
      Array.from({ length: MANY_EVENTS }, (_, count) => `Now ${count}`),
    )
    again.cut()
  })
})
