import { expect, it } from 'vitest'
import { sendScheduledMessages } from './jobs.ts'
import { askForSoon, makeDue, FAR_FUTURE_SECONDS } from '../../testing/age.ts'
import type { EventFields } from '../../testing/contract-types.ts'
import { isObject } from '../../testing/json.ts'
import { runAfterReading } from '../../testing/meanwhile.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { basic, callApi, type Body, type Parameters, type TestQueue, type TestUser } from '../../testing/user.ts'

const server = useTestServer()

const MESSAGES_PATH = '/scheduled_messages'

interface Fixture extends TestOrganization {
  readonly ann: TestUser
  readonly general: number
}

async function createFixture(): Promise<Fixture> {
  const organization = await server().organization()
  const ann = await organization.user('Ann')
  await organization.owner.subscribe(['general'], { principals: [organization.owner.id, ann.id] })
  const { stream_id } = await organization.owner.call('GET', '/get_stream_id', { stream: 'general' })
  return { ...organization, ann, general: stream_id }
}

async function scheduleMessage(user: TestUser, parameters: Parameters): Promise<number> {
  const scheduled_delivery_timestamp = FAR_FUTURE_SECONDS
  const given = { type: 'channel', topic: 'plans', content: 'Hello', scheduled_delivery_timestamp, ...parameters }
  return (await user.call('POST', MESSAGES_PATH, given))['scheduled_message_id']
}

async function makeMessagesDue({ id }: TestOrganization, ...scheduled: number[]): Promise<void> {
  await makeDue(server().database, 'scheduled_messages', id, scheduled)
}

/** Returns all events up to and including the first event that `fits` accepts. */
async function eventsUntil(queue: TestQueue, fits: (event: EventFields) => boolean): Promise<EventFields[]> {
  const seen: EventFields[] = []
  while (!seen.some(fits)) seen.push(...(await queue.next()))
  return seen
}

function messageOf(event: EventFields | undefined): Body {
  return event?.message ?? {}
}

function isRemoval(event: EventFields): boolean {
  return event['type'] === 'scheduled_messages' && event['op'] === 'remove'
}

function isFailure({ scheduled_message: message }: EventFields): boolean {
  return isObject(message) && message['failed'] === true
}

it('sends a channel message at the scheduled time as if its sender sent it then', async () => {
  const { owner, ann, general } = await createFixture()
  const [sender, reader] = [await ann.register(), await owner.register()]
  const given = { type: 'channel', to: general, topic: 'plans', content: '*Now*', read_by_sender: true }
  const { at, answer } = await askForSoon(async (scheduled_delivery_timestamp) =>
    ann.try('POST', MESSAGES_PATH, { ...given, scheduled_delivery_timestamp }),
  )
  const id = Number(answer.body['scheduled_message_id'])
  const events = await eventsUntil(sender, isRemoval)
  // Messages are sent at most a second late. Tests do not measure time, so this checks the interval.
  expect(sendScheduledMessages.everySeconds).toBe(1)
  expect(events).toMatchObject([
    { type: 'scheduled_messages', op: 'add' },
    {
      type: 'message',
      message: { sender_id: ann.id, subject: 'plans', content: '<p><em>Now</em></p>', client: 'ParleyTest' },
      flags: ['read'],
    },
    { type: 'stream', op: 'update', property: 'first_message_id' },
    // The sender starts the topic and therefore follows it.
    { type: 'user_topic', topic_name: 'plans', visibility_policy: 3 },
    { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
  ])
  const message = messageOf(events[1])
  expect(Number(message['timestamp'])).toBeGreaterThanOrEqual(at)
  expect(message['id']).not.toBe(id)
  expect(await reader.events()).toMatchObject([
    { type: 'message', message: { id: message['id'] }, flags: [] },
    { type: 'stream', op: 'update', property: 'first_message_id' },
  ])
  expect((await ann.call('GET', MESSAGES_PATH))['scheduled_messages']).toEqual([])
  const late = await ann.try('PATCH', `${MESSAGES_PATH}/${id}`, { content: 'x' })
  expect([late.status, late.body['msg']]).toEqual([400, 'Scheduled message does not exist'])
})

// These tests run concurrently, because each waits until its messages are due.
it.concurrent('keeps a scheduled direct message unread for its sender unless a browser scheduled it', async () => {
  const place = await createFixture()
  const { owner, ann, user } = place
  const bob = await user('Bob')
  const [sender, receiver, other] = [await ann.register(), await owner.register(), await bob.register()]
  await makeMessagesDue(place, await scheduleMessage(ann, { type: 'direct', to: [owner.id] }))
  const events = await eventsUntil(sender, isRemoval)
  expect(events[1]).toMatchObject({ type: 'message', message: { type: 'private' }, flags: [] })
  expect(await receiver.events()).toMatchObject([{ type: 'message', message: { sender_id: ann.id } }])
  expect(await other.events()).toEqual([])
})

it.concurrent('marks a message scheduled in a browser as read for its sender unless overridden', async () => {
  const place = await createFixture()
  const { owner, ann } = place
  const queue = await ann.register({ event_types: ['message'] })
  const headers = { authorization: basic(ann.email, ann.apiKey), 'user-agent': 'Mozilla/5.0 (X11)' }
  const scheduled: number[] = []
  for (const [to, content, more] of [
    [[owner.id], 'to the owner', {}],
    [[ann.id], 'to myself', {}],
    [[owner.id], 'unread', { read_by_sender: false }],
    [[ann.id], 'read', { read_by_sender: true }],
  ] as const) {
    const message = { type: 'direct', to, content, scheduled_delivery_timestamp: FAR_FUTURE_SECONDS, ...more }
    const { status, body } = await callApi(ann.url, ann.host, 'POST', MESSAGES_PATH, message, { headers })
    expect(status).toBe(200)
    scheduled.push(Number(body['scheduled_message_id']))
  }
  await makeMessagesDue(place, ...scheduled)
  const sent: EventFields[] = []
  while (sent.length < 4) sent.push(...(await queue.next()))
  const flagsOf = (text: string): unknown =>
    sent.find((event) => messageOf(event)['content'] === `<p>${text}</p>`)?.['flags']
  expect([flagsOf('to the owner'), flagsOf('to myself')]).toEqual([['read'], []])
  expect([flagsOf('unread'), flagsOf('read')]).toEqual([[], ['read']])
})

it.concurrent('sends the edited version of a scheduled message at the new time', async () => {
  const { ann, general } = await createFixture()
  const queue = await ann.register({ event_types: ['message'] })
  const id = await scheduleMessage(ann, { to: general })
  const { at } = await askForSoon(async (scheduled_delivery_timestamp) =>
    ann.try('PATCH', `${MESSAGES_PATH}/${id}`, { content: 'Changed', scheduled_delivery_timestamp }),
  )
  const [sent] = await queue.next()
  expect(sent).toMatchObject({ message: { content: '<p>Changed</p>' } })
  expect(messageOf(sent)['timestamp']).toBeGreaterThanOrEqual(at)
})

it.concurrent('resolves mentions in the new destination if a scheduled message changes while being sent', async () => {
  const place = await createFixture()
  const { id: organizationId, owner, ann, general } = place
  await owner.send(general, 'plans', 'The owner takes part')
  await owner.subscribe(['other'], { principals: [owner.id, ann.id] })
  const { stream_id: other } = await owner.call('GET', '/get_stream_id', { stream: 'other' })
  const id = await scheduleMessage(ann, { to: general, content: '@**topic**' })
  const queue = await owner.register({ event_types: ['message'] })
  const { parley } = server()
  const { logs, database, facts } = parley
  const isChanged = runAfterReading(parley, 'topic_participants', async () => {
    await ann.call('PATCH', `${MESSAGES_PATH}/${id}`, { type: 'channel', to: other, topic: 'elsewhere' })
    await makeMessagesDue(place, id)
  })
  const closing = new AbortController().signal
  const context = { log: await logs.of(organizationId), reads: database.reads, server: facts, closing }
  await sendScheduledMessages.run(context, id)
  const [sent] = await queue.next()
  expect(isChanged()).toBe(true)
  expect(sent).toMatchObject({ message: { display_recipient: 'other', subject: 'elsewhere' }, flags: [] })
})

it.concurrent(
  'does not follow a topic if that would reveal whether the topic exists in history hidden from the sender',
  async () => {
    const place = await createFixture()
    const { owner, ann } = place
    await owner.subscribe(['club'], { invite_only: true, history_public_to_subscribers: false })
    await owner.send('club', 'begun', 'before Ann')
    await owner.subscribe(['club'], { principals: [ann.id] })
    const { stream_id } = await ann.call('GET', '/get_stream_id', { stream: 'club' })
    const queue = await ann.register({ event_types: ['user_topic', 'scheduled_messages', 'message'] })
    for (const topic of ['begun', 'new'])
      await makeMessagesDue(place, await scheduleMessage(ann, { to: stream_id, topic }))
    const seen: EventFields[] = []
    while (seen.filter(isRemoval).length < 2) seen.push(...(await queue.next()))
    expect(seen.filter((event) => event['type'] === 'message')).toHaveLength(2)
    expect(seen.filter((event) => event['type'] === 'user_topic')).toEqual([])
  },
)

it.concurrent('does not send a scheduled message that was deleted', async () => {
  const place = await createFixture()
  const { ann, general } = place
  const queue = await ann.register({ event_types: ['message'] })
  const deleted = await scheduleMessage(ann, { to: general, content: 'Never' })
  const kept = await scheduleMessage(ann, { to: general, content: 'But this' })
  await ann.call('DELETE', `${MESSAGES_PATH}/${deleted}`)
  await makeMessagesDue(place, deleted, kept)
  expect(await queue.next()).toMatchObject([{ message: { content: '<p>But this</p>' } }])
})

it.concurrent('marks a scheduled message as failed if its sender cannot send it, and allows a retry', async () => {
  const place = await createFixture()
  const { owner, ann, user } = place
  await owner.subscribe(['secret'], { invite_only: true, principals: [owner.id, ann.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
  const bob = await user('Bob')
  const [sender, reader, other] = [await ann.register(), await owner.register(), await bob.register()]
  const id = await scheduleMessage(ann, { to: stream_id })
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'], principals: [ann.id] })
  await makeMessagesDue(place, id)
  const told = await eventsUntil(sender, (event) => event['type'] === 'message')
  const [failure, notice] = told.slice(-2)
  expect(failure).toMatchObject({
    type: 'scheduled_messages',
    op: 'update',
    scheduled_message: { scheduled_message_id: id, failed: true, content: 'Hello' },
  })
  expect(notice).toMatchObject({ message: { type: 'private', sender_full_name: 'Notification Bot' }, flags: [] })
  const text = String(messageOf(notice)['content'])
  expect(text).toContain(`Channel with ID '${stream_id}' does not exist`)
  expect(text).not.toContain('secret')
  expect((await reader.events()).filter((event) => event['type'] === 'message')).toEqual([])
  expect((await other.events()).filter((event) => event['type'] === 'message')).toEqual([])
  expect((await ann.call('GET', MESSAGES_PATH))['scheduled_messages']).toMatchObject([{ failed: true }])
  // To send a failed message again, a request must set a new time.
  await owner.subscribe(['secret'], { principals: [ann.id] })
  const again = await ann.try('PATCH', `${MESSAGES_PATH}/${id}`, { content: 'Again' })
  expect([again.status, again.body['code']]).toEqual([400, 'BAD_REQUEST'])
  await ann.call('PATCH', `${MESSAGES_PATH}/${id}`, {
    content: 'Again',
    scheduled_delivery_timestamp: FAR_FUTURE_SECONDS,
  })
  await makeMessagesDue(place, id)
  const mended = await eventsUntil(sender, isRemoval)
  expect(mended.filter((event) => event['type'] === 'message')).toMatchObject([
    { message: { content: '<p>Again</p>', display_recipient: 'secret' } },
  ])
})

it.concurrent('marks a scheduled message as failed if its recipient was deactivated', async () => {
  const place = await createFixture()
  const { owner, ann, user } = place
  const bob = await user('Bob')
  const queue = await ann.register({ event_types: ['scheduled_messages', 'message'] })
  const id = await scheduleMessage(ann, { type: 'direct', to: [bob.id], content: 'To Bob' })
  await owner.call('DELETE', `/users/${bob.id}`)
  await makeMessagesDue(place, id)
  const told = await eventsUntil(queue, (event) => event['type'] === 'message')
  expect(told.filter(isFailure)).toMatchObject([{ scheduled_message: { content: 'To Bob' } }])
  expect(told.filter((event) => event['type'] === 'message')).toMatchObject([
    { message: { sender_full_name: 'Notification Bot' } },
  ])
  expect((await ann.call('GET', MESSAGES_PATH))['scheduled_messages']).toMatchObject([{ failed: true }])
})

it.concurrent('marks a scheduled message as failed if it would start a conversation without permission', async () => {
  const place = await createFixture()
  const { owner, ann } = place
  const [queue, reader] = [await ann.register(), await owner.register({ event_types: ['message'] })]
  const id = await scheduleMessage(ann, { type: 'direct', to: [owner.id], content: 'Too late' })
  await owner.call('PATCH', '/realm', {
    direct_message_initiator_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
  })
  await makeMessagesDue(place, id)
  const told = await eventsUntil(queue, (event) => event['type'] === 'message')
  expect(told.filter(isFailure)).toMatchObject([{ scheduled_message: { content: 'Too late' } }])
  expect(String(messageOf(told.at(-1))['content'])).toContain('initiate direct message conversations')
  expect(await reader.events()).toEqual([])
})

it.concurrent('marks a scheduled message of a deactivated sender as failed', async (test) => {
  const place = await createFixture()
  const { owner, ann, general } = place
  const reader = await owner.register({ event_types: ['message'] })
  const first = await scheduleMessage(ann, { to: general, content: 'From the past' })
  const second = await scheduleMessage(owner, { to: general, content: 'From the owner' })
  await owner.call('DELETE', `/users/${ann.id}`)
  await makeMessagesDue(place, first, second)
  await eventsUntil(reader, (event) => messageOf(event)['content'] === '<p>From the owner</p>')
  await owner.call('POST', `/users/${ann.id}/reactivate`)
  await ann.fetchApiKey()
  await test.expect
    .poll(async () => (await ann.call('GET', MESSAGES_PATH))['scheduled_messages'])
    .toMatchObject([{ failed: true, content: 'From the past' }])
  const { messages } = await owner.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  const contents = messages.map((message) => message['content'])
  expect(contents).toContain('<p>From the owner</p>')
  expect(contents).not.toContain('<p>From the past</p>')
  const own = await ann.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [['is', 'dm']],
  })
  expect(own['messages']).toEqual([])
})

it.concurrent('marks a scheduled message as failed if its channel was archived before the scheduled time', async () => {
  const place = await createFixture()
  const { owner, ann, general } = place
  const queue = await ann.register({ event_types: ['scheduled_messages'] })
  const id = await scheduleMessage(ann, { to: general, content: 'Too late' })
  await owner.call('DELETE', `/streams/${general}`)
  await makeMessagesDue(place, id)
  const told = await eventsUntil(queue, isFailure)
  expect(told.at(-1)).toMatchObject({ op: 'update', scheduled_message: { content: 'Too late', failed: true } })
  const { messages } = await owner.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  expect(messages.map((message) => message['content'])).not.toContain('<p>Too late</p>')
})
