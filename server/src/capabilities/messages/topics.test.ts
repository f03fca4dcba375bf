import { expect, it } from 'vitest'
import { runAfterReading } from '../../testing/meanwhile.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'

const server = useTestServer()

async function channelIdOf(user: TestUser, name: string): Promise<number> {
  return (await user.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

async function listTopics(user: TestUser, id: number, parameters: Body = {}): Promise<[unknown, unknown][]> {
  const answer = await user.call('GET', `/users/me/${id}/topics`, parameters)
  return answer['topics'].map(({ name, max_id }) => [name, max_id])
}

it("lists a channel's topics with the newest message first", async () => {
  const { owner, user } = await server().organization()
  const reader = await user('Reader')
  await owner.subscribe(['news', 'other'])
  const id = await channelIdOf(owner, 'news')
  expect(await listTopics(owner, id)).toEqual([])
  await owner.send('news', 'first', 'one')
  const second = await owner.send('news', 'Second', 'two')
  const again = await owner.send('news', 'FIRST', 'three')
  const empty = await owner.send('news', '', 'four')
  await owner.send('other', 'elsewhere', 'five')
  await owner.sendTo([reader.id], 'six')
  for (const one of [owner, reader]) {
    const shown = [
      ['first', again],
      ['Second', second],
    ]
    expect(await listTopics(one, id)).toEqual([['general chat', empty], ...shown])
    expect(await listTopics(one, id, { allow_empty_topic_name: true })).toEqual([['', empty], ...shown])
  }
})

it('in protected history, lists only topics with messages sent while the reader was subscribed', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['club'], { invite_only: true })
  const id = await channelIdOf(owner, 'club')
  await owner.send('club', 'before', 'one')
  await owner.send('club', 'both', 'two')
  await owner.subscribe(['club'], { principals: [ann.id] })
  expect(await listTopics(ann, id)).toEqual([])
  const during = await owner.send('club', 'both', 'three')
  await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  const away = await owner.send('club', 'away', 'four')
  const both = await owner.send('club', 'both', 'five')
  expect((await ann.try('GET', `/users/me/${id}/topics`)).status).toBe(400)
  await owner.subscribe(['club'], { principals: [ann.id] })
  expect(await listTopics(ann, id)).toEqual([['both', during]])
  const late = await owner.send('club', 'late', 'six')
  expect(await listTopics(ann, id)).toEqual([
    ['late', late],
    ['both', during],
  ])
  expect((await listTopics(owner, id)).slice(0, 3)).toEqual([
    ['late', late],
    ['both', both],
    ['away', away],
  ])
})

it('lists for a bot only topics of protected history that got messages after the bot subscribed', async () => {
  const { owner, user } = await server().organization()
  const bot = await user('Bert Bot', { bot: { ownerId: owner.id } })
  await owner.subscribe(['club'], { invite_only: true })
  const id = await channelIdOf(owner, 'club')
  const before = await owner.send('club', 'before', 'one')
  await owner.subscribe(['club'], { principals: [bot.id] })
  const since = await owner.send('club', 'since', 'two')
  expect(await listTopics(bot, id)).toEqual([['since', since]])
  expect((await listTopics(owner, id)).slice(0, 2)).toEqual([
    ['since', since],
    ['before', before],
  ])
})

it('lists all topics of shared history', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['shared'], { invite_only: true, history_public_to_subscribers: true })
  const before = await owner.send('shared', 'before', 'one')
  await owner.subscribe(['shared'], { principals: [ann.id] })
  expect(await listTopics(ann, await channelIdOf(ann, 'shared'))).toEqual([['before', before]])
})

it('treats hidden channels as missing in requests for their topics', async () => {
  const { owner, user } = await server().organization()
  const [ann, admin, guest] = [await user('Ann'), await user('Ada', { role: 200 }), await user('Gus', { role: 600 })]
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.subscribe(['news'])
  const [secret, news] = [await channelIdOf(owner, 'secret'), await channelIdOf(owner, 'news')]
  const hidden: [TestUser, number][] = [
    [ann, secret],
    // Administrators can see the channel, but cannot read it.
    [admin, secret],
    [guest, news],
  ]
  for (const [reader, id] of hidden) {
    const refused = await reader.try('GET', `/users/me/${id}/topics`)
    expect(refused.body).toMatchObject({ code: 'BAD_REQUEST' })
    for (const absent of [999_999, 0]) {
      expect(refused.body).toEqual((await reader.try('GET', `/users/me/${absent}/topics`)).body)
    }
  }
})

it("rechecks the channel's topics policy after rendering a message", async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const id = await channelIdOf(owner, 'news')
  const isChanged = runAfterReading(server().parley, 'topic_participants', async () =>
    owner.call('PATCH', `/streams/${id}`, { topics_policy: 'empty_topic_only' }),
  )
  const message = { type: 'stream', to: id, topic: 'hello', content: '@**topic**' }
  const { status, body } = await owner.try('POST', '/messages', message)
  expect([isChanged(), status, body['code']]).toEqual([true, 400, 'BAD_REQUEST'])
  expect(await listTopics(owner, id)).toEqual([])
})

it.each(['/messages', '/scheduled_messages'])(
  "applies the channel's topics policy, or else the organization's, to POST %s",
  async (path) => {
    const { owner } = await server().organization()
    await owner.subscribe(['inherits'])
    await owner.subscribe(['requires'], { topics_policy: 'disable_empty_topic' })
    await owner.subscribe(['allows'], { topics_policy: 'allow_empty_topic' })
    await owner.subscribe(['only'], { topics_policy: 'empty_topic_only' })
    const scheduleInTopic = async (channel: string, topic: string): Promise<unknown> => {
      const to = await channelIdOf(owner, channel)
      const message = { type: 'channel', to, topic, content: 'x', scheduled_delivery_timestamp: 4_000_000_000 }
      const { status, body } = await owner.try('POST', path, message)
      return status === 200 || body['code']
    }
    const empties = ['', ' ', '(no topic)', 'general chat']
    const expectEmpty = async (channel: string, answer: unknown): Promise<void> => {
      for (const topic of empties)
        expect([channel, topic, await scheduleInTopic(channel, topic)]).toEqual([channel, topic, answer])
    }
    for (const channel of ['inherits', 'allows', 'only']) await expectEmpty(channel, true)
    await expectEmpty('requires', 'BAD_REQUEST')
    for (const channel of ['inherits', 'allows', 'requires']) expect(await scheduleInTopic(channel, 'hello')).toBe(true)
    expect(await scheduleInTopic('only', 'hello')).toBe('BAD_REQUEST')
    await owner.call('PATCH', '/realm', { topics_policy: 'disable_empty_topic' })
    await expectEmpty('inherits', 'BAD_REQUEST')
    await expectEmpty('allows', true)
  },
)
