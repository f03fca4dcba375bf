import { describe, expect, it } from 'vitest'
import { isObject } from '../../testing/json.ts'
import { startTestServer, startTestServerOn, useTestServer } from '../../testing/server.ts'
import { openStream, type TestStream } from '../../testing/stream.ts'
import { basic, ALL_CAPABILITIES, TestUser, type Body, type Parameters, type TestQueue } from '../../testing/user.ts'

const server = useTestServer({ PARLEY_HEARTBEAT_SECONDS: '1' })

function contents(events: readonly Body[]): unknown[] {
  return events.map(({ message }) => (isObject(message) ? message['content'] : undefined))
}

async function openUserStream(user: TestUser): Promise<{ queue: TestQueue; stream: TestStream }> {
  const queue = await user.register({ event_types: ['message'], apply_markdown: false })
  const stream = openStream(user, { queue_id: queue.id, last_event_id: queue.lastEventId })
  return { queue, stream: await stream.begun() }
}

async function waitForDisconnect(): Promise<void> {
  await expect.poll(() => server().parley.queues.count().parked).toBe(0)
}

describe('event streams', () => {
  it('streams the same events, with the same IDs, that polls return', async () => {
    const { owner } = await server().organization()
    const { queue, stream } = await openUserStream(owner)
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    expect(stream.named).toEqual([{ name: 'queue', data: { result: 'success', msg: '', queue_id: queue.id } }])
    await owner.sendTo([owner.id], 'one ✨')
    await owner.sendTo([owner.id], 'two\nlines')
    const events = await stream.count(2)
    expect(contents(events)).toEqual(['one ✨', 'two\nlines'])
    stream.cut()
    expect(await queue.events()).toEqual(events)
    await waitForDisconnect()
  })

  it('sends comments but no events on an idle stream', async () => {
    const { owner } = await server().organization()
    const { stream } = await openUserStream(owner)
    await stream.until(({ comments }) => comments >= 2)
    expect(stream.events).toEqual([])
    stream.cut()
    await waitForDisconnect()
  })

  it('resumes a stream after Last-Event-ID or, without the header, after last_event_id', async () => {
    const { owner } = await server().organization()
    const { queue, stream } = await openUserStream(owner)
    for (const content of ['one', 'two', 'three']) await owner.sendTo([owner.id], content)
    const [first, second] = (await stream.count(3)).map(({ id }) => String(id))
    stream.cut()
    const resumeStream = async (parameters: Parameters, header?: string): Promise<unknown[]> => {
      const headers = { authorization: basic(owner.email, owner.apiKey) }
      const again = openStream(
        owner,
        { queue_id: queue.id, dont_block: true, ...parameters },
        header === undefined ? headers : { ...headers, 'last-event-id': header },
      )
      return contents((await again.ended()).events)
    }
    expect(await resumeStream({ last_event_id: -1 }, second)).toEqual(['three'])
    // The previous request acknowledged the first two messages.
    expect(await resumeStream({})).toEqual(['three'])
    // A client that lost events can resume at an earlier event.
    expect(await resumeStream({ last_event_id: -1 })).toEqual(['one', 'two', 'three'])
    expect(await resumeStream({ last_event_id: -1 }, first)).toEqual(['two', 'three'])
    expect(await resumeStream({ last_event_id: Number(second) }, '')).toEqual(['three'])
  })

  it('repeats unacknowledged streamed events in a poll without an acknowledgment', async () => {
    const { owner } = await server().organization()
    const { queue, stream } = await openUserStream(owner)
    await owner.sendTo([owner.id], 'one')
    await stream.count(1)
    const { events } = await owner.call('GET', '/events', { queue_id: queue.id, dont_block: true })
    expect(events).toEqual(stream.events)
    // The poll replaces the stream.
    await stream.ended()
    expect(stream.code).toBeUndefined()
  })

  it('registers a queue for a stream request without a queue ID', async () => {
    const { owner } = await server().organization()
    const stream = openStream(owner, { event_types: ['message'], client_capabilities: ALL_CAPABILITIES, sideways: 1 })
    await stream.begun()
    expect(stream.named).toMatchObject([{ name: 'queue', data: { ignored_parameters_unsupported: ['sideways'] } }])
    await owner.sendTo([owner.id], 'hello')
    await stream.count(1)
    stream.cut()
    const { events } = await owner.call('GET', '/events', { queue_id: stream.queueId, last_event_id: -1 })
    expect(events).toEqual(stream.events)
  })

  it('ends a stream requested with dont_block after the available events', async () => {
    const { owner } = await server().organization()
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    await owner.sendTo([owner.id], 'hello')
    const stream = openStream(owner, { queue_id: queue.id, last_event_id: -1, dont_block: true })
    expect(contents((await stream.ended()).events)).toEqual(['hello'])
    expect(stream.code).toBeUndefined()
    await waitForDisconnect()
  })

  it('ends a stream when a later stream or poll uses the queue', async () => {
    const { owner } = await server().organization()
    const { queue, stream } = await openUserStream(owner)
    const polled = queue.next()
    await stream.ended()
    const second = await openStream(owner, { queue_id: queue.id, last_event_id: -1 }).begun()
    expect(await polled).toEqual([])
    const third = await openStream(owner, { queue_id: queue.id, last_event_id: -1 }).begun()
    await second.ended()
    await owner.sendTo([owner.id], 'hello')
    expect(contents(await third.count(1))).toEqual(['hello'])
    expect([stream.events, stream.code, second.events, second.code]).toEqual([[], undefined, [], undefined])
    third.cut()
    await waitForDisconnect()
  })

  it('streams only for clients that accept text/event-stream', async () => {
    const { owner } = await server().organization()
    const { id } = await owner.register({ event_types: ['message'] })
    const asked = { queue_id: id, last_event_id: -1, dont_block: true }
    const login = { authorization: basic(owner.email, owner.apiKey) }
    for (const accept of ['*/*', 'application/json', 'text/html, */*;q=0.8', 'text/event-streams']) {
      const { body } = await openStream(owner, asked, { ...login, accept, 'last-event-id': 'nonsense' }).ended()
      expect([accept, body?.['events']]).toEqual([accept, []])
    }
    for (const accept of ['Text/Event-Stream', 'application/json;q=0.5, text/event-stream;q=1']) {
      expect((await openStream(owner, asked, { ...login, accept }).ended()).queueId).toBe(id)
    }
    const head = await owner.try('HEAD', '/events', asked)
    expect(head.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('refuses a stream with the same errors as a poll', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    const { id } = await owner.register()
    const login = { authorization: basic(owner.email, owner.apiKey) }
    const streamError = async (parameters: Parameters, headers: Record<string, string> = login): Promise<unknown> => {
      const { status, body, named } = await openStream(owner, parameters, headers).ended()
      expect(named).toEqual([])
      return [status, body?.['code']]
    }
    expect(await streamError({ queue_id: id, last_event_id: 'x' })).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
    expect(await streamError({ queue_id: id }, { ...login, 'last-event-id': 'x' })).toEqual([
      400,
      'REQUEST_VARIABLE_INVALID',
    ])
    expect(await streamError({ queue_id: id, last_event_id: -2 })).toEqual([400, 'BAD_REQUEST'])
    expect(await streamError({ narrow: [['nonsense', 'x']] })).toEqual([400, 'BAD_NARROW'])
    expect(await streamError({ queue_id: 'absent', last_event_id: -1 })).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
    expect(await streamError({ queue_id: id }, { authorization: basic(ann.email, ann.apiKey) })).toEqual([
      400,
      'BAD_EVENT_QUEUE_ID',
    ])
    expect(await streamError({ queue_id: id }, {})).toEqual([401, 'UNAUTHENTICATED_USER'])
    expect(await streamError({ queue_id: id }, { authorization: basic(owner.email, ann.apiKey) })).toEqual([
      401,
      'INVALID_API_KEY',
    ])
    // The client has events that are not in the log, as after restoring an older database.
    expect(await streamError({ queue_id: id, last_event_id: 99_999_999 })).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
    expect(await streamError({ queue_id: id, last_event_id: -1 })).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
  })
})

it('resumes a stream after a restart without gaps or repeats', async () => {
  const first = await startTestServer()
  const organization = await first.organization()
  const { owner } = organization
  const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
  const stream = await openStream(owner, { queue_id: queue.id, last_event_id: -1 }).begun()
  await owner.sendTo([owner.id], 'before')
  await stream.count(1)
  await first.close()
  await stream.ended()
  expect(stream.code).toBeUndefined()
  const second = await startTestServerOn(first.database)
  const { host, email, apiKey, id } = owner
  const again = new TestUser(second.parley.url, host, email, apiKey, id)
  await again.sendTo([id], 'between')
  const headers = { authorization: basic(email, apiKey), 'last-event-id': stream.lastEventId ?? '' }
  const resumed = await openStream(again, { queue_id: queue.id, last_event_id: -1 }, headers).begun()
  await again.sendTo([id], 'after')
  expect(contents(await resumed.count(2))).toEqual(['between', 'after'])
  await second.close()
  await resumed.ended()
})
