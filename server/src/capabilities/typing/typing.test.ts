import { expect, it } from 'vitest'
import { startTestServer, useTestServer, type TestOrganization } from '../../testing/server.ts'
import { changeUserSettings } from '../users/testing/settings.ts'
import { ALL_CAPABILITIES, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

async function createFixture(): Promise<TestOrganization & { ann: TestUser; bob: TestUser; general: number }> {
  const organization = await server().organization()
  const { owner, user } = organization
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  return { ...organization, ann, bob, general: stream_id }
}

const NO_EVENTS = { owner: [], ann: [], bob: [] }

async function changeSettings({ id }: TestOrganization, user: TestUser, settings: Parameters): Promise<void> {
  await changeUserSettings(server().parley, id, user.id, settings)
}

it('sends typing events only to people in the direct conversation', async () => {
  const { owner, ann, bob } = await createFixture()
  const look = await watch({ owner, ann, bob })
  await ann.call('POST', '/typing', { op: 'start', to: [owner.id] })
  await ann.call('POST', '/typing', { op: 'stop', to: [owner.id], type: 'direct' })
  const sender = { user_id: ann.id, email: ann.email }
  const recipients = [{ user_id: owner.id, email: owner.email }, sender]
  const told = ['start', 'stop'].map((op) => ({ type: 'typing', op, message_type: 'direct', sender, recipients }))
  expect(await look()).toEqual({ owner: told, ann: told, bob: [] })
})

it('sends channel typing events to subscribers whose clients support them', async () => {
  const { owner, ann, bob, general } = await createFixture()
  const look = await watch({ owner, ann, bob })
  const old = await owner.register({ client_capabilities: { ...ALL_CAPABILITIES, stream_typing_notifications: false } })
  const between = await owner.register({ client_capabilities: { ...ALL_CAPABILITIES, empty_topic_name: false } })
  for (const type of ['stream', 'channel']) {
    await ann.call('POST', '/typing', { type, op: 'start', stream_id: general, topic: '(no topic)' })
  }
  const sender = { user_id: ann.id, email: ann.email }
  const told = { type: 'typing', op: 'start', message_type: 'stream', sender, stream_id: general, topic: '' }
  expect(await look()).toEqual({ owner: [told, told], ann: [told, told], bob: [] })
  expect(await old.events()).toEqual([])
  expect(await between.events()).toMatchObject([{ topic: 'general chat' }, { topic: 'general chat' }])
})

it('sends typing events about edits to people who can read the message', async () => {
  const { owner, ann, bob, general } = await createFixture()
  await owner.subscribe(['secret'], {
    principals: [owner.id, ann.id],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const inChannel = await ann.send('general', 'plans', 'One')
  const directly = await ann.sendTo([owner.id], 'Two')
  const hidden = await ann.send('secret', 'plans', 'Three')
  await owner.subscribe(['secret'], { principals: [bob.id] })
  const look = await watch({ owner, ann, bob })
  for (const id of [inChannel, directly, hidden]) await ann.call('POST', `/messages/${id}/typing`, { op: 'start' })
  await ann.call('POST', `/messages/${inChannel}/typing`, { op: 'stop' })
  const edit = (op: string, message_id: number, recipient: object): object => ({
    type: 'typing_edit_message',
    op,
    sender_id: ann.id,
    message_id,
    recipient,
  })
  const place = { type: 'channel', channel_id: general, topic: 'plans' }
  const { stream_id: secret } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
  const told = [
    edit('start', inChannel, place),
    edit('start', directly, { type: 'direct', user_ids: [owner.id, ann.id] }),
    edit('start', hidden, { ...place, channel_id: secret }),
    edit('stop', inChannel, place),
  ]
  expect(await look()).toEqual({ owner: told, ann: told, bob: [] })
})

it('respects settings for sending and receiving typing events', async () => {
  const organization = await createFixture()
  const { owner, ann, bob, general } = organization
  const id = await ann.send('general', 'plans', 'One')
  await changeSettings(organization, owner, { receives_typing_notifications: false })
  await changeSettings(organization, ann, { send_private_typing_notifications: false })
  const look = await watch({ owner, ann, bob })
  await ann.call('POST', '/typing', { type: 'stream', op: 'start', stream_id: general, topic: 'plans' })
  await ann.call('POST', `/messages/${id}/typing`, { op: 'start' })
  const refused = await ann.try('POST', '/typing', { op: 'start', to: [owner.id] })
  expect([refused.status, refused.body['code']]).toEqual([400, 'BAD_REQUEST'])
  const { owner: ownersPart, ann: annsPart, bob: bobsPart } = await look()
  expect([ownersPart, bobsPart]).toEqual([[], []])
  expect(annsPart.map((event) => event['type'])).toEqual(['typing', 'typing_edit_message'])
  await changeSettings(organization, ann, { send_stream_typing_notifications: false })
  const inChannel = { type: 'stream', op: 'start', stream_id: general, topic: 'plans' }
  expect((await ann.try('POST', '/typing', inChannel)).body['code']).toBe('BAD_REQUEST')
  expect((await ann.try('POST', `/messages/${id}/typing`, { op: 'start' })).body['code']).toBe('BAD_REQUEST')
  expect(await look()).toEqual(NO_EVENTS)
})

it('treats hidden channels and messages as missing in requests to send typing events', async () => {
  const { owner, ann, bob } = await createFixture()
  await owner.subscribe(['secret'], { invite_only: true })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
  const id = await owner.send('secret', 'plans', 'Hidden')
  const look = await watch({ owner, ann, bob })
  const channel = async (channelId: unknown): Promise<unknown> => {
    const { status, body } = await ann.try('POST', '/typing', {
      type: 'channel',
      op: 'start',
      stream_id: channelId,
      topic: 'x',
    })
    return [status, JSON.stringify(body).replaceAll(String(channelId), '?')]
  }
  expect(await channel(stream_id)).toEqual(await channel(999_999))
  const message = async (messageId: number): Promise<unknown> => {
    const { status, body } = await ann.try('POST', `/messages/${messageId}/typing`, { op: 'start' })
    return [status, body]
  }
  expect(await message(id)).toEqual(await message(999_999))
  expect(await message(id)).toMatchObject([400, { code: 'BAD_REQUEST', msg: 'Invalid message(s)' }])
  expect(await look()).toEqual(NO_EVENTS)
})

it('rejects incomplete and invalid typing requests', async () => {
  const { owner, ann, bob, general } = await createFixture()
  const others = await owner.send('general', 'plans', 'Not hers')
  const look = await watch({ owner, ann, bob })
  for (const [parameters, code] of [
    [{ op: 'start' }, 'REQUEST_VARIABLE_MISSING'],
    [{ op: 'start', to: [] }, 'REQUEST_VARIABLE_INVALID'],
    [{ op: 'start', to: [999_999] }, 'BAD_REQUEST'],
    [{ op: 'pause', to: [owner.id] }, 'REQUEST_VARIABLE_INVALID'],
    [{ to: [owner.id] }, 'REQUEST_VARIABLE_MISSING'],
    [{ type: 'stream', op: 'start', topic: 'x' }, 'REQUEST_VARIABLE_MISSING'],
    [{ type: 'stream', op: 'start', stream_id: general }, 'REQUEST_VARIABLE_MISSING'],
    [{ type: 'stream', op: 'start', stream_id: general, topic: '😀'.repeat(61) }, 'REQUEST_VARIABLE_INVALID'],
  ] satisfies [Parameters, string][]) {
    const { status, body } = await ann.try('POST', '/typing', parameters)
    expect([status, body['code']]).toEqual([400, code])
  }
  const edit = await ann.try('POST', `/messages/${others}/typing`, { op: 'start' })
  expect([edit.status, edit.body['code']]).toEqual([400, 'BAD_REQUEST'])
  expect(await look()).toEqual(NO_EVENTS)
})

it('sends typing events between servers even in the largest allowed conversation', async () => {
  const shared = await startTestServer({}, { shared: true })
  try {
    const { owner, user, crowd } = await shared.organization()
    const ann = await user('Ann')
    const typing = { event_types: ['typing'] }
    const queues = [await owner.register(typing), await ann.register(typing)]
    await owner.call('POST', '/typing', { op: 'start', to: [ann.id, ...(await crowd(248))] })
    for (const queue of queues) {
      const [told] = await queue.next()
      expect(told?.['recipients']).toHaveLength(250)
    }
  } finally {
    await shared.close()
  }
})

it('sends no typing events in channels with more than 100 subscribers', async () => {
  const { owner, ann, bob, general, crowd } = await createFixture()
  const more = await crowd(99)
  await owner.subscribe(['general'], { principals: more.slice(0, 98) })
  const look = await watch({ owner, ann, bob }, { event_types: ['typing', 'typing_edit_message'] })
  const id = await ann.send('general', 'plans', 'One')
  const startTyping = async (): Promise<void> => {
    await ann.call('POST', '/typing', { type: 'stream', op: 'start', stream_id: general, topic: 'plans' })
    await ann.call('POST', `/messages/${id}/typing`, { op: 'start' })
  }
  await startTyping()
  expect(await look()).toMatchObject({ owner: [{ op: 'start' }, { op: 'start' }], bob: [] })
  await owner.subscribe(['general'], { principals: more.slice(98) })
  await startTyping()
  expect(await look()).toEqual(NO_EVENTS)
})

it('gives typing events increasing IDs between the IDs of logged events', async () => {
  const { owner, ann, general } = await createFixture()
  const queue = await owner.register({ event_types: ['typing', 'message'] })
  const startTyping = async (): Promise<unknown> =>
    ann.call('POST', '/typing', { type: 'stream', op: 'start', stream_id: general, topic: 'plans' })
  const waiting = queue.next()
  await expect.poll(() => server().parley.queues.count().parked).toBe(1)
  await startTyping()
  expect(await waiting).toMatchObject([{ type: 'typing' }])
  await startTyping()
  await ann.send('general', 'plans', 'Done')
  await startTyping()
  await startTyping()
  // `TestQueue` checks that IDs increase.
  expect((await queue.events()).map((event) => event['type'])).toEqual(['typing', 'message', 'typing', 'typing'])
  expect(await queue.events()).toEqual([])
})

it('keeps sending typing events when all IDs between two log events are used', async () => {
  const { owner, ann } = await createFixture()
  const queue = await owner.register({ event_types: ['typing'] })
  let seen = 0
  for (let round = 0; round < 24; round += 1) {
    for (let count = 0; count < 50; count += 1) await ann.call('POST', '/typing', { op: 'start', to: [owner.id] })
    seen += (await queue.events()).length
  }
  expect(seen).toBe(1_200)
})

it('drops old ephemeral events of an idle client but no logged events', async () => {
  const { owner, ann } = await createFixture()
  const queue = await owner.register({ event_types: ['typing', 'message'] })
  for (let count = 0; count < 600; count += 1) await ann.call('POST', '/typing', { op: 'start', to: [owner.id] })
  const sent = await ann.sendTo([owner.id], 'Here it is')
  const events = await queue.events()
  expect(events.at(-1)).toMatchObject({ type: 'message', message: { id: sent } })
  expect(events).toHaveLength(501)
})

it('refuses typing events from a person who cannot start the conversation', async () => {
  const { owner, ann, bob } = await createFixture()
  await owner.call('PATCH', '/realm', {
    direct_message_initiator_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
  })
  const look = await watch({ owner, ann, bob }, { event_types: ['typing'] })
  const { status, body } = await ann.try('POST', '/typing', { op: 'start', to: [bob.id] })
  expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  expect(await look()).toEqual(NO_EVENTS)
  await owner.sendTo([ann.id, bob.id], 'Hello')
  await ann.call('POST', '/typing', { op: 'start', to: [bob.id, owner.id] })
  const told = [{ type: 'typing', op: 'start' }]
  expect(await look()).toMatchObject({ owner: told, ann: told, bob: told })
})
