import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { makeBot } from '../bots/testing/bots.ts'

const server = useTestServer()

interface Fixture {
  readonly owner: TestUser
  readonly news: number
  readonly message: number
  readonly scheduled: number
}

interface TextEndpoint {
  readonly method: string
  readonly path: (scene: Fixture) => string
  readonly parameters: (text: string, scene: Fixture) => Parameters
}

const FAR_FUTURE = 4_000_000_000

const postEndpoint = (path: string, parameters: TextEndpoint['parameters']): TextEndpoint => ({
  method: 'POST',
  path: () => path,
  parameters,
})
const patchEndpoint = (path: TextEndpoint['path'], parameters: TextEndpoint['parameters']): TextEndpoint => ({
  method: 'PATCH',
  path,
  parameters,
})

const send = (more: (text: string) => Parameters): TextEndpoint =>
  postEndpoint('/messages', (text, { news }) => ({ type: 'stream', to: news, topic: 'x', content: 'x', ...more(text) }))
const schedule = (more: (text: string) => Parameters): TextEndpoint =>
  postEndpoint('/scheduled_messages', (text, { news }) => ({
    type: 'stream',
    to: news,
    topic: 'x',
    content: 'x',
    scheduled_delivery_timestamp: FAR_FUTURE,
    ...more(text),
  }))
const edit = (more: (text: string) => Parameters): TextEndpoint =>
  patchEndpoint(({ message }) => `/messages/${message}`, more)
const reschedule = (more: (text: string) => Parameters): TextEndpoint =>
  patchEndpoint(({ scheduled }) => `/scheduled_messages/${scheduled}`, more)
const subscribe = (more: (text: string) => Parameters): TextEndpoint =>
  postEndpoint('/users/me/subscriptions', (text) => ({ subscriptions: [more(text)] }))
const create = (more: (text: string) => Parameters): TextEndpoint =>
  postEndpoint('/channels/create', (text) => ({ subscribers: [], ...more(text) }))
const update = (more: (text: string) => Parameters): TextEndpoint =>
  patchEndpoint(({ news }) => `/streams/${news}`, more)
const createFolder = (more: (text: string) => Parameters): TextEndpoint =>
  postEndpoint('/channel_folders/create', (text) => ({ name: 'x', description: '', ...more(text) }))

const LIMITED_FIELDS: Readonly<Record<string, readonly (readonly [name: string, place: TextEndpoint])[]>> = {
  max_message_length: [
    ['sending', send((content) => ({ content }))],
    ['scheduling', schedule((content) => ({ content }))],
    ['editing', edit((content) => ({ content }))],
    ['changing a scheduled message', reschedule((content) => ({ content }))],
  ],
  max_topic_length: [
    ['sending', send((topic) => ({ topic }))],
    ['scheduling', schedule((topic) => ({ topic }))],
    ['editing', edit((topic) => ({ topic }))],
    ['changing a scheduled message', reschedule((topic) => ({ topic }))],
    ['typing', postEndpoint('/typing', (topic, { news }) => ({ type: 'stream', op: 'start', stream_id: news, topic }))],
    [
      "setting a topic's visibility",
      postEndpoint('/user_topics', (topic, { news }) => ({ stream_id: news, topic, visibility_policy: 1 })),
    ],
  ],
  max_stream_name_length: [
    ['subscribing', subscribe((name) => ({ name }))],
    ['creating', create((text) => ({ name: text.replaceAll('😀', '🐦') }))],
    ['updating', update((text) => ({ new_name: text.replaceAll('😀', '🐱') }))],
  ],
  max_stream_description_length: [
    ['subscribing', subscribe((description) => ({ name: 'one', description }))],
    ['creating', create((description) => ({ name: 'two', description }))],
    ['updating', update((description) => ({ description }))],
  ],
  max_channel_folder_name_length: [['creating', createFolder((name) => ({ name }))]],
  max_channel_folder_description_length: [['creating', createFolder((description) => ({ description }))]],
}

it.each(Object.entries(LIMITED_FIELDS).flatMap(([limit, places]) => places.map((place) => [limit, ...place] as const)))(
  'enforces the reported limit %s in code points for %s',
  async (limit, _, { method, path, parameters }) => {
    const { owner } = await server().organization()
    await owner.subscribe(['news'])
    const news = (await owner.call('GET', '/get_stream_id', { stream: 'news' }))['stream_id']
    const message = await owner.send(news, 'hello', 'hello')
    const { scheduled_message_id } = await owner.call('POST', '/scheduled_messages', {
      type: 'stream',
      to: news,
      topic: 'hello',
      content: 'hello',
      scheduled_delivery_timestamp: FAR_FUTURE,
    })
    const scene: Fixture = { owner, news, message, scheduled: scheduled_message_id }
    const { state } = await owner.register({ event_types: ['realm'] })
    const most = Number(state[limit])
    expect(most).toBeGreaterThan(0)
    const look = await watch({ owner })
    const attempt = async (length: number): Promise<Body> => {
      const { status, body } = await owner.try(method, path(scene), parameters('😀'.repeat(length), scene))
      return { status, code: body['code'] }
    }
    const refused = await attempt(most + 1)
    expect(refused['status']).toBe(400)
    expect(['BAD_REQUEST', 'REQUEST_VARIABLE_INVALID']).toContain(refused['code'])
    expect(await look()).toEqual({ owner: [] })
    expect(await attempt(most)).toEqual({ status: 200, code: undefined })
  },
)

it("ignores the length of a direct message's topic", async () => {
  const { owner, user } = await server().organization()
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  const topic = 'x'.repeat(61)
  const content = 'Hello'
  const direct = { type: 'direct', to: [ann.id], topic }
  const look = await watch({ owner, ann, bob })
  const id = await owner.sendTo([ann.id], content, { topic })
  const sent = [{ type: 'message', message: { id, type: 'private', subject: '' } }]
  expect(await look()).toMatchObject({ owner: sent, ann: sent, bob: [] })
  const { scheduled_message_id } = await owner.call('POST', '/scheduled_messages', {
    ...direct,
    content,
    scheduled_delivery_timestamp: FAR_FUTURE,
  })
  await owner.call('PATCH', `/scheduled_messages/${String(scheduled_message_id)}`, direct)
  const kept = { scheduled_message_id, type: 'private', to: [ann.id], content }
  const added = { type: 'scheduled_messages', op: 'add', scheduled_messages: [kept] }
  const updated = { type: 'scheduled_messages', op: 'update', scheduled_message: kept }
  expect(await look()).toMatchObject({ owner: [added, updated], ann: [], bob: [] })
  await owner.call('POST', '/typing', { ...direct, op: 'start' })
  const typing = [{ type: 'typing', op: 'start', message_type: 'direct' }]
  expect(await look()).toMatchObject({ owner: typing, ann: typing, bob: [] })
  await owner.call('POST', '/drafts', { drafts: [{ type: 'private', to: [ann.id], topic, content }] })
  const drafts = [{ type: 'drafts', op: 'add', drafts: [{ type: 'private', topic: '', content }] }]
  expect(await look()).toMatchObject({ owner: drafts, ann: [], bob: [] })
})

it('excludes the resolved prefix from the topic length limit', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const topic = 'ä'.repeat(60)
  const resolved = `✔ ${topic}`
  const id = await owner.send('news', topic, 'hello')
  await owner.call('PATCH', `/messages/${id}`, { topic: resolved, propagate_mode: 'change_all' })
  expect((await owner.call('GET', `/messages/${id}`))['message']).toMatchObject({ subject: resolved })
  await owner.send('news', resolved, 'Once more')
  await owner.send('news', ` ${resolved} `, 'Once more')
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
  const later = { type: 'stream', to: stream_id, content: 'x', scheduled_delivery_timestamp: FAR_FUTURE }
  await owner.call('POST', '/scheduled_messages', { ...later, topic: resolved })
  const alerts = await makeBot(owner, 'Alerts Bot')
  await owner.subscribe(['news'], { principals: [alerts.id] })
  const alert = await alerts.send('news', resolved, 'Once more')
  expect((await owner.call('GET', `/messages/${alert}`))['message']).toMatchObject({ subject: resolved })
  for (const longer of [`✔ ${topic}x`, `✔ ✔ ${topic}`, `✔${topic}`]) {
    const { status, body } = await owner.try('POST', '/messages', {
      type: 'stream',
      to: 'news',
      topic: longer,
      content: 'x',
    })
    expect([status, body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
  }
  await owner.call('PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_all' })
  expect((await owner.call('GET', `/messages/${id}`))['message']).toMatchObject({ subject: topic })
})

it('truncates overlong topics of bots and rejects overlong topics of people', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const alerts = await makeBot(owner, 'Alerts Bot')
  await owner.subscribe(['news'], { principals: [alerts.id] })
  const long = 'disk full on '.repeat(8)
  const storedTopic = async (topic: string): Promise<string> => {
    const id = await alerts.send('news', topic, 'hello')
    return (await owner.call('GET', `/messages/${id}`))['message']['subject']
  }
  expect(await storedTopic(long)).toBe('disk full on disk full on disk full on disk full on disk fu…')
  expect(await storedTopic(`✔ ${long}`)).toBe('✔ disk full on disk full on disk full on disk full on disk fu…')
  expect(await storedTopic('😀'.repeat(61))).toBe(`${'😀'.repeat(59)}…`)
  expect(await storedTopic(`  ${'a'.repeat(60)}  `)).toBe('a'.repeat(60))
  const shortened = `${'a'.repeat(59)}…`
  const topic = ` ${'a'.repeat(61)}`
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
  const moved = await alerts.send('news', 'short', 'hello')
  const later = { scheduled_delivery_timestamp: FAR_FUTURE }
  const change = { topic, propagate_mode: 'change_all' }
  const requests = [
    ['PATCH', `/messages/${moved}`, change],
    ['POST', '/scheduled_messages', { type: 'stream', to: stream_id, topic, content: 'x', ...later }],
    ['POST', '/user_topics', { stream_id, topic, visibility_policy: 3 }],
    ['PATCH', '/users/me/subscriptions/muted_topics', { stream_id, topic, op: 'add' }],
    ['POST', '/mark_topic_as_read', { stream_id, topic_name: topic }],
    ['POST', '/typing', { type: 'stream', op: 'start', stream_id, topic }],
  ] as const
  for (const [method, path, parameters] of requests) await alerts.call(method, path, parameters)
  expect((await owner.call('GET', `/messages/${moved}`))['message']).toMatchObject({ subject: shortened })
  const { scheduled_messages } = await alerts.call('GET', '/scheduled_messages')
  expect(scheduled_messages).toMatchObject([{ topic: shortened }])
  const { state } = await alerts.register()
  expect(state['user_topics']).toMatchObject([{ topic_name: shortened, visibility_policy: 1 }])
  const { status, body } = await owner.try('POST', '/messages', { type: 'stream', to: 'news', topic, content: 'x' })
  expect([status, body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
  await owner.send('news', `  ${'b'.repeat(60)}  `, 'hello')
})
