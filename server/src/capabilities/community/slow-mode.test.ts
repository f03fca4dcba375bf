import { expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { makeDue, FAR_FUTURE_SECONDS } from '../../testing/age.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { ALL_CAPABILITIES, type Answer, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { makeBot } from '../bots/testing/bots.ts'
import { MAX_SLOW_MODE_SECONDS, SLOW_TOPIC_LIMIT } from './contract.ts'

const server = useTestServer()

const FOR_COMMUNITIES = {
  event_types: ['slow_mode'],
  client_capabilities: { ...ALL_CAPABILITIES, community: true },
}

interface Fixture extends TestOrganization {
  readonly ann: TestUser
  readonly bob: TestUser
  readonly moderator: TestUser
  readonly general: number
}

async function createFixture(): Promise<Fixture> {
  const organization = await server().organization()
  const [ann, bob, moderator] = [
    await organization.user('Ann'),
    await organization.user('Bob'),
    await organization.user('Mod'),
  ]
  const { owner } = organization
  await owner.call('PATCH', `/users/${moderator.id}`, { role: ROLE.moderator })
  await owner.subscribe(['general', 'other'], { principals: [owner.id, ann.id, bob.id, moderator.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  return { ...organization, ann, bob, moderator, general: stream_id }
}

const setSlowMode = async (user: TestUser, channel: number, given: Parameters): Promise<unknown> => {
  const { status, body } = await user.try('PATCH', `/streams/${channel}/slow_mode`, given)
  return status === 200 ? 'set' : body['msg']
}

const send = async (user: TestUser, topic = 'talk', more: Parameters = {}): Promise<Answer> =>
  user.try('POST', '/messages', { type: 'channel', to: 'general', topic, content: 'Hello', ...more })

const outcome = ({ status, body }: Answer): unknown => (status === 200 ? 'sent' : body['code'])

const trySend = async (user: TestUser, topic?: string): Promise<unknown> => outcome(await send(user, topic))

async function passSeconds({ id }: TestOrganization, seconds: number): Promise<void> {
  await server().parley.database.pool.query(
    'update slow_mode_turns set sent_at = sent_at - $2 where organization_id = $1',
    [id, seconds],
  )
}

it('makes people wait between messages, tells how long, and lets them send after that', async () => {
  const fixture = await createFixture()
  const { ann, bob, moderator, general } = fixture
  expect(await trySend(ann)).toBe('sent')
  expect(await setSlowMode(moderator, general, { seconds: 60 })).toBe('set')
  const look = await watch({ bob }, { event_types: ['message'] })
  expect([await trySend(ann), await trySend(bob)]).toEqual(['sent', 'sent'])
  await passSeconds(fixture, 20)
  const { status, body } = await send(ann, 'another topic')
  expect([status, body]).toEqual([
    400,
    {
      result: 'error',
      code: 'SLOW_MODE',
      msg: expect.stringMatching(/^Slow mode is on: you can send your next message in (39|40) seconds\.$/) as string,
      wait_seconds: expect.toSatisfy((seconds: number) => seconds === 39 || seconds === 40) as number,
      stream_id: general,
    },
  ])
  expect((await look()).bob).toHaveLength(2)
  await passSeconds(fixture, 40)
  expect(await trySend(ann)).toBe('sent')
  expect(
    await ann.try('POST', '/messages', { type: 'channel', to: 'other', topic: 'talk', content: 'Hi' }),
  ).toMatchObject({ status: 200 })
  expect(await setSlowMode(moderator, general, { seconds: 0 })).toBe('set')
  expect([await trySend(ann), await trySend(ann)]).toEqual(['sent', 'sent'])
})

it('lets only one of several concurrent messages of a person and their bots through', async () => {
  const { ann, bob, owner, moderator, general } = await createFixture()
  const bots = await Promise.all(['One', 'Two'].map(async (name) => makeBot(ann, name)))
  await setSlowMode(owner, general, { seconds: 10 })
  const outcomes = await Promise.all(
    [...Array.from({ length: 5 }, () => ann), ...bots].map(async (one) => trySend(one)),
  )
  expect(outcomes.filter((one) => one === 'sent')).toHaveLength(1)
  expect(outcomes.filter((one) => one === 'SLOW_MODE')).toHaveLength(6)
  const exempt = [owner, moderator, await makeBot(moderator, 'Mine')]
  for (const one of [...exempt, ...exempt, bob]) expect(await trySend(one)).toBe('sent')
  expect(await trySend(bob)).toBe('SLOW_MODE')
})

it('answers a repeated request with the first message instead of refusing it', async () => {
  const { ann, moderator, general } = await createFixture()
  await setSlowMode(moderator, general, { seconds: 60 })
  const { id: queue_id } = await ann.register()
  for (const named of [{ idempotency_key: 'one' }, { queue_id, local_id: '1' }]) {
    await server().parley.database.pool.query('delete from slow_mode_turns')
    const first = await send(ann, 'talk', named)
    expect(await send(ann, 'talk', named)).toMatchObject({ status: 200, body: { id: first.body['id'] } })
    expect(await trySend(ann)).toBe('SLOW_MODE')
  }
})

it("has a topic's own slow mode replace the channel's, and follow the topic to a new name", async () => {
  const { ann, bob, moderator, general } = await createFixture()
  const id = await ann.send('general', 'busy', 'First')
  const look = await watch({ bob, moderator }, FOR_COMMUNITIES)
  const lookOlder = await watch({ bob }, { event_types: ['slow_mode'] })
  await setSlowMode(moderator, general, { seconds: 30 })
  await setSlowMode(moderator, general, { seconds: 60, topic: 'busy' })
  await setSlowMode(moderator, general, { seconds: 60, topic: 'BUSY' })
  expect([await trySend(ann, 'Busy'), await trySend(ann, 'calm')]).toEqual(['sent', 'sent'])
  expect([await trySend(ann, 'busy'), await trySend(ann, 'other')]).toEqual(['SLOW_MODE', 'SLOW_MODE'])
  const slow = await ann.call('GET', `/streams/${general}/slow_mode`)
  const seconds_ago = expect.any(Number) as number
  expect(slow).toMatchObject({
    seconds: 30,
    topics: [{ topic: 'busy', seconds: 60 }],
    turns: [
      { topic: null, seconds_ago },
      { topic: 'busy', seconds_ago },
    ],
  })
  await moderator.call('PATCH', `/messages/${id}`, { topic: '✔ busy', propagate_mode: 'change_all' })
  expect((await bob.call('GET', `/streams/${general}/slow_mode`)).topics).toEqual([{ topic: '✔ busy', seconds: 60 }])
  expect(await trySend(ann, '✔ busy')).toBe('SLOW_MODE')
  await setSlowMode(moderator, general, { seconds: 0, topic: '✔ busy' })
  const event = (topic: string | null, seconds: number) => ({
    type: 'slow_mode',
    op: 'update',
    stream_id: general,
    topic,
    seconds,
  })
  const events = [event(null, 30), event('busy', 60), event('busy', 0), event('✔ busy', 60), event('✔ busy', 0)]
  expect(await look()).toEqual({ bob: events, moderator: events })
  expect(await lookOlder()).toEqual({ bob: [] })
})

it('counts moved and scheduled messages, so that neither goes around slow mode', async () => {
  const fixture = await createFixture()
  const { ann, owner, moderator, general } = fixture
  const elsewhere = await ann.send('other', 'talk', 'One')
  await ann.send('other', 'talk', 'Two')
  await setSlowMode(moderator, general, { seconds: 60 })
  const move = async (propagate_mode: string, message = elsewhere): Promise<Answer> =>
    ann.try('PATCH', `/messages/${message}`, { stream_id: general, propagate_mode })
  expect(await move('change_all')).toMatchObject({
    status: 400,
    body: { msg: 'Slow mode is on there: you can move only one message at a time.' },
  })
  expect(outcome(await move('change_one'))).toBe('sent')
  expect(await trySend(ann)).toBe('SLOW_MODE')
  expect(outcome(await move('change_one', await ann.send('other', 'more', 'Three')))).toBe('SLOW_MODE')
  const many = await owner.send('other', 'many', 'One')
  await owner.send('other', 'many', 'Two')
  await owner.call('PATCH', `/messages/${many}`, { stream_id: general, propagate_mode: 'change_all' })
  const scheduled_delivery_timestamp = FAR_FUTURE_SECONDS
  const later = { type: 'channel', to: general, topic: 'talk', content: 'Later', scheduled_delivery_timestamp }
  const { scheduled_message_id: scheduled } = await ann.call('POST', '/scheduled_messages', later)
  const queue = await ann.register({ event_types: ['scheduled_messages'] })
  await makeDue(server().database, 'scheduled_messages', fixture.id, [scheduled])
  expect(await queue.next()).toMatchObject([{ op: 'update', scheduled_message: { failed: true } }])
})

it('takes no turn for moves within a place with slow mode', async () => {
  const { ann, owner, moderator, general } = await createFixture()
  const id = await ann.send('general', 'one', 'Hello')
  await ann.send('general', 'one', 'Again')
  await owner.send('general', 'two', 'Hello')
  await setSlowMode(moderator, general, { seconds: 60 })
  await setSlowMode(moderator, general, { seconds: 60, topic: 'busy' })
  const move = async (topic: string, propagate_mode: string): Promise<unknown> =>
    outcome(await ann.try('PATCH', `/messages/${id}`, { topic, propagate_mode }))
  expect([await move('two', 'change_one'), await move('one', 'change_one')]).toEqual(['sent', 'sent'])
  expect([await move('two', 'change_all'), await trySend(ann)]).toEqual(['sent', 'sent'])
  expect([await move('busy', 'change_one'), await trySend(ann, 'busy')]).toEqual(['sent', 'SLOW_MODE'])
})

it('counts messages that wait for review', async () => {
  const fixture = await createFixture()
  const { ann, owner, moderator, general } = fixture
  await owner.call('PATCH', '/realm', { held_message_patterns: 'casino' })
  await setSlowMode(moderator, general, { seconds: 60 })
  const hold = async (more?: Parameters): Promise<unknown> => outcome(await send(ann, 'casino', more))
  expect([await hold({ idempotency_key: 'one' }), await hold(), await trySend(ann)]).toEqual([
    'MESSAGE_HELD',
    'SLOW_MODE',
    'SLOW_MODE',
  ])
  expect(await hold({ idempotency_key: 'one' })).toBe('MESSAGE_HELD')
  const { held_messages: held } = await moderator.call('GET', '/held_messages/queue')
  expect(held).toHaveLength(1)
  await moderator.call('POST', `/held_messages/${held[0]?.held_message_id ?? 0}/approve`)
  await passSeconds(fixture, 60)
  expect(await trySend(ann)).toBe('sent')
})

it('lets moderators and people who administer the channel set slow mode, and no one else', async () => {
  const { ann, bob, moderator, owner, general, user } = await createFixture()
  const denied = "You don't have permission to set this channel's slow mode."
  expect(await setSlowMode(ann, general, { seconds: 10 })).toBe(denied)
  await ann.subscribe(['mine'])
  const { stream_id: mine } = await ann.call('GET', '/get_stream_id', { stream: 'mine' })
  expect(await setSlowMode(ann, mine, { seconds: 10 })).toBe('set')
  expect(await setSlowMode(bob, mine, { seconds: 0 })).toBe(denied)
  expect(await setSlowMode(moderator, mine, { seconds: MAX_SLOW_MODE_SECONDS })).toBe('set')
  expect(
    (await moderator.try('PATCH', `/streams/${mine}/slow_mode`, { seconds: MAX_SLOW_MODE_SECONDS + 1 })).status,
  ).toBe(400)
  await owner.subscribe(['secret'], { invite_only: true, history_public_to_subscribers: false })
  const { stream_id: secret } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
  expect(await setSlowMode(owner, secret, { seconds: 10, topic: 'plans' })).toBe(
    'Slow mode for topics requires access to all messages of the channel.',
  )
  const stranger = await user('Stranger')
  for (const [channel, one] of [
    [secret, moderator],
    [secret, stranger],
    [999_999, stranger],
  ] as const) {
    expect(await setSlowMode(one, channel, { seconds: 10 })).toBe('Invalid channel ID')
    expect(await one.try('GET', `/streams/${channel}/slow_mode`)).toMatchObject({ body: { msg: 'Invalid channel ID' } })
  }
  await owner.call('DELETE', `/streams/${mine}`)
  expect(await setSlowMode(owner, mine, { seconds: 0 })).toBe('The channel is archived.')
  const { entries } = await owner.call('GET', '/audit_log', { kind: 'channels', user_id: moderator.id })
  expect(entries[0]).toMatchObject({
    acting_user_id: moderator.id,
    action: 'changed',
    target: { type: 'channel', id: mine, name: 'mine' },
    changes: [{ property: 'slow_mode_seconds', from: 10, to: MAX_SLOW_MODE_SECONDS }],
  })
})

it('keeps the longer wait if a slow topic is renamed to another slow topic without messages', async () => {
  const { owner, ann, general } = await createFixture()
  const id = await owner.send('general', 'first', 'Hello')
  expect(await setSlowMode(owner, general, { topic: 'first', seconds: 10 })).toBe('set')
  expect(await setSlowMode(owner, general, { topic: 'second', seconds: 60 })).toBe('set')
  await owner.call('PATCH', `/messages/${id}`, { topic: 'second', propagate_mode: 'change_all' })
  const { topics } = await ann.call('GET', `/streams/${general}/slow_mode`)
  expect(topics).toEqual([{ topic: 'second', seconds: 60 }])
})

it('limits the topics of a channel with their own slow mode', async () => {
  const { moderator, general } = await createFixture()
  for (let number = 0; number < SLOW_TOPIC_LIMIT.most; number += 1) {
    expect(await setSlowMode(moderator, general, { seconds: 10, topic: `topic ${number}` })).toBe('set')
  }
  expect(await setSlowMode(moderator, general, { seconds: 10, topic: 'one more' })).toBe(
    `At most ${SLOW_TOPIC_LIMIT.most} topics of a channel can have slow mode.`,
  )
  expect(await setSlowMode(moderator, general, { seconds: 20, topic: 'Topic 0' })).toBe('set')
})
