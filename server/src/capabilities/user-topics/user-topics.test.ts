import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { ALL_CAPABILITIES, type Body, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { USER_TOPIC_LIMIT } from './contract.ts'

const server = useTestServer()

async function channelIdOf(user: TestUser, name: string): Promise<number> {
  return (await user.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

async function setPolicy(user: TestUser, streamId: number, topic: string, policy: unknown): Promise<Body> {
  const parameters = { stream_id: streamId, topic, visibility_policy: policy }
  const { status, body } = await user.try('POST', '/user_topics', parameters)
  return { status, ...body }
}

async function policiesOf(user: TestUser, more: Body = {}): Promise<unknown[]> {
  const { state } = await user.register({ fetch_event_types: ['user_topic'], ...more })
  return state.user_topics.map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy])
}

const OLDER_CLIENT = { event_types: ['muted_topics'], fetch_event_types: ['muted_topics'] }

it("mutes, unmutes, and follows topics for a person and notifies only that person's clients", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'])
  const streamId = await channelIdOf(ann, 'news')
  const [own, others] = [await ann.register(), await owner.register()]
  for (const policy of [1, 2, 3, 0]) {
    expect(await setPolicy(ann, streamId, 'hello', policy)).toMatchObject({ status: 200 })
    expect(await own.events()).toMatchObject([
      { type: 'user_topic', stream_id: streamId, topic_name: 'hello', visibility_policy: policy },
    ])
    expect(await policiesOf(ann)).toEqual(policy === 0 ? [] : [['hello', policy]])
    // Choosing the same policy again sends no events.
    expect(await setPolicy(ann, streamId, ' HELLO ', policy)).toMatchObject({ status: 200 })
  }
  expect(await own.events()).toEqual([])
  expect(await others.events()).toEqual([])
  expect(await policiesOf(owner)).toEqual([])
})

it('treats unmuted and followed topics as not muted in a narrow, even in a muted channel', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const streamId = await channelIdOf(owner, 'news')
  const topics = ['plain', 'unmuted', 'followed', 'muted']
  for (const [index, policy] of [0, 2, 3, 1].entries()) {
    await owner.send('news', topics[index] ?? '', 'x')
    await setPolicy(owner, streamId, topics[index] ?? '', policy)
  }
  const findMuted = async (negated: boolean): Promise<unknown[]> => {
    const narrow = [{ operator: 'is', operand: 'muted', negated }]
    const { messages } = await owner.call('GET', '/messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 10,
      narrow,
    })
    return messages.map(({ subject }) => subject)
  }
  expect([await findMuted(true), await findMuted(false)]).toEqual([['plain', 'unmuted', 'followed'], ['muted']])
  await owner.call('PATCH', `/users/me/subscriptions/${streamId}`, { property: 'is_muted', value: true })
  expect([await findMuted(true), await findMuted(false)]).toEqual([
    ['unmuted', 'followed'],
    ['plain', 'muted'],
  ])
})

it('spells a topic as its messages do or, if it has no messages, as its first policy does', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const streamId = await channelIdOf(owner, 'news')
  await owner.send('news', 'Hello', 'one')
  await setPolicy(owner, streamId, 'HELLO', 1)
  await setPolicy(owner, streamId, 'Plans', 1)
  await setPolicy(owner, streamId, 'plans', 3)
  expect(await policiesOf(owner)).toEqual([
    ['Hello', 1],
    ['Plans', 3],
  ])
})

it('does not reveal the spelling of a hidden topic in protected history', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['club'], { invite_only: true, history_public_to_subscribers: false })
  await owner.send('club', 'SECRET Plans', 'before Ann')
  await owner.subscribe(['club'], { principals: [ann.id] })
  const streamId = await channelIdOf(ann, 'club')
  const look = await watch({ ann }, { event_types: ['user_topic'] })
  await setPolicy(ann, streamId, 'secret plans', 3)
  expect(await look()).toMatchObject({ ann: [{ topic_name: 'secret plans', visibility_policy: 3 }] })
  expect(await policiesOf(ann)).toEqual([['secret plans', 3]])
})

it('accepts the empty topic under each of its names', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const streamId = await channelIdOf(owner, 'news')
  const { empty_topic_name: _, ...rest } = ALL_CAPABILITIES
  const older = await owner.register({ client_capabilities: rest })
  const newer = await owner.register()
  await setPolicy(owner, streamId, 'general chat', 1)
  expect(await setPolicy(owner, streamId, '', 1)).toMatchObject({ status: 200 })
  expect(await setPolicy(owner, streamId, '(no topic)', 1)).toMatchObject({ status: 200 })
  expect(await older.events()).toMatchObject([{ type: 'user_topic', topic_name: 'general chat' }])
  expect(await newer.events()).toMatchObject([{ type: 'user_topic', topic_name: '' }])
  expect(await policiesOf(owner)).toEqual([['', 1]])
  expect(await policiesOf(owner, { client_capabilities: rest })).toEqual([['general chat', 1]])
})

it('sends older clients the list of muted topics', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const streamId = await channelIdOf(owner, 'news')
  const older = await owner.register(OLDER_CLIENT)
  expect(older.state['muted_topics']).toEqual([])
  await setPolicy(owner, streamId, 'hello', 1)
  await setPolicy(owner, streamId, 'other', 3)
  const muted = ['news', 'hello', expect.any(Number)]
  expect(await older.events()).toMatchObject([{ type: 'muted_topics', muted_topics: [muted] }])
  expect((await owner.register(OLDER_CLIENT)).state['muted_topics']).toEqual([muted])
  await setPolicy(owner, streamId, 'hello', 2)
  expect(await older.events()).toMatchObject([{ type: 'muted_topics', muted_topics: [] }])
})

it('lets older clients mute topics by channel ID or name', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const streamId = await channelIdOf(owner, 'news')
  const mute = async (parameters: Body): Promise<number> =>
    (await owner.try('PATCH', '/users/me/subscriptions/muted_topics', parameters)).status
  expect(await mute({ stream_id: streamId, topic: 'hello', op: 'add' })).toBe(200)
  expect(await mute({ stream: 'NEWS', topic: 'other', op: 'add' })).toBe(200)
  expect(await mute({ stream: 'news', topic: 'other', op: 'add' })).toBe(200)
  await setPolicy(owner, streamId, 'followed', 3)
  expect(await policiesOf(owner)).toHaveLength(3)
  expect(await mute({ stream: 'news', topic: 'hello', op: 'remove' })).toBe(200)
  // Removing a mute does not affect other policies.
  expect(await mute({ stream: 'news', topic: 'followed', op: 'remove' })).toBe(200)
  expect(await mute({ stream: 'news', topic: 'nothing', op: 'remove' })).toBe(200)
  expect(await policiesOf(owner)).toEqual(
    expect.arrayContaining([
      ['other', 1],
      ['followed', 3],
    ]),
  )
  expect(await policiesOf(owner)).toHaveLength(2)
  expect(await mute({ topic: 'hello', op: 'add' })).toBe(400)
  expect(await mute({ stream: 'news', stream_id: streamId, topic: 'hello', op: 'add' })).toBe(400)
  expect(await mute({ stream: 'absent', topic: 'hello', op: 'add' })).toBe(400)
  expect(await mute({ stream: 'news', topic: 'hello', op: 'turn' })).toBe(400)
})

it('treats hidden channels as missing and rejects invalid policies and topics', async () => {
  const { owner, user } = await server().organization()
  const [ann, guest] = [await user('Ann'), await user('Gus', { role: 600 })]
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.subscribe(['news'])
  const [secret, news] = [await channelIdOf(owner, 'secret'), await channelIdOf(owner, 'news')]
  for (const [reader, streamId] of [
    [ann, secret],
    [guest, news],
  ] as const) {
    for (const policy of [0, 1, 2, 3]) {
      const hidden = await setPolicy(reader, streamId, 'hello', policy)
      expect(hidden).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
      expect(hidden).toEqual(await setPolicy(reader, 999_999, 'hello', policy))
    }
  }
  for (const policy of [-1, 4, 'muted', true, null]) {
    expect(await setPolicy(owner, news, 'hello', policy)).toMatchObject({ status: 400 })
  }
  expect(await setPolicy(owner, news, '😀'.repeat(60), 1)).toMatchObject({ status: 200 })
  expect(await setPolicy(owner, news, '😀'.repeat(61), 1)).toMatchObject({ status: 400 })
  expect(await setPolicy(owner, news, 'a\nb', 1)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
})

it('omits muted topics of a channel the person can no longer see', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['secret'], { principals: [owner.id, ann.id], invite_only: true })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
  await ann.call('POST', '/user_topics', { stream_id, topic: 'plans', visibility_policy: 1 })
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'], principals: [ann.id] })
  await owner.call('PATCH', `/streams/${String(stream_id)}`, { new_name: 'layoffs' })
  expect((await ann.register(OLDER_CLIENT)).state['muted_topics']).toEqual([])
  await owner.subscribe(['layoffs'], { principals: [ann.id] })
  expect((await ann.register(OLDER_CLIENT)).state['muted_topics']).toEqual([['layoffs', 'plans', expect.any(Number)]])
})

it('sends older clients their muted topics again when a channel with muted topics appears or disappears', async () => {
  const { owner, user } = await server().organization()
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  const principals = [owner.id, ann.id, bob.id]
  await owner.subscribe(['club'], { principals, invite_only: true })
  const streamId = await channelIdOf(ann, 'club')
  await setPolicy(ann, streamId, 'plans', 1)
  await setPolicy(bob, streamId, 'plans', 3)
  const oldest = { ...OLDER_CLIENT, client_capabilities: {} }
  const look = await watch({ ann, bob }, oldest)
  const lookNewer = await watch({ ann }, OLDER_CLIENT)
  const list = (names: readonly string[]): unknown[] =>
    names.map((name): unknown[] => [name, 'plans', expect.any(Number)])
  const event = (names: readonly string[] | null): unknown[] =>
    names === null ? [] : [{ type: 'muted_topics', muted_topics: list(names) }]
  let known: [string[], string[]] = [['club'], ['club']]
  /** Checks the channel names in the events of the older and the newer client; null means no event. */
  const expectEvents = async (old: string[] | null, newer: string[] | null): Promise<void> => {
    expect(await look()).toEqual({ ann: event(old), bob: [] })
    expect(await lookNewer()).toEqual({ ann: event(newer) })
    const reloaded = await Promise.all(
      [oldest, OLDER_CLIENT].map(async (form) => (await ann.register(form)).state['muted_topics']),
    )
    known = [old ?? known[0], newer ?? known[1]]
    expect(reloaded).toEqual(known.map(list))
  }
  await owner.call('PATCH', `/streams/${streamId}`, { description: 'Nothing to do with names' })
  await expectEvents(null, null)
  await owner.call('PATCH', `/streams/${streamId}`, { new_name: 'society' })
  await expectEvents(['society'], ['society'])
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['society'], principals: [ann.id] })
  await expectEvents([], [])
  await owner.call('PATCH', `/streams/${streamId}`, { new_name: 'secret society' })
  await expectEvents(null, null)
  await owner.call('PATCH', `/streams/${streamId}`, { is_private: false })
  await expectEvents(['secret society'], ['secret society'])
  await owner.call('PATCH', `/users/${ann.id}`, { role: 600 })
  await expectEvents([], [])
  await owner.subscribe(['secret society'], { principals: [ann.id] })
  await expectEvents(['secret society'], ['secret society'])
  await owner.call('DELETE', `/streams/${streamId}`)
  await expectEvents([], null)
  await owner.call('PATCH', `/streams/${streamId}`, { new_name: 'closed' })
  await expectEvents(null, ['closed'])
  await owner.call('PATCH', `/streams/${streamId}`, { is_archived: false })
  await expectEvents(['closed'], null)
})

it('sends older clients their muted topics again when a group change shows or hides a channel', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['club'], { principals: [owner.id, ann.id], invite_only: true })
  const streamId = await channelIdOf(ann, 'club')
  await setPolicy(ann, streamId, 'plans', 1)
  const group = { name: 'keepers', description: '', members: [owner.id] }
  const { group_id } = await owner.call('POST', '/user_groups/create', group)
  await owner.call('PATCH', `/streams/${streamId}`, { can_add_subscribers_group: { new: group_id } })
  await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  const look = await watch({ ann, owner }, OLDER_CLIENT)
  const muted = ['club', 'plans', expect.any(Number)]
  for (const [change, muted_topics] of [
    ['add', [muted]],
    ['delete', []],
  ] as const) {
    await owner.call('POST', `/user_groups/${String(group_id)}/members`, { [change]: [ann.id] })
    expect(await look()).toEqual({ ann: [{ type: 'muted_topics', muted_topics }], owner: [] })
    expect((await ann.register(OLDER_CLIENT)).state['muted_topics']).toEqual(muted_topics)
  }
})

it('keeps topic policies of a hidden channel unchanged until it is visible again', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['club'], {
    principals: [owner.id, ann.id],
    invite_only: true,
    history_public_to_subscribers: true,
  })
  const streamId = await channelIdOf(ann, 'club')
  const plans = await owner.send('club', 'Plans', 'one')
  const lunch = await owner.send('club', 'Lunch', 'two')
  await setPolicy(ann, streamId, 'plans', 1)
  await setPolicy(ann, streamId, 'lunch', 3)
  const chosen = await policiesOf(ann)
  expect(chosen).toHaveLength(2)
  await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  const look = await watch({ ann }, { event_types: ['user_topic', 'muted_topics'] })
  const older = await ann.register(OLDER_CLIENT)
  expect(older.state['muted_topics']).toEqual([])
  await owner.call('PATCH', `/messages/${plans}`, { topic: 'Secret plans', propagate_mode: 'change_all' })
  await owner.call('DELETE', `/messages/${lunch}`)
  await owner.send('club', 'LUNCH', 'three')
  expect(await policiesOf(ann)).toEqual(chosen)
  expect([await look(), await older.events()]).toEqual([{ ann: [] }, []])
  await owner.subscribe(['club'], { principals: [ann.id] })
  expect(await policiesOf(ann)).toEqual(chosen)
  expect((await ann.register(OLDER_CLIENT)).state['muted_topics']).toMatchObject([
    ['club', 'Plans', expect.any(Number)],
  ])
})

it('lets a person clear a topic policy in a channel they can no longer see', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['club'], { invite_only: true, principals: [owner.id, ann.id] })
  const streamId = await channelIdOf(owner, 'club')
  await setPolicy(ann, streamId, 'hello', 3)
  await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  expect(await setPolicy(ann, streamId, 'hello', 1)).toMatchObject({ status: 400 })
  expect(await setPolicy(ann, streamId, 'hello', 0)).toMatchObject({ status: 200 })
  expect(await setPolicy(ann, streamId, 'hello', 0)).toMatchObject({ status: 400 })
  expect(await policiesOf(ann)).toEqual([])
})

it('limits how many topic policies a person can have', async () => {
  const { id, owner } = await server().organization()
  await owner.subscribe(['news'])
  const streamId = await channelIdOf(owner, 'news')
  const log = await server().parley.logs.of(id)
  const rows = Array.from({ length: USER_TOPIC_LIMIT.most - 1 }, (_, index) => `topic ${index}`).map((name) => ({
    organization_id: id,
    user_id: owner.id,
    channel_id: streamId,
    name_key: name,
    topic_name: name,
    visibility_policy: 3,
    last_updated: 1,
  }))
  await log.write(async (tx) => {
    for (let at = 0; at < rows.length; at += 5_000) {
      await tx.db
        .insertInto('user_topics')
        .values(rows.slice(at, at + 5_000))
        .execute()
    }
  })
  expect(await setPolicy(owner, streamId, 'the last', 1)).toMatchObject({ status: 200 })
  expect(await setPolicy(owner, streamId, 'one more', 1)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  expect(await setPolicy(owner, streamId, 'the last', 3)).toMatchObject({ status: 200 })
  expect(await setPolicy(owner, streamId, 'the last', 0)).toMatchObject({ status: 200 })
  expect(await setPolicy(owner, streamId, 'one more', 1)).toMatchObject({ status: 200 })
})
