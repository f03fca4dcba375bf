import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { EventFields } from '../../testing/contract-types.ts'
import { hideRemoteCommits, whileRegistering } from '../../testing/meanwhile.ts'
import { startTestServer, startTestServerOn, useTestServer } from '../../testing/server.ts'
import { TestQueue, TestUser, type Body } from '../../testing/user.ts'

const server = useTestServer()

const CLIENT_COUNT = 8

/** Registers clients while messages are sent, so that most queues start behind the end of the log. */
async function registerDuringWrites(user: TestUser, noisy: TestUser): Promise<TestQueue[]> {
  const registered = new AbortController()
  const writing = Array.from({ length: 4 }, async () => {
    while (!registered.signal.aborted) await noisy.send('general', 'noise', 'Something else')
  })
  const queues = await Promise.all(Array.from({ length: CLIENT_COUNT }, () => user.register()))
  registered.abort()
  await Promise.all(writing)
  return queues
}

async function eventsOf(queue: TestQueue, types: readonly string[], count: number): Promise<Body[]> {
  const told: EventFields[] = []
  let isQuiet = false
  while (told.length < count && !isQuiet) {
    const events = await queue.events()
    isQuiet = events.length === 0
    told.push(...events.filter(({ type }) => types.includes(type)))
  }
  return told
}

it('sends ephemeral events to clients that registered during concurrent writes', async () => {
  const { owner, user } = await server().organization()
  const [ann, noisy] = [await user('Ann'), await user('Noisy')]
  await owner.subscribe(['general'], { principals: [owner.id, ann.id, noisy.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  const mine = await ann.send('general', 'hello', 'Hello')
  for (let round = 0; round < 3; round += 1) {
    const queues = await registerDuringWrites(owner, noisy)
    await ann.call('POST', '/typing', { op: 'start', to: [owner.id] })
    await ann.call('POST', '/typing', { op: 'stop', to: [owner.id] })
    await ann.call('POST', '/typing', { op: 'start', type: 'stream', stream_id, topic: 'hello' })
    await ann.call('POST', '/typing', { op: 'stop', type: 'stream', stream_id, topic: 'hello' })
    await ann.call('POST', `/messages/${mine}/typing`, { op: 'start' })
    await ann.call('POST', `/messages/${mine}/typing`, { op: 'stop' })
    const newcomer = await user(`Newcomer ${round}`)
    await newcomer.call('POST', '/users/me/presence', { status: 'active' })
    const types = ['typing', 'typing_edit_message', 'presence']
    const told = await Promise.all(queues.map((queue) => eventsOf(queue, types, 7)))
    const expected = ['typing start', 'typing stop', 'typing start', 'typing stop']
      .concat(['typing_edit_message start', 'typing_edit_message stop', 'presence'])
      .map((event) => event.split(' '))
    for (const events of told) {
      expect(events.map(({ type, op }) => (op === undefined ? [type] : [type, op]))).toEqual(expected)
    }
  }
})

function describeEvents(events: readonly EventFields[]): string[] {
  return events.map(({ type, op, message, topic }) =>
    type === 'message'
      ? String(message?.content)
      : [type, op, topic].filter((part) => typeof part === 'string').join(' '),
  )
}

async function sendTyping(writer: TestUser, reader: TestUser, op: 'start' | 'stop'): Promise<void> {
  await writer.call('POST', '/typing', { op, to: [reader.id] })
}

it('delivers in order the events that happen while a queue is being registered', async () => {
  const { id, owner, user } = await server().organization()
  const ann = await user('Ann')
  const hasHappened = whileRegistering(await server().parley.logs.of(id), async () => {
    await sendTyping(ann, owner, 'start')
    await ann.sendTo([owner.id], 'Hello')
    await sendTyping(ann, owner, 'stop')
    await ann.call('POST', '/users/me/presence', { status: 'active' })
  })
  const queue = await owner.register({ apply_markdown: false })
  expect(hasHappened()).toBe(true)
  expect(queue.state['presences']).toEqual({})
  const told: EventFields[] = []
  for (let events = await queue.events(); events.length > 0; events = await queue.events()) told.push(...events)
  expect(describeEvents(told)).toEqual(['typing start', 'Hello', 'typing stop', 'presence'])
})

it('redelivers unacknowledged ephemeral and logged events', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const queue = await owner.register({ apply_markdown: false })
  await ann.sendTo([owner.id], 'One')
  expect(describeEvents(await queue.events())).toEqual(['One'])
  await sendTyping(ann, owner, 'start')
  expect(describeEvents(await queue.events())).toEqual(['typing start'])
  await ann.sendTo([owner.id], 'Two')
  await sendTyping(ann, owner, 'stop')
  const again = new TestQueue(owner, queue.state)
  const told: EventFields[] = []
  for (let events = await again.events(); events.length > 0; events = await again.events()) told.push(...events)
  // The client has acknowledged only the message.
  expect(describeEvents(told)).toEqual(['One', 'typing start', 'Two', 'typing stop'])
})

it('keeps the newest ephemeral events for a client with many unread messages', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  const queue = await owner.register({ event_types: ['message', 'typing'], apply_markdown: false })
  const send = async (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, (_, index) => ann.send('general', 'many', `Message ${index}`)))
  const type = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      await ann.call('POST', '/typing', { op: 'start', type: 'stream', stream_id, topic: `${index}` })
    }
  }
  await send(1_100)
  await type(600)
  await send(10)
  const told: string[] = []
  for (let events = await queue.events(); events.length > 0; events = await queue.events())
    told.push(...describeEvents(events))
  expect(told.filter((one) => one.startsWith('Message'))).toHaveLength(1_110)
  const newest = Array.from({ length: 500 }, (_, index) => `typing start ${index + 100}`)
  expect(told.slice(1_100, -10)).toEqual(newest)
})

it('delivers ephemeral events since registration to a client that changes servers', async () => {
  const first = await startTestServer({}, { shared: true })
  const second = await startTestServerOn(first.database, {}, { shared: true })
  try {
    const { owner, user } = await first.organization()
    const ann = await user('Ann')
    const elsewhere = new TestUser(second.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
    // Makes the other server load the organization.
    const other = await elsewhere.register({ event_types: ['typing'] })
    const queue = await owner.register({ event_types: ['typing'] })
    await sendTyping(ann, owner, 'start')
    await sendTyping(ann, owner, 'stop')
    const heard: EventFields[] = []
    while (heard.length < 2) heard.push(...(await other.next()))
    const moved = new TestQueue(elsewhere, queue.state)
    expect(describeEvents(await moved.events())).toEqual(['typing start', 'typing stop'])
    expect(await moved.events()).toEqual([])
  } finally {
    await second.close()
    await first.close()
  }
})

it('delivers typing events in order across servers', async () => {
  const shared = await startTestServer({}, { shared: true })
  try {
    const { owner, user } = await shared.organization()
    const ann = await user('Ann')
    const queue = await owner.register({ event_types: ['typing'] })
    const expected: string[] = []
    for (let count = 0; count < 100; count += 1) {
      const op = count % 2 === 0 ? 'start' : 'stop'
      await sendTyping(ann, owner, op)
      expected.push(`typing ${op}`)
    }
    const told: EventFields[] = []
    while (told.length < expected.length) told.push(...(await queue.next()))
    expect(describeEvents(told)).toEqual(expected)
  } finally {
    await shared.close()
  }
})

it('delivers typing events in order even from a person the server does not know yet', async () => {
  const first = await startTestServer({}, { shared: true })
  const second = await startTestServerOn(first.database, {}, { shared: true })
  try {
    const { owner, user } = await first.organization()
    const elsewhere = new TestUser(second.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
    const queue = await elsewhere.register({ event_types: ['typing'] })
    const release = hideRemoteCommits(second.parley)
    const newcomer = await user('New Comer')
    await sendTyping(newcomer, owner, 'start')
    await sendTyping(owner, newcomer, 'start')
    await sendTyping(newcomer, owner, 'stop')
    const told: EventFields[] = []
    const next = queue.next()
    release()
    told.push(...(await next))
    while (told.length < 3) told.push(...(await queue.next()))
    expect(told).toMatchObject([
      { sender: { user_id: newcomer.id }, op: 'start' },
      { sender: { user_id: owner.id }, op: 'start' },
      { sender: { user_id: newcomer.id }, op: 'stop' },
    ])
  } finally {
    await second.close()
    await first.close()
  }
})

it('delivers no messages already in the initial state, even through a lagging server', async () => {
  const first = await startTestServer({}, { shared: true })
  const second = await startTestServerOn(first.database, {}, { shared: true })
  try {
    const { id, owner, user } = await first.organization()
    const ann = await user('Ann')
    const elsewhere = new TestUser(second.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
    const known = await elsewhere.register({ event_types: ['message'] })
    // The first request and message also write other events, which must arrive first.
    await ann.sendTo([owner.id], 'Earlier')
    await known.next()
    const { follower, organization } = await second.parley.logs.of(id)
    await follower.catchUp()
    const before = organization.position
    const release = hideRemoteCommits(second.parley)
    const sent = await ann.sendTo([owner.id], 'Hello')
    const { state } = await owner.register({ fetch_event_types: ['message'] })
    // The client's initial state contains the message, the only event that the other server has not read.
    expect([state['max_message_id'], sent]).toEqual([sent, before + 1])
    const queue = new TestQueue(elsewhere, state)
    const early = queue.events()
    // The other server has found the queue but has not read the log up to the queue's start.
    while (second.parley.queues.count().live < 2) await turn()
    const heard = known.next()
    release()
    expect([describeEvents(await early), describeEvents(await heard).length]).toEqual([[], 1])
    expect(await queue.events()).toEqual([])
  } finally {
    await second.close()
    await first.close()
  }
})
