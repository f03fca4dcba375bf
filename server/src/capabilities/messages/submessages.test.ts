import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Answer, Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { SUBMESSAGE_BYTES_LIMIT, SUBMESSAGE_LIMIT } from './contract/index.ts'

const server = useTestServer()

const POLL = JSON.stringify({ widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['now', 'later'] } })
const VOTE = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })

interface TestUsers {
  readonly organizationId: number
  readonly owner: TestUser
  readonly ann: TestUser
  readonly ben: TestUser
  readonly cas: TestUser
}

async function createTestUsers(more: Body = {}): Promise<TestUsers> {
  const { id, owner, user } = await server().organization()
  const [ann, ben, cas] = [await user('Ann'), await user('Ben'), await user('Cas')]
  await owner.subscribe(['food'], { principals: [owner.id, ann.id, ben.id], invite_only: true, ...more })
  return { organizationId: id, owner, ann, ben, cas }
}

async function sendPoll(user: TestUser, widget_content = POLL): Promise<number> {
  const message = { type: 'stream', to: 'food', topic: 'lunch', content: 'Lunch?', widget_content }
  return (await user.call('POST', '/messages', message))['id']
}

async function sendSubmessage(user: TestUser, message_id: number, more: Body = {}): Promise<Answer> {
  return user.try('POST', '/submessage', { message_id, msg_type: 'widget', content: VOTE, ...more })
}

async function readSubmessages(user: TestUser, id: number): Promise<unknown> {
  const { message } = await user.call('GET', `/messages/${id}`)
  const { messages } = await user.call('GET', '/messages', { anchor: id, num_before: 0, num_after: 0 })
  expect(messages[0]?.['submessages']).toEqual(message['submessages'])
  return message['submessages']
}

it('sends readers a message with its widget, and later the submessages that people add', async () => {
  const { owner, ann, ben, cas } = await createTestUsers()
  const look = await watch({ owner, ann, ben, cas }, { event_types: ['message', 'submessage'] })
  const id = await sendPoll(ann)
  const poll = { id, message_id: id, sender_id: ann.id, msg_type: 'widget', content: POLL }
  const sent = { type: 'message', message: { id, content: '<p>Lunch?</p>', submessages: [poll] } }
  expect(await look()).toMatchObject({ owner: [sent], ann: [sent], ben: [sent], cas: [] })
  expect((await sendSubmessage(ben, id)).body).toEqual({ result: 'success', msg: '' })
  expect((await sendSubmessage(ann, id, { content: '"x"', msg_type: 'mine' })).status).toBe(200)
  const seen = await look()
  const [vote, own] = seen.owner
  const added = { type: 'submessage', message_id: id }
  expect(seen).toEqual({ owner: [vote, own], ann: [vote, own], ben: [vote, own], cas: [] })
  expect(vote).toMatchObject({ ...added, sender_id: ben.id, msg_type: 'widget', content: VOTE })
  expect(own).toMatchObject({ ...added, sender_id: ann.id, msg_type: 'mine', content: '"x"' })
  const [first, second] = [vote?.submessage_id, own?.submessage_id]
  expect(await readSubmessages(ben, id)).toEqual([
    poll,
    { id: first, message_id: id, sender_id: ben.id, msg_type: 'widget', content: VOTE },
    { id: second, message_id: id, sender_id: ann.id, msg_type: 'mine', content: '"x"' },
  ])
  expect(await readSubmessages(ben, await ann.send('food', 'lunch', 'No poll'))).toEqual([])
})

it('delivers submessages of direct messages, also on replay, and only once for a repeated local ID', async () => {
  const { ann, ben } = await createTestUsers()
  const queue = await ben.register({ event_types: ['message', 'submessage'] })
  const { id: queue_id } = await ann.register()
  const message = { type: 'direct', to: [ben.id], content: 'Lunch?', widget_content: POLL, queue_id, local_id: '1' }
  const { id } = await ann.call('POST', '/messages', message)
  expect((await ann.call('POST', '/messages', message))['id']).toBe(id)
  await sendSubmessage(ben, id)
  const begin = queue.lastEventId
  const all = [{ message: { submessages: [{ content: POLL }] } }, { type: 'submessage', content: VOTE }]
  expect(await queue.events()).toMatchObject(all)
  queue.lastEventId = begin
  expect(await queue.events()).toMatchObject(all)
  expect(await readSubmessages(ann, id)).toMatchObject([{ content: POLL }, { content: VOTE }])
})

it('treats an unreadable message as missing in requests to add submessages', async () => {
  const { ann, owner, cas } = await createTestUsers()
  const id = await sendPoll(ann)
  const absent = await sendSubmessage(cas, 999_999)
  expect([absent.status, absent.body['code']]).toEqual([400, 'BAD_REQUEST'])
  const look = await watch({ owner, ann })
  const hidden = await sendSubmessage(cas, id)
  expect([hidden.status, hidden.body]).toEqual([absent.status, absent.body])
  expect(await look()).toEqual({ owner: [], ann: [] })
})

it('replays no submessages to people who lost access, and deletes submessages with their message', async () => {
  const { owner, ann, ben } = await createTestUsers()
  const id = await sendPoll(ann)
  const queue = await ben.register({ event_types: ['submessage'] })
  const begin = queue.lastEventId
  await sendSubmessage(ann, id)
  expect(await queue.events()).toMatchObject([{ content: VOTE }])
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['food'], principals: [ben.id] })
  // Acknowledges the events, so that the server must read the log to replay them.
  await queue.events()
  queue.lastEventId = begin
  expect(await queue.events()).toEqual([])
  await owner.call('DELETE', `/messages/${id}`)
  const left = server()
    .parley.database.kysely.selectFrom('submessages')
    .select('content')
    .where('sender_id', '=', ann.id)
  expect(await left.where('message_id', '=', id).where('content', '=', VOTE).execute()).toEqual([])
})

it('lets only the sender add the first submessage', async () => {
  const { ann, ben, owner } = await createTestUsers()
  const id = await ann.send('food', 'lunch', 'Just words')
  const look = await watch({ owner })
  expect((await sendSubmessage(ben, id)).body).toMatchObject({ code: 'BAD_REQUEST' })
  expect(await look()).toEqual({ owner: [] })
  expect((await sendSubmessage(ann, id)).status).toBe(200)
  expect((await sendSubmessage(ben, id)).status).toBe(200)
  expect(await readSubmessages(owner, id)).toMatchObject([{ sender_id: ann.id }, { sender_id: ben.id }])
})

it('rejects invalid JSON, excess submessages, and submessages in archived channels', async () => {
  const { organizationId, owner, ann, ben } = await createTestUsers()
  const id = await sendPoll(ann)
  const look = await watch({ owner })
  const longest = JSON.stringify('😀'.repeat(9_998))
  for (const more of [
    { content: '' },
    { content: 'vote' },
    { content: '{"a":' },
    { content: longest.replace('"', '" ') },
    { msg_type: 'x'.repeat(51) },
    { message_id: 'x' },
  ]) {
    expect([more, (await sendSubmessage(ben, id, more)).status]).toEqual([more, 400])
  }
  const message = { type: 'stream', to: 'food', topic: 'lunch', content: 'Lunch?' }
  for (const widget_content of [
    '',
    'poll',
    '[]',
    '"poll"',
    '{}',
    '{"widget_type":""}',
    '{"widget_type":1}',
    `${POLL} x`,
  ]) {
    const { body } = await ann.try('POST', '/messages', { ...message, widget_content })
    expect(body['code']).toBe('BAD_REQUEST')
  }
  expect(await look()).toEqual({ owner: [] })
  expect((await sendSubmessage(ben, id, { content: longest, msg_type: '😀'.repeat(50) })).status).toBe(200)
  await server()
    .parley.database.kysely.insertInto('submessages')
    .values(
      Array.from({ length: SUBMESSAGE_LIMIT.most - 3 }, (_, n) => ({
        organization_id: organizationId,
        id: 1_000_000 + n,
        message_id: id,
        sender_id: ben.id,
        msg_type: 'widget',
        content: VOTE,
      })),
    )
    .execute()
  expect((await sendSubmessage(ben, id)).status).toBe(200)
  expect((await sendSubmessage(ben, id)).body['code']).toBe('BAD_REQUEST')
  expect(await readSubmessages(ann, id)).toHaveLength(SUBMESSAGE_LIMIT.most)
  const another = await sendPoll(ann)
  await server()
    .parley.database.kysely.insertInto('submessages')
    .values({
      organization_id: organizationId,
      id: 2_000_000,
      message_id: another,
      sender_id: ben.id,
      msg_type: 'widget',
      content: JSON.stringify('x'.repeat(SUBMESSAGE_BYTES_LIMIT.most - 2_000)),
    })
    .execute()
  expect((await sendSubmessage(ben, another, { content: JSON.stringify('\u0001'.repeat(300)) })).body['code']).toBe(
    'BAD_REQUEST',
  )
  expect((await sendSubmessage(ben, another)).status).toBe(200)
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'food' })
  await owner.call('DELETE', `/streams/${String(stream_id)}`)
  expect((await sendSubmessage(ben, another)).body['code']).toBe('BAD_REQUEST')
})
