import { describe, expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, Parameters, TestUser } from '../../testing/user.ts'
import { MAX_CONVERSATIONS_PER_FETCH, MAX_MESSAGES_READ_FOR_SENDERS, MAX_UNREAD_COUNTED } from './contract.ts'

const server = useTestServer()

const ANY_NUMBER: unknown = expect.any(Number)

async function recentConversations(user: TestUser, asked: Parameters = {}): Promise<Body[]> {
  const { conversations } = await user.call('GET', '/recent', asked)
  return conversations
}

/** Returns topics by name, and direct conversations by the other users' IDs. */
async function namesOf(user: TestUser, asked: Parameters = {}): Promise<unknown[]> {
  return (await recentConversations(user, asked)).map((row) => row['topic'] ?? row['user_ids'])
}

async function channelId(user: TestUser, name: string): Promise<number> {
  return (await user.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

async function setTopicPolicy(user: TestUser, channel: string, topic: string, policy: number): Promise<void> {
  const place = { stream_id: await channelId(user, channel), topic }
  await user.call('POST', '/user_topics', { ...place, visibility_policy: policy })
}

describe('listed conversations', () => {
  it('lists topics and direct conversations, newest first, with all their fields', async () => {
    const { owner, user } = await server().organization()
    const [ann, ben] = [await user('Ann'), await user('Ben')]
    await owner.subscribe(['design', 'general'], { principals: [owner.id, ann.id, ben.id] })
    const read = await owner.send('design', 'Logo', 'First')
    const unread = await ben.send('design', 'Logo', 'Second, @**Ann**')
    const direct = await ben.sendTo([ann.id], 'Between **us**')
    const newest = await owner.send('design', 'logo', 'Third & *last*')
    const own = await ann.sendTo([ann.id], 'A note', { read_by_sender: true })
    const designId = await channelId(ann, 'design')
    await ann.call('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' })
    expect(await recentConversations(ann)).toEqual([
      {
        type: 'private',
        user_ids: [],
        max_message_id: own,
        sender_id: ann.id,
        timestamp: ANY_NUMBER,
        snippet: 'A note',
        first_unread_message_id: null,
        unread_count: 0,
        unread_mention_count: 0,
        latest_sender_ids: [ann.id],
        participant_count: 1,
      },
      {
        type: 'stream',
        stream_id: designId,
        topic: 'Logo',
        max_message_id: newest,
        sender_id: owner.id,
        timestamp: ANY_NUMBER,
        snippet: 'Third & last',
        first_unread_message_id: unread,
        unread_count: 2,
        unread_mention_count: 1,
        latest_sender_ids: [owner.id, ben.id],
        participant_count: 2,
      },
      {
        type: 'private',
        user_ids: [ben.id],
        max_message_id: direct,
        sender_id: ben.id,
        timestamp: ANY_NUMBER,
        snippet: 'Between us',
        first_unread_message_id: direct,
        unread_count: 1,
        unread_mention_count: 0,
        latest_sender_ids: [ben.id],
        participant_count: 1,
      },
    ])
  })

  it('pages through conversations, each once, while new messages arrive', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['general'])
    for (let index = 0; index < 7; index += 1) await owner.send('general', `topic ${index}`, 'Hello')
    const first = await owner.call('GET', '/recent', { limit: 3 })
    expect(first['found_oldest']).toBe(false)
    expect(first['conversations'].map(({ topic }) => topic)).toEqual(['topic 6', 'topic 5', 'topic 4'])
    await owner.send('general', 'new', 'Hello')
    const before = first['conversations'].at(-1)?.['max_message_id']
    expect(await namesOf(owner, { limit: 3, before })).toEqual(['topic 3', 'topic 2', 'topic 1'])
    const last = await owner.call('GET', '/recent', { limit: 4, before })
    expect(last).toMatchObject({ found_oldest: true, conversations: [{}, {}, {}, { topic: 'topic 0' }] })
    expect(await owner.call('GET', '/recent', { before: 1 })).toMatchObject({ found_oldest: true, conversations: [] })
  })

  it('counts at most 1,000 unread messages, and lists only senders of the newest 1,000 messages', async () => {
    const { owner, user } = await server().organization()
    const [ann, ben] = [await user('Ann'), await user('Ben')]
    await owner.subscribe(['general'], { principals: [owner.id, ann.id, ben.id] })
    const first = await ben.send('general', 'long', 'First')
    const sends = Array.from({ length: MAX_UNREAD_COUNTED - 1 }, async (_, index) =>
      owner.send('general', 'long', `Message ${index}`),
    )
    await Promise.all(sends)
    const counted = { first_unread_message_id: first, unread_count: MAX_UNREAD_COUNTED }
    expect(await recentConversations(ann)).toMatchObject([{ ...counted, participant_count: 2 }])
    await owner.send('general', 'long', 'One more')
    expect(MAX_MESSAGES_READ_FOR_SENDERS).toBe(MAX_UNREAD_COUNTED)
    expect(await recentConversations(ann)).toMatchObject([
      { ...counted, participant_count: 1, latest_sender_ids: [owner.id] },
    ])
  })

  it('returns the empty topic under the name that each client expects', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['general'])
    await owner.send('general', '', 'Hello')
    expect(await namesOf(owner, { allow_empty_topic_name: true })).toEqual([''])
    expect(await namesOf(owner)).toEqual(['general chat'])
  })
})

describe('conversation filters', () => {
  it('filters conversations by unread, unresolved, followed, and participated', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
    const settings = { automatically_follow_topics_policy: 4, automatically_unmute_topics_in_muted_streams_policy: 4 }
    await ann.call('PATCH', '/settings', settings)
    const read = await owner.send('general', 'read', 'Hello')
    await owner.send('general', '✔ resolved', 'Hello')
    await owner.send('general', 'own', 'Hello')
    await ann.send('general', 'own', 'Hello', { read_by_sender: true })
    await owner.sendTo([ann.id], 'Hello')
    await owner.send('general', 'followed', 'Hello')
    await ann.call('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' })
    await setTopicPolicy(ann, 'general', 'FOLLOWED', 3)
    const others = [owner.id]
    expect(await namesOf(ann)).toEqual(['followed', others, 'own', '✔ resolved', 'read'])
    expect(await namesOf(ann, { unread: true })).toEqual(['followed', others, 'own', '✔ resolved'])
    expect(await namesOf(ann, { participated: true })).toEqual(['own'])
    expect(await namesOf(ann, { unresolved: true })).toEqual(['followed', others, 'own', 'read'])
    expect(await namesOf(ann, { followed: true })).toEqual(['followed'])
    expect(await namesOf(ann, { unread: true, unresolved: true, participated: true })).toEqual(['own'])
    await ann.call('POST', '/mark_all_as_read')
    expect(await namesOf(ann, { unread: true })).toEqual([])
  })

  it('omits muted conversations unless requested or in a requested muted channel', async () => {
    const { owner, user } = await server().organization()
    const [ann, ben] = [await user('Ann'), await user('Ben')]
    await owner.subscribe(['general', 'noise'], { principals: [owner.id, ann.id] })
    const noise = await channelId(ann, 'noise')
    await owner.send('general', 'muted', 'Hello')
    await owner.send('general', 'heard', 'Hello')
    await owner.send('noise', 'rest', 'Hello')
    await owner.send('noise', 'unmuted', 'Hello')
    await owner.send('noise', 'followed', 'Hello')
    await ben.sendTo([ann.id], 'Hello')
    await ben.sendTo([ann.id, owner.id], 'Hello')
    await setTopicPolicy(ann, 'general', 'muted', 1)
    await setTopicPolicy(ann, 'noise', 'unmuted', 2)
    await setTopicPolicy(ann, 'noise', 'followed', 3)
    const data = [{ stream_id: noise, property: 'is_muted', value: true }]
    await ann.call('POST', '/users/me/subscriptions/properties', { subscription_data: data })
    await ann.call('POST', `/users/me/muted_users/${ben.id}`)
    const both = [owner.id, ben.id].toSorted((a, b) => a - b)
    expect(await namesOf(ann)).toEqual([both, 'followed', 'unmuted', 'heard'])
    expect(await namesOf(ann, { muted: true })).toEqual([
      both,
      [ben.id],
      'followed',
      'unmuted',
      'rest',
      'heard',
      'muted',
    ])
    expect(await namesOf(ann, { channel_id: noise })).toEqual(['followed', 'unmuted', 'rest'])
    const general = await channelId(ann, 'general')
    expect(await namesOf(ann, { channel_id: general })).toEqual(['heard'])
    expect(await namesOf(ann, { channel_id: general, muted: true })).toEqual(['heard', 'muted'])
  })

  it('lists the topics of a public channel for people who request it without being subscribed', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    await owner.subscribe(['general'])
    await owner.send('general', 'talk', 'Hello')
    expect(await recentConversations(ann)).toEqual([])
    const general = await channelId(ann, 'general')
    const shown = { topic: 'talk', unread_count: 0, first_unread_message_id: null, participant_count: 1 }
    expect(await recentConversations(ann, { channel_id: general })).toMatchObject([shown])
    expect(await recentConversations(ann, { channel_id: general, unread: true })).toEqual([])
  })
})

describe('hidden conversations', () => {
  it('treats hidden channels as missing in recent conversations', async () => {
    const { owner, user } = await server().organization()
    const [ann, guest] = [await user('Ann'), await user('Gus', { role: ROLE.guest })]
    await owner.subscribe(['secret'], { invite_only: true })
    await owner.subscribe(['public'])
    const [secret, open] = [await channelId(owner, 'secret'), await channelId(owner, 'public')]
    for (const name of ['secret', 'public']) await owner.send(name, 'talk', 'Hello')
    const stranger = await (await server().organization()).user('Stranger')
    const refused = await ann.try('GET', '/recent', { channel_id: 999_999 })
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', msg: 'Invalid channel ID' } })
    for (const [who, channel] of [
      [ann, secret],
      [guest, secret],
      [guest, open],
      [stranger, open],
    ] as const) {
      const { status, body } = await who.try('GET', '/recent', { channel_id: channel })
      expect([status, body]).toEqual([refused.status, refused.body])
    }
    for (const who of [ann, guest, stranger]) expect(await recentConversations(who, { muted: true })).toEqual([])
  })

  it('does not list a private channel that the person left', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    await owner.subscribe(['secret'], {
      principals: [owner.id, ann.id],
      invite_only: true,
      history_public_to_subscribers: true,
    })
    await owner.send('secret', 'talk', 'Hello @**Ann**')
    await ann.send('secret', 'talk', 'Hello')
    for (const filters of [{}, { unread: true }, { participated: true }]) {
      expect(await namesOf(ann, filters)).toEqual(['talk'])
    }
    await setTopicPolicy(ann, 'secret', 'talk', 3)
    await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'], principals: [ann.id] })
    for (const filters of [{}, { unread: true }, { participated: true }, { followed: true }, { muted: true }]) {
      expect(await recentConversations(ann, filters)).toEqual([])
    }
  })

  it('when listing topics with protected history, ignores messages sent before the reader subscribed', async () => {
    const { owner, user } = await server().organization()
    const [ann, ben] = [await user('Ann'), await user('Ben')]
    await owner.subscribe(['secret'], {
      principals: [owner.id, ben.id],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    await ben.send('secret', 'before', 'Hidden @**all**')
    await ben.send('secret', 'both', 'Hidden')
    await owner.subscribe(['secret'], { principals: [ann.id] })
    const seen = await owner.send('secret', 'Both', 'Seen')
    const rested = await ann.send('secret', 'rested', 'Seen', { read_by_sender: true })
    await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'] })
    await ben.send('secret', 'rested', 'Hidden')
    await ben.send('secret', 'between', 'Hidden')
    await owner.subscribe(['secret'], { principals: [ann.id] })
    const back = await owner.send('secret', 'back', 'Seen')
    const rows = await recentConversations(ann)
    expect(rows).toMatchObject([
      { topic: 'back', max_message_id: back, unread_count: 1 },
      { topic: 'rested', max_message_id: rested, sender_id: ann.id, participant_count: 1, latest_sender_ids: [ann.id] },
      { topic: 'Both', max_message_id: seen, participant_count: 1, unread_count: 0, unread_mention_count: 0 },
    ])
    expect(await namesOf(ann, { limit: 1, before: back })).toEqual(['rested'])
    expect(await namesOf(ann, { before: rested })).toEqual(['Both'])
    expect(await namesOf(ann, { participated: true })).toEqual(['rested'])
    expect(await namesOf(ann, { unread: true })).toEqual(['back'])
    const secret = await channelId(ann, 'secret')
    expect(await namesOf(ann, { channel_id: secret })).toEqual(['back', 'rested', 'Both'])
  })
})

describe('changed conversations', () => {
  it('updates recent conversations when messages are moved or deleted or topics are renamed', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    await owner.subscribe(['general', 'other'], { principals: [owner.id, ann.id] })
    const first = await owner.send('general', 'one', 'First', { read_by_sender: true })
    const second = await owner.send('general', 'one', 'Second', { read_by_sender: true })
    const third = await owner.send('general', 'two', 'Third', { read_by_sender: true })
    const quietly = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }
    const move = async (id: number, to: Body): Promise<Body> =>
      owner.call('PATCH', `/messages/${id}`, { ...to, ...quietly })
    await move(second, { topic: 'two', propagate_mode: 'change_one' })
    expect(await recentConversations(ann)).toMatchObject([
      { topic: 'two', max_message_id: third, unread_count: 2, first_unread_message_id: second },
      { topic: 'one', max_message_id: first, unread_count: 1 },
    ])
    await move(third, { stream_id: await channelId(owner, 'other'), propagate_mode: 'change_all' })
    await move(first, { topic: 'renamed', propagate_mode: 'change_all' })
    expect(await namesOf(ann, { channel_id: await channelId(ann, 'other') })).toEqual(['two'])
    expect(await namesOf(ann)).toEqual(['two', 'renamed'])
    await owner.call('DELETE', `/messages/${third}`)
    expect(await recentConversations(ann)).toMatchObject([
      { topic: 'two', max_message_id: second, snippet: 'Second' },
      {},
    ])
    await owner.call('DELETE', `/messages/${second}`)
    const direct = await owner.sendTo([ann.id], 'Oops')
    expect(await namesOf(ann)).toEqual([[owner.id], 'renamed'])
    await owner.call('DELETE', `/messages/${direct}`)
    expect(await namesOf(ann)).toEqual(['renamed'])
  })

  it('lists no recent conversations of other organizations', async () => {
    const [one, other] = [await server().organization(), await server().organization()]
    for (const { owner } of [one, other]) await owner.subscribe(['general'])
    await one.owner.send('general', 'ours', 'Hello')
    await other.owner.send('general', 'theirs', 'Hello')
    expect(await namesOf(one.owner)).toEqual(['ours'])
    expect(await namesOf(other.owner, { unread: false, muted: true })).toEqual(['theirs'])
  })
})

it('rejects invalid parameters for recent conversations, and accepts the largest limit', async () => {
  const { owner } = await server().organization()
  for (const asked of [
    { limit: 0 },
    { limit: MAX_CONVERSATIONS_PER_FETCH + 1 },
    { limit: 'many' },
    { before: 0 },
    { before: 'newest' },
    { unread: 'maybe' },
    { channel_id: 'general' },
  ]) {
    const { status, body } = await owner.try('GET', '/recent', asked)
    expect([asked, status, body['code']]).toEqual([asked, 400, 'REQUEST_VARIABLE_INVALID'])
  }
  expect(await recentConversations(owner, { limit: MAX_CONVERSATIONS_PER_FETCH })).toEqual([])
  const { body } = await owner.try('GET', '/recent', { snippets: true })
  expect(body['ignored_parameters_unsupported']).toEqual(['snippets'])
})
