import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { statementsDuring } from '../../testing/statements.ts'
import type { TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

async function flagsOf(user: TestUser, id: number): Promise<unknown> {
  const { message } = await user.call('GET', `/messages/${id}`)
  return message['flags']
}

it("adds and removes personal flags and notifies only their owner's clients", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const [first, second] = [await owner.send('news', 'hello', 'one'), await owner.send('news', 'hello', 'two')]
  const [own, others] = [await ann.register(), await owner.register()]
  for (const flag of ['read', 'starred', 'collapsed']) {
    const answer = await ann.call('POST', '/messages/flags', { messages: [second, first, first], op: 'add', flag })
    expect(answer['messages']).toEqual([first, second])
    expect(await own.events()).toMatchObject([
      { type: 'update_message_flags', op: 'add', operation: 'add', flag, messages: [first, second], all: false },
    ])
  }
  expect(await flagsOf(ann, first)).toEqual(['read', 'starred', 'collapsed'])
  expect(await flagsOf(owner, first)).toEqual([])
  const { state } = await ann.register()
  expect(state['starred_messages']).toEqual([first, second])

  await ann.call('POST', '/messages/flags', { messages: [first], op: 'remove', flag: 'starred' })
  await ann.call('POST', '/messages/flags', { messages: [first], op: 'remove', flag: 'read' })
  expect(await own.events()).toMatchObject([
    { op: 'remove', flag: 'starred', messages: [first] },
    {
      op: 'remove',
      flag: 'read',
      messages: [first],
      message_details: { [first]: { type: 'stream', topic: 'hello' } },
    },
  ])
  expect(await flagsOf(ann, first)).toEqual(['collapsed'])
  expect(await flagsOf(ann, second)).toEqual(['read', 'starred', 'collapsed'])
  expect(await others.events()).toEqual([])
})

it('rejects changes to flags that only the server sets, and treats hidden messages as missing', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const id = await owner.sendTo([owner.id], 'to myself')
  const own = await owner.sendTo([ann.id], 'to Ann')
  const queue = await ann.register()
  const attempt = async (messages: unknown, flag: string): Promise<unknown[]> => {
    const { status, body } = await ann.try('POST', '/messages/flags', { messages, op: 'add', flag })
    return [status, body]
  }
  for (const flag of ['mentioned', 'has_alert_word', 'historical', 'nonsense', '']) {
    expect((await attempt([own], flag))[0]).toBe(400)
  }
  expect(await attempt([id], 'starred')).toEqual(await attempt([999_999], 'starred'))
  // One unreadable message fails the whole request.
  expect((await attempt([own, id], 'starred'))[0]).toBe(400)
  expect(await queue.events()).toEqual([])
  expect(await flagsOf(ann, own)).toEqual([])
})

it('refuses to flag a hidden message but completes the other requests of the same transaction', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const hidden = await owner.sendTo([owner.id], 'to myself')
  const own = await owner.sendTo([ann.id], 'to Ann')
  const starStatus = async (reader: TestUser, id: number): Promise<number> =>
    (await reader.try('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })).status
  const statements = await statementsDuring(server().database, async () => {
    expect(await Promise.all([starStatus(owner, own), starStatus(ann, hidden), starStatus(ann, own)])).toEqual([
      200, 400, 200,
    ])
  })
  expect(statements.filter((text) => /^(rollback|savepoint)/.test(text))).toEqual([])
  expect(await flagsOf(ann, own)).toContain('starred')
})

it('does not mark messages of unsubscribed channels as unread, and reports the channels', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'])
  const message = await owner.send('news', 'hello', 'one')
  const { streams } = await owner.call('GET', '/streams')
  const newsId = streams[0]?.['stream_id']
  const queue = await ann.register()
  const answer = await ann.call('POST', '/messages/flags', { messages: [message], op: 'remove', flag: 'read' })
  expect(answer).toMatchObject({ messages: [message], ignored_because_not_subscribed_channels: [newsId] })
  expect(await queue.events()).toEqual([])
})

it('does not mark messages as unread that were sent before the reader subscribed', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'])
  const before = await owner.send('news', 'hello', 'one')
  await ann.subscribe(['news'])
  const since = await owner.send('news', 'hello', 'two')
  const queue = await ann.register()
  const mark = async (messages: number[]) =>
    ann.call('POST', '/messages/flags', { messages, op: 'remove', flag: 'read' })
  await mark([before])
  expect(await queue.events()).toEqual([])
  await mark([before, since])
  expect(await queue.events()).toMatchObject([{ op: 'remove', flag: 'read', messages: [since] }])
  expect(await flagsOf(ann, before)).toContain('read')
  expect(await flagsOf(ann, since)).toEqual([])
})

it('reports skipped channels only if the reader can see them, and treats hidden channels as missing', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const principals = [owner.id, ann.id]
  await owner.subscribe(['news'])
  await owner.subscribe(['cabinet'], { invite_only: true })
  await owner.subscribe(['left'], { invite_only: true, principals, history_public_to_subscribers: true })
  const open = await owner.send('news', 'hello', 'Open')
  const hidden = [await owner.send('cabinet', 'hello', 'Never seen'), await owner.send('left', 'hello', 'Seen once')]
  await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
  const { stream_id: news } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
  const look = await watch({ ann, owner })
  const unread = { op: 'remove', flag: 'read' }
  const named = async (...messages: number[]): Promise<unknown> => {
    const { status, body } = await ann.try('POST', '/messages/flags', { messages, ...unread })
    return [status, body]
  }
  const narrowed = async (narrow: unknown): Promise<unknown> => {
    const around = { anchor: 'newest', num_before: 100, num_after: 0 }
    const { status, body } = await ann.try('POST', '/messages/flags/narrow', { ...around, narrow, ...unread })
    return [status, body]
  }
  expect(await named(open)).toMatchObject([200, { ignored_because_not_subscribed_channels: [news] }])
  for (const id of hidden) {
    expect(await named(open, id)).toEqual(await named(open, 999_999))
    expect(await narrowed([['id', String(id)]])).toEqual(await narrowed([['id', '999999']]))
  }
  expect(await narrowed([['id', String(hidden[1])]])).toMatchObject([
    200,
    { processed_count: 0, ignored_because_not_subscribed_channels: [] },
  ])
  expect(await narrowed([['channels', 'public']])).toMatchObject([
    200,
    { processed_count: 1, updated_count: 0, ignored_because_not_subscribed_channels: [news] },
  ])
  expect(await narrowed([])).toMatchObject([200, { processed_count: 0, ignored_because_not_subscribed_channels: [] }])
  for (const path of ['/mark_stream_as_read', '/mark_topic_as_read']) {
    for (const stream of ['cabinet', 'left']) {
      const { stream_id } = await owner.call('GET', '/get_stream_id', { stream })
      const hiddenAnswer = await ann.try('POST', path, { stream_id, topic_name: 'hello' })
      const absentAnswer = await ann.try('POST', path, { stream_id: 999_999, topic_name: 'hello' })
      expect([hiddenAnswer.status, hiddenAnswer.body]).toEqual([absentAnswer.status, absentAnswer.body])
    }
  }
  expect(await look()).toEqual({ ann: [], owner: [] })
})

it('marks messages as read even if concurrent requests are invalid', async () => {
  const { owner, user } = await server().organization()
  const people = await Promise.all(['Ann', 'Ben', 'Cleo'].map((name) => user(name)))
  await owner.subscribe(['news'], { principals: people.map((one) => one.id) })
  await owner.subscribe(['news'])
  const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => owner.send('news', `t${index % 3}`, 'x')))
  await Promise.all(
    people.flatMap((one) => [
      ...ids.map((id) => one.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })),
      one.try('POST', '/messages/flags', { messages: [999_999], op: 'add', flag: 'read' }),
    ]),
  )
  for (const one of people) {
    const { state } = await one.register({ event_types: ['message', 'update_message_flags'] })
    expect(state.unread_msgs.count).toBe(0)
  }
})

it('keeps stars on messages that became hidden, without events about those messages', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const principals = [owner.id, ann.id]
  await owner.subscribe(['club'], { principals, invite_only: true, history_public_to_subscribers: true })
  await owner.subscribe(['den'], { invite_only: true })
  const [gone, moved, kept, unstarred] = [
    await owner.send('club', 'one', 'Will be deleted'),
    await owner.send('club', 'two', 'Will be moved'),
    await owner.send('club', 'three', 'Will be there'),
    await owner.send('club', 'four', 'Is not starred'),
  ]
  const starred = [gone, moved, kept]
  const starredBy = async (): Promise<unknown> =>
    (await ann.call('POST', '/register', { fetch_event_types: ['starred_messages'], event_types: [] }))[
      'starred_messages'
    ]
  await ann.call('POST', '/messages/flags', { messages: starred, op: 'add', flag: 'starred' })
  await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  const look = await watch({ ann }, { event_types: ['update_message_flags', 'delete_message', 'update_message'] })
  const { stream_id: den } = await owner.call('GET', '/get_stream_id', { stream: 'den' })
  await owner.call('DELETE', `/messages/${gone}`)
  await owner.call('PATCH', `/messages/${moved}`, { stream_id: den })
  expect(await look()).toEqual({ ann: [] })
  expect(await starredBy()).toEqual(starred)
  await owner.subscribe(['club'], { principals: [ann.id] })
  expect(await flagsOf(ann, kept)).toContain('starred')
  expect(await starredBy()).toEqual(starred)
  expect(await look()).toEqual({ ann: [] })
  // A user who can no longer see a message can only remove a star from it.
  const remove = async (messages: number[], flag: string): Promise<unknown[]> => {
    const { status, body } = await ann.try('POST', '/messages/flags', { messages, op: 'remove', flag })
    return [status, body]
  }
  const refused = await remove([999_999], 'starred')
  for (const flag of ['read', 'collapsed']) expect(await remove([moved], flag)).toEqual(refused)
  expect(await remove([gone, 999_999], 'starred')).toEqual(refused)
  expect(await look()).toEqual({ ann: [] })
  expect(await remove([gone, moved, unstarred], 'starred')).toMatchObject([200, { messages: [gone, moved, unstarred] }])
  expect(await look()).toMatchObject({ ann: [{ op: 'remove', flag: 'starred', messages: [gone, moved, unstarred] }] })
  expect(await starredBy()).toEqual([kept])
  expect(await remove([gone], 'starred')).toEqual(refused)
})

it('counts unread messages except in muted channels and topics', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  for (const channel of ['loud', 'quiet']) await owner.subscribe([channel], { principals: [owner.id, ann.id] })
  const ids = new Map<string, number>()
  for (const channel of ['loud', 'quiet']) {
    ids.set(channel, (await owner.call('GET', '/get_stream_id', { stream: channel }))['stream_id'])
    for (const topic of ['plain', 'chosen'])
      await owner.call('POST', '/messages', { type: 'stream', to: channel, topic, content: 'hello' })
  }
  await owner.call('POST', '/messages', { type: 'direct', to: [ann.id], content: 'hello' })
  const choose = async (channel: string, topic: string, visibility_policy: number): Promise<unknown> =>
    ann.call('POST', '/user_topics', { stream_id: ids.get(channel) ?? 0, topic, visibility_policy })
  const mute = async (channel: string, is_muted: boolean): Promise<unknown> =>
    ann.call('PATCH', `/users/me/subscriptions/${ids.get(channel)}`, { property: 'is_muted', value: is_muted })

  const count = async (): Promise<unknown> => (await ann.register()).state.unread_msgs.count
  expect(await count()).toBe(5)
  await choose('loud', 'chosen', 1)
  expect(await count()).toBe(4)
  await mute('quiet', true)
  expect(await count()).toBe(2)
  for (const [policy, wanted] of [
    [2, 3],
    [0, 2],
    [3, 3],
  ] as const) {
    await choose('quiet', 'CHOSEN', policy)
    expect(await count()).toBe(wanted)
  }
  for (const [channel, topic] of [
    ['loud', 'chosen'],
    ['quiet', 'plain'],
    ['quiet', 'chosen'],
  ] as const)
    await owner.call('POST', '/messages', { type: 'stream', to: channel, topic, content: 'again' })
  expect(await count()).toBe(4)
  await ann.call('POST', '/mark_stream_as_read', { stream_id: ids.get('quiet') ?? 0 })
  expect(await count()).toBe(2)
  await choose('loud', 'chosen', 0)
  await mute('quiet', false)
  expect(await count()).toBe(4)
})
