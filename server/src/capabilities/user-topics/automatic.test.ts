import { expect, it } from 'vitest'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { userById, usersProjection } from '../users/queries/index.ts'

const server = useTestServer()

const POLICY_TRIGGER = { participation: 1, send: 2, initiation: 3, never: 4 }

async function changeSettings(organization: TestOrganization, user: TestUser, settings: Body): Promise<void> {
  const log = await server().parley.logs.of(organization.id)
  await log.write(async (tx) => {
    const row = userById(tx.organization, user.id)
    if (row === undefined) throw new Error('no such user')
    await tx.db
      .updateTable('users')
      .set({ settings: JSON.stringify(settings) })
      .where('organization_id', '=', organization.id)
      .where('id', '=', user.id)
      .execute()
    tx.change(usersProjection, { ...row, settings })
  })
}

async function policyAfterSending(user: TestUser, topic: string, more: Body = {}): Promise<unknown> {
  const answer = await user.call('POST', '/messages', { type: 'stream', to: 'news', topic, content: 'Hello', ...more })
  return answer['automatic_new_visibility_policy']
}

async function policiesOf(user: TestUser): Promise<unknown[]> {
  const { state } = await user.register({ fetch_event_types: ['user_topic'] })
  return state.user_topics.map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy])
}

async function newsId(user: TestUser): Promise<unknown> {
  return (await user.call('GET', '/get_stream_id', { stream: 'news' }))['stream_id']
}

it('makes the person who starts a topic follow the topic, and notifies only that person', async () => {
  const { owner, user } = await server().organization()
  const [ann, bot] = [await user('Ann'), await user('Robot', { bot: {} })]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id, bot.id] })
  const [own, others] = [await owner.register(), await ann.register()]
  expect(await policyAfterSending(owner, 'hello')).toBe(3)
  expect(await policyAfterSending(owner, 'HELLO')).toBeUndefined()
  expect(await policyAfterSending(ann, 'hello')).toBeUndefined()
  expect(await policyAfterSending(bot, 'from a program')).toBeUndefined()
  const types = async (queue: typeof own): Promise<unknown[]> =>
    (await queue.events()).map((event) => event['type']).filter((type) => type !== 'stream')
  expect(await types(own)).toEqual(['message', 'user_topic', 'message', 'message', 'message'])
  expect(await types(others)).toEqual(['message', 'message', 'message', 'message'])
  expect(await policiesOf(owner)).toEqual([['hello', 3]])
  expect(await policiesOf(ann)).toEqual([])
})

it('keeps a topic policy chosen before the topic started', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const stream_id = await newsId(owner)
  await owner.call('POST', '/user_topics', { stream_id, topic: 'hello', visibility_policy: 1 })
  expect(await policyAfterSending(owner, 'hello')).toBeUndefined()
  expect(await policiesOf(owner)).toEqual([['hello', 1]])
})

it('makes people follow a topic when they react or send a message there, if their settings say so', async () => {
  const organization = await server().organization()
  const { owner, user } = organization
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const first = await owner.send('news', 'hello', 'one')
  await owner.send('news', 'other', 'two')
  const react = async (emoji_name: string): Promise<unknown> =>
    ann.call('POST', `/messages/${first}/reactions`, { emoji_name })
  for (const [setting, reacting] of [
    ['never', 0],
    ['initiation', 0],
    ['send', 0],
    ['participation', 3],
  ] as const) {
    await changeSettings(organization, ann, { automatically_follow_topics_policy: POLICY_TRIGGER[setting] })
    await react(['tada', 'heart', 'dog', 'cat'][POLICY_TRIGGER[setting] - 1] ?? '')
    expect(await policiesOf(ann)).toEqual(reacting === 0 ? [] : [['hello', 3]])
  }
  for (const [setting, policy] of [
    ['never', undefined],
    ['initiation', undefined],
    ['send', 3],
    ['participation', 3],
  ] as const) {
    await changeSettings(organization, ann, { automatically_follow_topics_policy: POLICY_TRIGGER[setting] })
    const stream_id = await newsId(ann)
    await ann.call('POST', '/user_topics', { stream_id, topic: 'other', visibility_policy: 1 })
    expect([setting, await policyAfterSending(ann, 'other')]).toEqual([setting, policy])
    expect([setting, await policyAfterSending(ann, 'other')]).toEqual([setting, undefined])
    await ann.call('POST', '/user_topics', { stream_id, topic: 'other', visibility_policy: 0 })
  }
})

it('changes no topic policy when a client sends the same message again', async () => {
  const organization = await server().organization()
  const { owner } = organization
  await changeSettings(organization, owner, { automatically_follow_topics_policy: POLICY_TRIGGER.send })
  await owner.subscribe(['news'])
  const queue = await owner.register()
  const local = { queue_id: queue.id, local_id: '1' }
  expect(await policyAfterSending(owner, 'hello', local)).toBe(3)
  await owner.call('POST', '/user_topics', {
    stream_id: await newsId(owner),
    topic: 'hello',
    visibility_policy: 0,
  })
  expect(await policyAfterSending(owner, 'hello', local)).toBeUndefined()
  expect(await policiesOf(owner)).toEqual([])
})

it('unmutes or follows a topic in a muted channel when a person sends a message there', async () => {
  const organization = await server().organization()
  const { owner, user } = organization
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  await owner.send('news', 'hello', 'one')
  const stream_id = await newsId(ann)
  expect(await policyAfterSending(ann, 'hello')).toBeUndefined()
  await ann.call('PATCH', `/users/me/subscriptions/${String(stream_id)}`, { property: 'is_muted', value: true })
  // A higher policy is never lowered.
  for (const before of [0, 1, 2, 3]) {
    await ann.call('POST', '/user_topics', { stream_id, topic: 'hello', visibility_policy: before })
    expect([before, await policyAfterSending(ann, 'hello')]).toEqual([before, before < 2 ? 2 : undefined])
  }
  expect(await policiesOf(ann)).toEqual([['hello', 3]])
  expect(await policyAfterSending(ann, 'begun by Ann')).toBe(3)
  await changeSettings(organization, ann, { automatically_unmute_topics_in_muted_streams_policy: POLICY_TRIGGER.never })
  await owner.send('news', 'other', 'two')
  expect(await policyAfterSending(ann, 'other')).toBeUndefined()
})

it('makes mentioned people follow the topic unless their settings disable following', async () => {
  const organization = await server().organization()
  const { owner, user } = organization
  const [ann, bob, cleo, otto] = [await user('Ann'), await user('Bob'), await user('Cleo'), await user('Otto')]
  const bot = await user('Robot', { bot: {} })
  const everybody = [owner, ann, bob, cleo, bot]
  await owner.subscribe(['news'], { principals: everybody.map(({ id }) => id) })
  await changeSettings(organization, bob, { automatically_follow_topics_where_mentioned: false })
  await ann.call('POST', '/user_topics', { stream_id: await newsId(ann), topic: 'hello', visibility_policy: 1 })
  await policyAfterSending(owner, 'hello')
  await cleo.call('POST', `/users/me/muted_users/${owner.id}`)
  const queues = [await ann.register(), await bob.register(), await otto.register()]
  const older = await ann.register({ event_types: ['muted_topics'], fetch_event_types: ['muted_topics'] })
  await policyAfterSending(owner, 'Hello', { content: '@**Ann** @**Bob** @**Otto** @**Robot** @**Cleo** @**all**' })
  await policyAfterSending(owner, 'Hello', { content: '@**Ann** again' })
  const told = []
  for (const queue of queues) told.push((await queue.events()).filter((event) => event['type'] !== 'message'))
  expect(told).toMatchObject([[{ type: 'user_topic', topic_name: 'hello', visibility_policy: 3 }], [], []])
  expect(await older.events()).toMatchObject([{ type: 'muted_topics', muted_topics: [] }])
  expect(await Promise.all([ann, bob, cleo, otto, bot].map(policiesOf))).toEqual([[['hello', 3]], [], [], [], []])
})

it('makes a mentioned person follow a topic again after they unfollowed the topic', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const stream_id = await newsId(ann)
  const mention = { content: '@**Ann** look' }
  await policyAfterSending(owner, 'hello', mention)
  await policyAfterSending(owner, 'hello', mention)
  for (const chosen of [0, 1, 2]) {
    await ann.call('POST', '/user_topics', { stream_id, topic: 'hello', visibility_policy: chosen })
    const queue = await ann.register({ event_types: ['message', 'user_topic'] })
    await policyAfterSending(owner, 'Hello', mention)
    await policyAfterSending(owner, 'hello', mention)
    expect(await queue.events()).toMatchObject([
      { type: 'message' },
      { type: 'user_topic', stream_id, topic_name: 'hello', visibility_policy: 3 },
      { type: 'message' },
    ])
  }
  await policyAfterSending(owner, 'hello', { content: 'without' })
  expect(await policiesOf(ann)).toEqual([['hello', 3]])
})

it('makes only the mentioned people follow a topic, and only the topic with the mention', async () => {
  const { owner, user } = await server().organization()
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  await owner.subscribe(['news', 'other'], { principals: [owner.id, ann.id, bob.id] })
  const mention = { content: '@**Ann**' }
  for (const _ of [1, 2]) await policyAfterSending(owner, 'hello', mention)
  await policyAfterSending(owner, 'hello 2', mention)
  await policyAfterSending(owner, 'hello', { ...mention, to: 'other' })
  await policyAfterSending(owner, 'hello', { content: '@**Bob** and @**Ann**' })
  expect((await policiesOf(ann)).map(String).toSorted()).toEqual(['hello 2,3', 'hello,3', 'hello,3'])
  expect(await policiesOf(bob)).toEqual([['hello', 3]])
})
