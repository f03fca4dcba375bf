import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { basic, callApi, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

it('delivers a channel message only to its subscribers', async () => {
  const { owner, user } = await server().organization()
  const reader = await user('Rita Reader')
  const outsider = await user('Otto Outsider')
  await owner.subscribe(['general'], { principals: [owner.id, reader.id] })
  const [readerQueue, outsiderQueue] = [await reader.register(), await outsider.register()]
  const id = await owner.send('general', 'hello', 'Hello **world**')
  const events = await readerQueue.events()
  expect(events).toMatchObject([
    {
      type: 'message',
      flags: [],
      message: { id, content: '<p>Hello <strong>world</strong></p>', subject: 'hello', display_recipient: 'general' },
    },
    { type: 'stream', op: 'update', property: 'first_message_id', value: id },
  ])
  expect(await outsiderQueue.events()).toMatchObject([{ type: 'stream', op: 'update' }])
  expect(await readerQueue.events()).toEqual([])
})

it("lists a channel's messages around an anchor", async () => {
  const { owner, user } = await server().organization()
  const reader = await user('Rita Reader')
  await owner.subscribe(['general'], { principals: [owner.id, reader.id] })
  const ids: number[] = []
  for (let index = 0; index < 5; index += 1) ids.push(await owner.send('general', 'hello', `Message ${index}`))
  const { messages, found_oldest, found_newest } = await reader.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 3,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: 'general' }],
  })
  expect(messages.map((message) => message.id)).toEqual(ids.slice(2))
  expect([found_oldest, found_newest]).toEqual([false, true])
})

it('delivers a direct message only to the sender and the recipients', async () => {
  const { owner, user } = await server().organization()
  const [friend, other] = [await user('Fred Friend'), await user('Otto Other')]
  const [friendQueue, otherQueue, ownQueue] = [await friend.register(), await other.register(), await owner.register()]
  const id = await owner.sendTo([friend.id], 'psst')
  expect(await friendQueue.events()).toMatchObject([{ type: 'message', message: { id, type: 'private' } }])
  expect(await ownQueue.events()).toMatchObject([{ type: 'message', message: { id } }])
  expect(await otherQueue.events()).toEqual([])
})

it('answers a waiting poll when a message arrives', async () => {
  const { owner, user } = await server().organization()
  const friend = await user('Fred Friend')
  const queue = await friend.register({ event_types: ['message'] })
  const waiting = queue.next()
  const id = await owner.sendTo([friend.id], 'psst')
  expect(await waiting).toMatchObject([{ type: 'message', message: { id } }])
})

it('accepts every name of a message type and every form of recipient', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'])
  const { streams } = await owner.call('GET', '/streams')
  const newsId = streams[0]?.['stream_id']
  const queue = await owner.register({ event_types: ['message'] })
  for (const type of ['stream', 'channel']) {
    for (const to of ['news', '"news"', 'NEWS', newsId, String(newsId), ['news'], [newsId]]) {
      await owner.call('POST', '/messages', { type, to, topic: 'hello', content: 'x' })
    }
  }
  for (const type of ['direct', 'private']) {
    for (const to of [[ann.id], ann.email, [ann.email], `${ann.email}, ${owner.email}`, ann.id]) {
      await owner.call('POST', '/messages', { type, to, content: 'x' })
    }
  }
  const events = await queue.events()
  const places = events.map(({ message: { type, display_recipient } = {} }) => {
    return [type, Array.isArray(display_recipient) ? display_recipient.length : display_recipient]
  })
  const times = (count: number, place: unknown): unknown[] => Array.from({ length: count }, () => place)
  expect(places).toEqual([...times(14, ['stream', 'news']), ...times(10, ['private', 2])])
})

it('rejects a message to no channel or to several channels', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news', 'other'])
  const queue = await owner.register({ event_types: ['message'] })
  for (const to of [['news', 'other'], [], ['news', 'news'], '']) {
    const { status, body } = await owner.try('POST', '/messages', { type: 'stream', to, topic: 't', content: 'x' })
    expect([to, status, body['code']]).toEqual([to, 400, to === '' ? 'STREAM_DOES_NOT_EXIST' : 'BAD_REQUEST'])
  }
  expect(await queue.events()).toEqual([])
})

it('reads a quoted number as a channel name and an unquoted number as an ID', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['2026'])
  const { status, body } = await owner.try('POST', '/messages', { type: 'stream', to: 2026, topic: 't', content: 'x' })
  expect([status, body['code'], body['stream_id']]).toEqual([400, 'STREAM_DOES_NOT_EXIST', 2026])
  await owner.call('POST', '/messages', { type: 'stream', to: '"2026"', topic: 't', content: 'x' })
})

it('requires a topic for channel messages as either `topic` or `subject`', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const message = { type: 'stream', to: 'news', content: 'x' }
  const { status, body } = await owner.try('POST', '/messages', message)
  expect([status, body['code'], body['var_name']]).toEqual([400, 'REQUEST_VARIABLE_MISSING', 'topic'])
  await owner.call('POST', '/messages', { ...message, subject: 'hello' })
  const both = await owner.try('POST', '/messages', { ...message, subject: 'a', topic: 'b' })
  expect(both.body['code']).toBe('REQUEST_CONFUSING_VAR')
})

it('rejects invisible content in new messages, and replaces it in edits', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const id = await owner.send('general', 'plans', 'hello')
  const look = await watch({ owner })
  for (const content of ['\u2800\u2800', '\u200b', '\u3164 \n', '\u{1d159}']) {
    const { body } = await owner.try('POST', '/messages', { type: 'stream', to: 'general', topic: 'plans', content })
    expect([body['code'], body['msg']]).toEqual(['BAD_REQUEST', 'Message must not be empty'])
    const draft = { type: 'stream', to: [], topic: 'plans', content }
    expect((await owner.try('POST', '/drafts', { drafts: [draft] })).body['msg']).toBe('Message must not be empty')
  }
  expect(await look()).toEqual({ owner: [] })
  await owner.call('PATCH', `/messages/${id}`, { content: '\u2800' })
  expect((await owner.call('GET', `/messages/${id}`))['raw_content']).toBe('(deleted)')
})

it('treats every name of the empty topic as the empty topic', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const queue = await owner.register({ event_types: ['message'] })
  for (const topic of ['', '  ', '(no topic)', 'general chat']) await owner.send('news', topic, 'x')
  expect((await queue.events()).map((event) => event['message']?.['subject'])).toEqual(['', '', '', ''])
})

it('sends to an existing topic whose name differs only in case', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const queue = await owner.register({ event_types: ['message'] })
  for (const topic of ['Über Äpfel', 'über äpfel', 'ÜBER ÄPFEL']) await owner.send('news', topic, 'x')
  const subjects = (await queue.events()).map((event) => event['message']?.['subject'])
  expect(subjects).toEqual(['Über Äpfel', 'Über Äpfel', 'Über Äpfel'])
})

it('limits the length of topics and messages in code points', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const queue = await owner.register({ event_types: ['message'] })
  const face = '😀'
  await owner.send('news', face.repeat(60), face.repeat(10_000))
  const code = async (topic: string, content: string): Promise<unknown> =>
    (await owner.try('POST', '/messages', { type: 'stream', to: 'news', topic, content })).body['code']
  expect(await code(face.repeat(61), 'x')).toBe('REQUEST_VARIABLE_INVALID')
  expect(await code('x', face.repeat(10_001))).toBe('REQUEST_VARIABLE_INVALID')
  expect(await code('x', '')).toBe('BAD_REQUEST')
  expect(await code('x', ' \n\t ')).toBe('BAD_REQUEST')
  expect(await code('a\nb', 'x')).toBe('BAD_REQUEST')
  expect(await queue.events()).toHaveLength(1)
})

it('refuses messages without permission and treats hidden channels as missing', async () => {
  const { owner, user } = await server().organization()
  const [ann, guest] = [await user('Ann'), await user('Gus Guest', { role: 600 })]
  const admin = await user('Ada Admin', { role: 200 })
  await owner.subscribe(['open'])
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.subscribe(['announcements'], {
    can_send_message_group: { direct_members: [owner.id], direct_subgroups: [] },
    principals: [owner.id, ann.id, admin.id],
  })
  const queue = await owner.register({ event_types: ['message'] })
  const attempt = async (sender: TestUser, to: unknown): Promise<unknown[]> => {
    const { status, body } = await sender.try('POST', '/messages', { type: 'stream', to, topic: 't', content: 'x' })
    return [status, body['code'], body['stream'] ?? body['stream_id']]
  }
  const { streams } = await owner.call('GET', '/streams')
  const secretId = streams.find((stream) => stream['name'] === 'secret')?.['stream_id']
  expect(await attempt(ann, 'secret')).toEqual([400, 'STREAM_DOES_NOT_EXIST', 'secret'])
  expect(await attempt(ann, 'absent')).toEqual([400, 'STREAM_DOES_NOT_EXIST', 'absent'])
  // The error repeats the given spelling, because Ann must not learn the real spelling of a hidden channel.
  for (const name of ['SECRET', 'Absent', 'aBSENT'])
    expect(await attempt(ann, name)).toEqual([400, 'STREAM_DOES_NOT_EXIST', name])
  expect(await attempt(ann, secretId)).toEqual([400, 'STREAM_DOES_NOT_EXIST', secretId])
  expect(await attempt(guest, 'open')).toEqual([400, 'STREAM_DOES_NOT_EXIST', 'open'])
  // Administrators can see the channel, but cannot post there without a subscription.
  for (const to of ['secret', secretId]) expect(await attempt(admin, to)).toEqual([400, 'BAD_REQUEST', undefined])
  for (const sender of [ann, admin])
    expect(await attempt(sender, 'announcements')).toEqual([400, 'BAD_REQUEST', undefined])
  expect(await attempt(ann, 'open')).toEqual([200, undefined, undefined])
  expect(await queue.events()).toHaveLength(1)
})

it('rejects direct messages to missing and deactivated people', async () => {
  const { id, owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.call('DELETE', `/users/${ann.id}`)
  const position = async (): Promise<number> => (await server().parley.logs.of(id)).organization.position
  const before = await position()
  for (const to of [[999_999], [0], ['nobody@example.com'], [ann.id], [], 'nobody@example.com', [owner.id, -1]]) {
    const { status, body } = await owner.try('POST', '/messages', { type: 'direct', to, content: 'x' })
    expect([to, status, body['code']]).toEqual([to, 400, 'BAD_REQUEST'])
  }
  expect(await position()).toBe(before)
})

it("returns a local ID only in the sender's own queue", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const [own, second, anns] = [await owner.register(), await owner.register(), await ann.register()]
  await owner.sendTo([ann.id], 'hello', { queue_id: own.id, local_id: ' 017.50' })
  expect(await own.events()).toMatchObject([{ local_message_id: ' 017.50', local_id: ' 017.50' }])
  for (const queue of [second, anns]) {
    const [event] = await queue.events()
    expect(event).not.toHaveProperty('local_message_id')
    expect(event).not.toHaveProperty('local_id')
  }
  const without = await owner.try('POST', '/messages', { type: 'direct', to: [ann.id], content: 'x', queue_id: own.id })
  expect([without.status, without.body['var_name']]).toEqual([400, 'local_id'])
})

it('sends no local ID to the queues of other people', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const [own, anns] = [await owner.register(), await ann.register()]
  await owner.sendTo([ann.id], 'hello', { queue_id: anns.id, local_id: 'mine' })
  for (const queue of [own, anns]) {
    const [event] = await queue.events()
    expect(event).toMatchObject({ type: 'message' })
    expect(event).not.toHaveProperty('local_message_id')
    expect(event).not.toHaveProperty('local_id')
  }
})

it('accepts and recognizes local IDs of up to 1,000 characters', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const own = await owner.register({ event_types: ['message'] })
  // Random four-byte letters, which are too long for a database index and incompressible.
  const letters = Array.from({ length: 999 }, (_, index) => String.fromCodePoint(0x20000 + ((index * 7919) % 40_000)))
  const local = (last: string): string => letters.join('') + last
  const send = (local_id: string): Promise<number> => owner.sendTo([ann.id], 'hello', { queue_id: own.id, local_id })
  const [first, second] = [await send(local('a')), await send(local('b'))]
  expect([await send(local('a')), await send(local('b'))]).toEqual([first, second])
  expect(second).toBeGreaterThan(first)
  expect(await own.events()).toMatchObject([{ local_id: local('a') }, { local_id: local('b') }])
  const long = { type: 'direct', to: [ann.id], content: 'x', queue_id: own.id, local_id: local('ab') }
  expect((await owner.try('POST', '/messages', long)).body['code']).toBe('REQUEST_VARIABLE_INVALID')
})

it('sends a message once per local ID, even in concurrent requests', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const [own, anns] = [
    await owner.register({ event_types: ['message'] }),
    await ann.register({ event_types: ['message'] }),
  ]
  const resend = (): Promise<number> => owner.sendTo([ann.id], 'hello', { queue_id: own.id, local_id: '1' })
  const ids = [await resend(), ...(await Promise.all([resend(), resend(), resend()]))]
  expect(new Set(ids).size).toBe(1)
  const together = await Promise.all(
    Array.from({ length: 5 }, () => owner.sendTo([ann.id], 'hello', { queue_id: own.id, local_id: '2' })),
  )
  expect(new Set(together).size).toBe(1)
  expect(await anns.events()).toHaveLength(2)
  // The local ID has no effect with another user's queue.
  await ann.sendTo([owner.id], 'hello', { queue_id: own.id, local_id: '1' })
  expect(await anns.events()).toHaveLength(1)
})

it('marks a message as read for its sender on request or if a browser sent it', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register({ event_types: ['message'] })
  await owner.sendTo([owner.id], 'a program is not a reader')
  await owner.sendTo([owner.id], 'asked', { read_by_sender: true })
  const headers = { authorization: basic(owner.email, owner.apiKey), 'user-agent': 'Mozilla/5.0 (X11)' }
  const message = { type: 'direct', to: [owner.id], content: 'a browser' }
  await callApi(owner.url, owner.host, 'POST', '/messages', message, { headers })
  await callApi(owner.url, owner.host, 'POST', '/messages', { ...message, read_by_sender: false }, { headers })
  const events = await queue.events()
  expect(events.map((event) => event['flags'])).toEqual([[], ['read'], ['read'], []])
  expect(events.map((event) => event['message']?.['client'])).toEqual([
    'ParleyTest',
    'ParleyTest',
    'website',
    'website',
  ])
})

it('renders links to channels hidden from the author as plain text', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.subscribe(['open'], { principals: [owner.id, ann.id] })
  const queue = await owner.register({ event_types: ['message'] })
  await ann.send('open', 'hello', '#**secret** and #**open**')
  const [event] = await queue.events()
  const content = String(event?.['message']?.['content'])
  expect(content).toContain('#<strong>secret</strong>')
  expect(content).toContain('data-stream-id')
})

it('ignores the topic of a direct message', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const queue = await ann.register({ event_types: ['message'] })
  await owner.sendTo([ann.id], 'one', { topic: 'hello' })
  await owner.sendTo([ann.id], 'two', { subject: 'bye' })
  expect(await queue.events()).toMatchObject([
    { message: { type: 'private', subject: '' } },
    { message: { type: 'private', subject: '' } },
  ])
})
