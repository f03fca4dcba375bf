import { expect, it } from 'vitest'
import type { EventFields, ReceivedEvent } from '../../testing/contract-types.ts'
import { objectsIn } from '../../testing/json.ts'
import { startTestServer, startTestServerOn, useTestServer } from '../../testing/server.ts'
import { basic, callApi, ALL_CAPABILITIES, type Body, type TestUser } from '../../testing/user.ts'

const server = useTestServer({ PARLEY_HEARTBEAT_SECONDS: '1' })

async function poll(user: TestUser, queueId: unknown, lastEventId: unknown, more: Body = {}): Promise<ReceivedEvent[]> {
  const { events } = await user.call('GET', '/events', { queue_id: queueId, last_event_id: lastEventId, ...more })
  return events
}

function idOf(event: Body | undefined): number {
  return Number(event?.['id'])
}

it('answers an idle poll with a heartbeat and gives later events higher IDs', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register({ event_types: ['message'] })
  const [first] = await queue.next()
  const [second] = await queue.next()
  expect([first?.['type'], second?.['type']]).toEqual(['heartbeat', 'heartbeat'])
  expect(idOf(second)).toBeGreaterThan(idOf(first))
  await owner.sendTo([owner.id], 'hello')
  const [message] = await queue.next()
  expect(message?.['type']).toBe('message')
  expect(idOf(message)).toBeGreaterThan(idOf(second))
})

it('redelivers events until they are acknowledged', async () => {
  const { owner } = await server().organization()
  const { id, lastEventId } = await owner.register({ event_types: ['message'] })
  await owner.sendTo([owner.id], 'one')
  await owner.sendTo([owner.id], 'two')
  const both = await poll(owner, id, lastEventId, { dont_block: true })
  expect(both).toHaveLength(2)
  expect(await poll(owner, id, lastEventId, { dont_block: true })).toEqual(both)
  expect(await poll(owner, id, idOf(both[0]), { dont_block: true })).toEqual(both.slice(1))
  expect(await poll(owner, id, idOf(both[1]), { dont_block: true })).toEqual([])
  // A client that acknowledged events but lost them can resume at an earlier event.
  expect(await poll(owner, id, lastEventId, { dont_block: true })).toEqual(both)
})

it('treats a poll without an acknowledgment as a repeat of the last poll', async () => {
  const { owner } = await server().organization()
  const { id } = await owner.register({ event_types: ['message'] })
  await owner.sendTo([owner.id], 'one')
  const { events } = await owner.call('GET', '/events', { queue_id: id, dont_block: true })
  expect(events).toHaveLength(1)
})

it('ends a queue whose client acknowledges an event that was never sent', async () => {
  const { owner } = await server().organization()
  const { id } = await owner.register()
  const code = async (lastEventId: number): Promise<unknown[]> => {
    const asked = { queue_id: id, last_event_id: lastEventId, dont_block: true }
    const { status, body } = await owner.try('GET', '/events', asked)
    return [status, body['code']]
  }
  expect(await code(-2)).toEqual([400, 'BAD_REQUEST'])
  expect(await code(-1)).toEqual([200, undefined])
  expect(await code(99_999_999)).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
  // The queue must end, because later events would get IDs that the client already knows.
  expect(await code(-1)).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
})

it("treats another person's queue as missing", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const { id } = await owner.register()
  const queueError = async (user_: TestUser, method: string, queueId: string): Promise<unknown> => {
    const { status, body } = await user_.try(method, '/events', { queue_id: queueId, last_event_id: -1 })
    return [status, body['code'], body['queue_id']]
  }
  expect(await queueError(ann, 'GET', id)).toEqual([400, 'BAD_EVENT_QUEUE_ID', id])
  expect(await queueError(ann, 'DELETE', id)).toEqual([400, 'BAD_EVENT_QUEUE_ID', id])
  expect(await queueError(ann, 'GET', 'absent')).toEqual([400, 'BAD_EVENT_QUEUE_ID', 'absent'])
  expect(await poll(owner, id, -1, { dont_block: true })).toEqual([])
})

it('ends a deleted queue and its waiting poll', async () => {
  const { owner } = await server().organization()
  const { id } = await owner.register()
  const waiting = owner.try('GET', '/events', { queue_id: id, last_event_id: -1 })
  while (server().parley.queues.count().parked === 0) await new Promise(setImmediate)
  await owner.call('DELETE', '/events', { queue_id: id })
  const { status, body } = await waiting
  // Older clients recognize this message and register again.
  expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_EVENT_QUEUE_ID', `Bad event queue id: ${id}`])
  expect((await owner.try('DELETE', '/events', { queue_id: id })).body['code']).toBe('BAD_EVENT_QUEUE_ID')
})

it('lets a second poll of a queue replace the first', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register({ event_types: ['message'] })
  const first = poll(owner, queue.id, -1)
  while (server().parley.queues.count().parked === 0) await new Promise(setImmediate)
  const second = poll(owner, queue.id, -1)
  expect(await first).toEqual([])
  await owner.sendTo([owner.id], 'hello')
  expect(await second).toMatchObject([{ type: 'message' }])
})

// The following tests run concurrently, because they wait until a queue has been idle for too long.
it.concurrent('ends an idle queue but not a queue that is being polled', async () => {
  const brief = await startTestServer({ PARLEY_HEARTBEAT_SECONDS: '1', PARLEY_QUEUE_IDLE_SECONDS: '3' })
  const { owner } = await brief.organization()
  const [idle, used] = [await owner.register(), await owner.register({ event_types: ['message'] })]
  const code = async (): Promise<unknown> =>
    (await owner.try('GET', '/events', { queue_id: idle.id, last_event_id: -1, dont_block: true })).body['code']
  // Each poll of the used queue ends with a heartbeat after a second; the idle queue is not touched.
  for (let wait = 0; wait < 5; wait += 1) await used.next()
  await brief.parley.queues.sweep()
  expect(await code()).toBe('BAD_EVENT_QUEUE_ID')
  expect(await used.events()).toEqual([])
  await brief.close()
})

it.concurrent('keeps a queue during a poll of any length', async (test) => {
  const brief = await startTestServer({ PARLEY_HEARTBEAT_SECONDS: '60', PARLEY_QUEUE_IDLE_SECONDS: '1' })
  const { owner } = await brief.organization()
  const [used, idle] = [await owner.register({ event_types: ['message'] }), await owner.register()]
  const waiting = used.next()
  const sweepAndListQueues = async (): Promise<string[]> => {
    await brief.parley.queues.sweep()
    const rows = await brief.parley.database.kysely.selectFrom('queues').select('id').execute()
    return rows.map(({ id }) => id).filter((id) => [used.id, idle.id].includes(id))
  }
  await test.expect.poll(sweepAndListQueues).not.toContain(idle.id)
  expect(await sweepAndListQueues()).toEqual([used.id])
  await owner.sendTo([owner.id], 'hello')
  expect(await waiting).toMatchObject([{ type: 'message' }])
  await brief.close()
})

it.concurrent('keeps a queue for the lifespan that its client requested', async () => {
  const impatient = await startTestServer({ PARLEY_HEARTBEAT_SECONDS: '1', PARLEY_QUEUE_IDLE_SECONDS: '3' })
  const { owner } = await impatient.organization()
  const brief = await owner.register()
  const long = await owner.register({ event_types: ['message'], queue_lifespan_secs: 86_400 })
  // Lifespans shorter than the default are raised to the default.
  const used = await owner.register({ event_types: ['message'], queue_lifespan_secs: 1 })
  for (let wait = 0; wait < 5; wait += 1) await used.next()
  await impatient.parley.queues.sweep()
  const code = async (): Promise<unknown> =>
    (await owner.try('GET', '/events', { queue_id: brief.id, last_event_id: -1, dont_block: true })).body['code']
  expect(await code()).toBe('BAD_EVENT_QUEUE_ID')
  await owner.sendTo([owner.id], 'hello')
  expect(await long.events()).toMatchObject([{ type: 'message' }])
  for (const queue_lifespan_secs of [-1, 86_401]) {
    const { body } = await owner.try('POST', '/register', { queue_lifespan_secs })
    expect(body['code']).toBe('REQUEST_VARIABLE_INVALID')
  }
  await impatient.close()
})

it('delivers only the requested event types', async () => {
  const { owner, user } = await server().organization()
  const queue = await owner.register({ event_types: ['realm_user', 'nonsense'] })
  await owner.sendTo([owner.id], 'hello')
  const ann = await user('Ann')
  expect(await queue.events()).toMatchObject([{ type: 'realm_user', op: 'add', person: { user_id: ann.id } }])
})

it("returns only the requested data and the server's version when a queue is registered", async () => {
  const { owner } = await server().organization()
  const { state } = await owner.register({ event_types: ['message'], fetch_event_types: ['realm_user'] })
  expect(state['realm_users']).toMatchObject([{ user_id: owner.id }])
  expect(state).not.toHaveProperty('subscriptions')
  expect(state).not.toHaveProperty('realm_name')
  expect(state).toMatchObject({ service_feature_level: 420, service_merge_base: '', last_event_id: -1 })
  const bare = await owner.register({ fetch_event_types: [] })
  expect(Object.keys(bare.state).toSorted()).toEqual([
    'last_event_id',
    'msg',
    'queue_id',
    'result',
    'service_feature_level',
    'service_merge_base',
    'service_version',
  ])
})

it('returns data and delivers events of every type by default', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const queue = await owner.register()
  const names = ['alert_words', 'custom_profile_fields', 'realm_users', 'subscriptions', 'unread_msgs', 'realm_name']
  for (const name of names) expect(queue.state).toHaveProperty(name)
  await owner.call('POST', '/users/me/alert_words', { alert_words: ['gull'] })
  await owner.send('news', 'hello', 'one')
  await owner.call('PATCH', '/settings', { enter_sends: true })
  expect((await queue.events()).map((event) => event['type'])).toEqual([
    'alert_words',
    'message',
    'stream',
    'user_topic',
    'user_settings',
  ])
  const { state } = await owner.register({ fetch_event_types: ['alert_words'] })
  expect(state['alert_words']).toEqual(['gull'])
  for (const name of names.slice(1)) expect(state).not.toHaveProperty(name)
})

it.each([
  ['true', true],
  ['partial', true],
  ['false', false],
  [undefined, false],
])('lists subscribers with include_subscribers=%s: %s', async (include_subscribers, isListed) => {
  const { owner, user } = await server().organization()
  const [ann, bot] = [await user('Ann'), await user('Bert Bot', { bot: { ownerId: owner.id } })]
  await owner.subscribe(['mine'], { principals: [owner.id, ann.id, bot.id] })
  await ann.subscribe(['others'])
  const given = include_subscribers === undefined ? {} : { include_subscribers }
  const { state } = await owner.register({ fetch_event_types: ['subscription'], ...given })
  const lists = [state.subscriptions, state.never_subscribed].map(([first]) => first?.subscribers)
  // Small channels list everyone, including bots and inactive users, even with `partial`.
  expect(lists).toEqual(isListed ? [[owner.id, ann.id, bot.id], [ann.id]] : [undefined, undefined])
})

it('registers a queue for a poll without a queue ID', async () => {
  const { owner, user } = await server().organization()
  const first = await owner.call('GET', '/events', { event_types: ['message'], dont_block: true })
  expect(first['events']).toEqual([])
  await owner.sendTo([owner.id], 'hello')
  expect(await poll(owner, first['queue_id'], -1)).toMatchObject([{ type: 'message' }])
  await owner.subscribe(['news', 'work'])
  const { queue_id } = await owner.call('GET', '/events', {
    event_types: ['message'],
    narrow: [['channel', 'news']],
    apply_markdown: true,
    client_capabilities: ALL_CAPABILITIES,
    client_external_avatar: false,
    dont_block: true,
  })
  const ann = await user('Ann')
  const outside = { event_types: ['message'], all_public_streams: true, dont_block: true }
  const { queue_id: wide } = await ann.call('GET', '/events', outside)
  await owner.send('work', 'hello', 'elsewhere')
  await owner.call('PATCH', '/settings', { enter_sends: true })
  const id = await owner.send('news', '', '*here*')
  expect(await poll(ann, wide, -1)).toMatchObject([{ message: { content: 'elsewhere' } }, { message: { id } }])
  const avatar_url: unknown = expect.stringMatching(/^\/avatar\//)
  expect(await poll(owner, queue_id, -1)).toMatchObject([
    { type: 'message', message: { id, subject: '', content: '<p><em>here</em></p>', avatar_url } },
  ])
})

it("filters a queue's messages by the narrow with which the queue was registered", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news', 'work'], { principals: [owner.id, ann.id] })
  const narrows: Body[] = [
    { narrow: [['channel', 'news']] },
    {
      narrow: [
        ['channel', 'news'],
        ['topic', 'HELLO'],
      ],
    },
    { narrow: [['sender', ann.email]] },
    { narrow: [['dm', ann.email]] },
  ]
  const queues = await Promise.all(narrows.map((narrow) => owner.register({ event_types: ['message'], ...narrow })))
  const hello = await owner.send('news', 'hello', 'one')
  const other = await ann.send('news', 'other', 'two')
  const work = await owner.send('work', 'hello', 'three')
  const direct = await owner.sendTo([ann.id], 'four')
  const received = await Promise.all(queues.map(async (queue) => (await queue.events()).map(messageId)))
  expect(received).toEqual([[hello, other], [hello], [other], [direct]])
  expect(work).toBeGreaterThan(other)
  const { body } = await owner.try('POST', '/register', { narrow: [['nonsense', 'x']], event_types: ['message'] })
  expect(body['code']).toBe('BAD_NARROW')
})

function messageId({ message }: EventFields): unknown {
  return message?.id
}

it('delivers messages of all public channels on request but of no private channels', async () => {
  const { owner, user } = await server().organization()
  const [ann, guest] = [await user('Ann'), await user('Gus Guest', { role: 600 })]
  await owner.subscribe(['open'])
  await owner.subscribe(['secret'], { invite_only: true })
  const all = { event_types: ['message'], all_public_streams: true }
  const [queue, plain, guests] = [
    await ann.register(all),
    await ann.register({ event_types: ['message'] }),
    await guest.register(all),
  ]
  const open = await owner.send('open', 'hello', 'one')
  await owner.send('secret', 'hello', 'two')
  expect((await queue.events()).map(messageId)).toEqual([open])
  expect(await plain.events()).toEqual([])
  expect(await guests.events()).toEqual([])
})

it("delivers channel messages to a bot's narrowed queue only if the bot is subscribed to the channel", async () => {
  const { owner, user } = await server().organization()
  const bot = await user('Bert Bot', { bot: { ownerId: owner.id } })
  await owner.subscribe(['news'])
  await owner.subscribe(['work'], { principals: [owner.id, bot.id] })
  const narrowed = async (channel: string): Promise<unknown[]> => {
    const queue = await bot.register({ event_types: ['message'], narrow: [['channel', channel]] })
    await owner.send(channel, 'hello', `to ${channel}`)
    return (await queue.events()).map((event) => event['message']?.['content'])
  }
  expect(await narrowed('news')).toEqual([])
  expect(await narrowed('work')).toEqual(['<p>to work</p>'])
})

it('sends each client the message format it supports', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const modern = await owner.register({ event_types: ['message'] })
  const oldest = await owner.call('POST', '/register', {
    event_types: ['message'],
    client_capabilities: {},
    client_external_avatar: false,
  })
  await owner.send('news', '', 'some *text*')
  const [event] = await modern.events()
  const [old] = await poll(owner, oldest['queue_id'], -1)
  expect(event?.['message']).toMatchObject({ subject: '', content: '<p>some <em>text</em></p>', avatar_url: null })
  expect(old?.['message']).toMatchObject({
    subject: 'general chat',
    content: 'some *text*',
    content_type: 'text/x-markdown',
  })
  expect(String(old?.message?.avatar_url)).toMatch(/^\/avatar\//)
})

it('continues a queue after a restart without gaps or repeats', async () => {
  const first = await startTestServer()
  const organization = await first.organization()
  const { owner } = organization
  await owner.subscribe(['news'])
  const registered = await owner.register({ event_types: ['message'] })
  const before = await owner.send('news', 'hello', 'before')
  const seen = await registered.events()
  const unseen = await owner.send('news', 'hello', 'unseen')
  await first.close()

  const second = await startTestServerOn(first.database)
  const ask = (lastEventId: number): Promise<{ body: Body }> =>
    callApi(
      second.parley.url,
      organization.host,
      'GET',
      '/events',
      { queue_id: registered.id, last_event_id: lastEventId, dont_block: true },
      { headers: { authorization: basic(owner.email, owner.apiKey) } },
    )
  const { body } = await ask(registered.lastEventId)
  expect(seen.map(messageId)).toEqual([before])
  expect(body).toMatchObject({ events: [{ message: { id: unseen } }] })
  // Resuming at an earlier event returns the same events with the same IDs.
  expect((await ask(-1)).body['events']).toEqual([...seen, ...objectsIn(body['events'])])
  await second.close()
})

it('delivers more unread events than the server keeps in memory', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register({ event_types: ['message'] })
  const sent: number[] = []
  for (let round = 0; round < 12; round += 1) {
    sent.push(...(await Promise.all(Array.from({ length: 100 }, () => owner.sendTo([owner.id], 'again')))))
  }
  const received: unknown[] = []
  while (received.length < sent.length) received.push(...(await queue.events()).map(messageId))
  expect(received).toEqual(sent.toSorted((a, b) => a - b))
  expect(await queue.events()).toEqual([])
})

it('rejects invalid parameters of a queue registration', async () => {
  const { owner } = await server().organization()
  for (const parameters of [
    { event_types: 'message' },
    { event_types: [1] },
    { narrow: [['channel']] },
    { fetch_event_types: 'message' },
    { client_capabilities: [] },
    ...Object.keys(ALL_CAPABILITIES).map((name) => ({ client_capabilities: { ...ALL_CAPABILITIES, [name]: 'yes' } })),
    { include_subscribers: 'sometimes' },
    { presence_history_limit_days: 'all' },
    ...['apply_markdown', 'client_external_avatar', 'slim_presence', 'all_public_streams'].flatMap((name) => [
      { [name]: 7 },
      { [name]: 'yes' },
    ]),
  ]) {
    const { status, body } = await owner.try('POST', '/register', parameters)
    const isRefused = ['REQUEST_VARIABLE_INVALID', 'INVALID_JSON'].includes(String(body['code']))
    expect([parameters, status, isRefused]).toEqual([parameters, 400, true])
  }
})
