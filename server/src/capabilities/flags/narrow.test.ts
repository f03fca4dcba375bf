import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { channelByName } from '../channels/queries/index.ts'
import { prepareNotice, postMessages } from '../messages/actions/post.ts'

const server = useTestServer()

async function createScene(): Promise<{ owner: TestUser; ann: TestUser; sent: number[]; news: number }> {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news', 'work'], { principals: [owner.id, ann.id] })
  const sent: number[] = []
  for (let index = 0; index < 6; index += 1) {
    sent.push(await owner.send(index < 4 ? 'news' : 'work', index % 2 === 0 ? 'even' : 'odd', `Message ${index}`))
  }
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
  return { owner, ann, sent, news: stream_id }
}

async function unreadOf(user: TestUser): Promise<number[]> {
  const { messages } = await user.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [['is', 'unread']],
  })
  return messages.map(({ id }) => id)
}

it('flags messages in a narrow around an anchor and reports the range', async () => {
  const { owner, ann, sent } = await createScene()
  const [own, others] = [await ann.register(), await owner.register()]
  const mark = (parameters: Body): Promise<Body> =>
    ann.call('POST', '/messages/flags/narrow', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 10,
      narrow: [['channel', 'news']],
      op: 'add',
      flag: 'read',
      ...parameters,
    })
  expect(await mark({ anchor: sent[1], num_before: 1, num_after: 1, include_anchor: false })).toMatchObject({
    processed_count: 2,
    updated_count: 2,
    first_processed_id: sent[0],
    last_processed_id: sent[2],
    found_oldest: true,
    found_newest: false,
  })
  expect(await unreadOf(ann)).toEqual([sent[1], sent[3], sent[4], sent[5]])
  expect(await mark({})).toMatchObject({
    processed_count: 4,
    updated_count: 2,
    first_processed_id: sent[0],
    last_processed_id: sent[3],
    found_oldest: true,
    found_newest: true,
  })
  expect(await mark({})).toMatchObject({ processed_count: 4, updated_count: 0 })
  expect(await mark({ narrow: [['topic', 'absent']] })).toMatchObject({
    processed_count: 0,
    updated_count: 0,
    first_processed_id: null,
    last_processed_id: null,
  })
  expect(await own.events()).toMatchObject([
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: [sent[0], sent[2]], all: false },
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: [sent[1], sent[3]], all: false },
  ])
  expect(await mark({ op: 'remove', narrow: [] })).toMatchObject({ processed_count: 6, updated_count: 4 })
  expect(await unreadOf(ann)).toEqual(sent)
  expect(await mark({ flag: 'starred' })).toMatchObject({ processed_count: 4, updated_count: 4 })
  expect(await mark({ flag: 'starred', op: 'remove', anchor: 'first_unread', num_after: 1 })).toMatchObject({
    processed_count: 2,
    updated_count: 2,
  })
  const { state } = await ann.register()
  expect(state['starred_messages']).toEqual([sent[2], sent[3]])
  expect(await own.events()).toMatchObject([
    { op: 'remove', flag: 'read', messages: sent.slice(0, 4) },
    { op: 'add', flag: 'starred', messages: sent.slice(0, 4) },
    { op: 'remove', flag: 'starred', messages: sent.slice(0, 2) },
  ])
  expect(await others.events()).toEqual([])
})

it('flags at most 5,000 messages around the anchor and reports that more exist', async () => {
  const { id: organizationId, owner } = await server().organization()
  await owner.subscribe(['flood'])
  const log = await server().parley.logs.of(organizationId)
  const sent = await log.write(async (tx) => {
    const channel = channelByName(tx.organization, 'flood')
    if (channel === undefined) throw new Error('no such channel')
    const post = await prepareNotice(tx, server().parley.facts, { channel, topic: 'hello' }, 'One of many')
    return postMessages(
      tx,
      Array.from({ length: 5_003 }, () => post),
    )
  })
  const [first, second] = sent
  const mark = (parameters: Body): Promise<Body> =>
    owner.call('POST', '/messages/flags/narrow', { narrow: [], op: 'add', flag: 'starred', ...parameters })
  expect(await mark({ anchor: 'newest', num_before: 5_001, num_after: 0 })).toMatchObject({
    processed_count: 5_000,
    updated_count: 5_000,
    first_processed_id: sent[3],
    last_processed_id: sent.at(-1),
    found_oldest: false,
    found_newest: true,
  })
  // The anchor counts in addition to the messages around it.
  expect(await mark({ anchor: first, num_before: 1, num_after: 1_000_000 })).toMatchObject({
    processed_count: 5_000,
    updated_count: 3,
    first_processed_id: first,
    last_processed_id: sent[4_999],
    found_oldest: true,
    found_newest: false,
  })
  expect(await mark({ anchor: sent[5_001], num_before: 5_000, num_after: 5_000, op: 'remove' })).toMatchObject({
    processed_count: 5_001,
    updated_count: 5_001,
    first_processed_id: second,
    last_processed_id: sent[5_001],
    found_newest: false,
  })
  expect((await owner.register()).state['starred_messages']).toEqual([first, sent[5_002]])
  const { messages, found_oldest } = await owner.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 5_000,
    num_after: 0,
    narrow: [['channel', 'flood']],
  })
  expect(messages.map(({ id }) => id)).toEqual(sent.slice(3))
  expect(found_oldest).toBe(false)
})

it('flags all messages if fewer exist than requested, and rejects invalid narrows', async () => {
  const { owner, ann, sent } = await createScene()
  await owner.subscribe(['open'])
  const open = await owner.send('open', 'a', 'one')
  const { stream_id: openId } = await owner.call('GET', '/get_stream_id', { stream: 'open' })
  const queue = await ann.register()
  const base = { anchor: 'newest', num_before: 1_000_000, num_after: 1_000_000, op: 'remove', flag: 'read', narrow: [] }
  expect(await ann.call('POST', '/messages/flags/narrow', { ...base, narrow: [['channel', 'open']] })).toMatchObject({
    processed_count: 1,
    updated_count: 0,
    first_processed_id: open,
    ignored_because_not_subscribed_channels: [openId],
  })
  expect(await ann.call('POST', '/messages/flags/narrow', { ...base, op: 'add' })).toMatchObject({
    processed_count: sent.length,
    updated_count: sent.length,
  })
  expect(await queue.events()).toHaveLength(1)
  for (const [parameters, code] of [
    [{ flag: 'mentioned' }, 'BAD_REQUEST'],
    [{ narrow: [['channel', 'absent']] }, 'BAD_NARROW'],
    [{ anchor: 'sometime' }, 'REQUEST_VARIABLE_INVALID'],
    [{ anchor: 'date' }, 'REQUEST_VARIABLE_MISSING'],
    [{ num_before: -1 }, 'REQUEST_VARIABLE_INVALID'],
    [{ op: 'toggle' }, 'REQUEST_VARIABLE_INVALID'],
  ] as const) {
    const { status, body } = await ann.try('POST', '/messages/flags/narrow', { ...base, ...parameters })
    expect([parameters, status, body['code']]).toEqual([parameters, 400, code])
  }
  expect(await queue.events()).toEqual([])
})

it('counts only messages that became unread, not messages sent before the reader subscribed', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'])
  const before = await owner.send('news', 'hello', 'one')
  await owner.subscribe(['news'], { principals: [ann.id] })
  const since = await owner.send('news', 'hello', 'two')
  const mark = (op: string): Promise<Body> =>
    ann.call('POST', '/messages/flags/narrow', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 10,
      narrow: [
        ['channel', 'news'],
        ['topic', 'hello'],
      ],
      op,
      flag: 'read',
    })
  const range = { processed_count: 2, first_processed_id: before, last_processed_id: since }
  expect(await mark('add')).toMatchObject({ ...range, updated_count: 1 })
  const queue = await ann.register()
  expect(await mark('remove')).toMatchObject({ ...range, updated_count: 1 })
  expect(await queue.events()).toMatchObject([{ op: 'remove', flag: 'read', messages: [since] }])
  expect(await mark('remove')).toMatchObject({ ...range, updated_count: 0 })
  expect(await queue.events()).toEqual([])
})

it('marks all messages as read for one person', async () => {
  const { owner, ann, sent } = await createScene()
  const direct = await owner.sendTo([ann.id], 'direct')
  const [own, others] = [await ann.register(), await owner.register()]
  expect(await unreadOf(ann)).toEqual([...sent, direct])
  expect(await ann.call('POST', '/mark_all_as_read')).toMatchObject({ complete: true })
  expect(await unreadOf(ann)).toEqual([])
  expect(await own.events()).toMatchObject([
    { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: [], all: true },
  ])
  expect(await others.events()).toEqual([])
  const later = await owner.send('news', 'even', 'later')
  expect(await unreadOf(ann)).toEqual([later])
  await ann.call('POST', '/messages/flags', { messages: [sent[0]], op: 'remove', flag: 'read' })
  expect(await unreadOf(ann)).toEqual([sent[0], later])
})

it('marks a channel or topic as read and sends the message IDs', async () => {
  const { owner, ann, sent, news } = await createScene()
  const [own, others] = [await ann.register(), await owner.register()]
  await ann.call('POST', '/mark_topic_as_read', { stream_id: news, topic_name: 'EVEN' })
  expect(await unreadOf(ann)).toEqual([sent[1], sent[3], sent[4], sent[5]])
  await ann.call('POST', '/mark_stream_as_read', { stream_id: news })
  await ann.call('POST', '/mark_stream_as_read', { stream_id: news })
  expect(await unreadOf(ann)).toEqual([sent[4], sent[5]])
  expect(await own.events()).toMatchObject([
    { op: 'add', flag: 'read', messages: [sent[0], sent[2]], all: false },
    { op: 'add', flag: 'read', messages: [sent[1], sent[3]], all: false },
  ])
  expect(await others.events()).toEqual([])
})

it('treats a hidden channel as missing when marking it as read', async () => {
  const { owner, ann, news } = await createScene()
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.send('secret', 'plans', 'one')
  const { stream_id: secret } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
  const attempt = async (path: string, parameters: Body): Promise<unknown> => {
    const { status, body } = await ann.try('POST', path, parameters)
    return [status, body]
  }
  const absent = await attempt('/mark_stream_as_read', { stream_id: 999_999 })
  expect(absent).toMatchObject([400, { code: 'BAD_REQUEST' }])
  expect(await attempt('/mark_stream_as_read', { stream_id: secret })).toEqual(absent)
  expect(await attempt('/mark_topic_as_read', { stream_id: secret, topic_name: 'plans' })).toEqual(absent)
  expect(await attempt('/mark_topic_as_read', { stream_id: news, topic_name: 'absent' })).toMatchObject([
    400,
    { code: 'BAD_REQUEST' },
  ])
})

it('refuses to mark a topic as read if the reader can read none of its messages', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['club'], { invite_only: true, history_public_to_subscribers: false })
  await owner.send('club', 'before', 'one')
  await owner.subscribe(['club'], { principals: [ann.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'club' })
  const attempt = async (topic_name: string): Promise<unknown> =>
    (await ann.try('POST', '/mark_topic_as_read', { stream_id, topic_name })).body['code']
  expect([await attempt('before'), await attempt('absent')]).toEqual(['BAD_REQUEST', 'BAD_REQUEST'])
})
