import type { Output } from '@parley/server/kernel/endpoint'
import type { stateDigest } from '@parley/server/contract'
import { expect, it } from 'vitest'
import { ROLE } from '../../server/src/kernel/actor.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { MODERN, type Body, type Parameters, type TestQueue, type TestUser } from '../../server/src/testing/user.ts'
import { positionOfEvent } from './index.ts'
import { driftOf, type Drift } from './drift.ts'
import { fold, type ApiEvent } from './fold.ts'

const server = useTestServer()

type Answer = Output<typeof stateDigest.getStateDigest>

async function digestFor(queue: TestQueue, more: Parameters = {}): Promise<Answer> {
  const answer = await queue.user.call('GET', '/state_digest', { queue_id: queue.id, ...more })
  return answer as unknown as Answer
}

/** Applies all pending events and returns the client's log position. */
async function folded(queue: TestQueue): Promise<number> {
  for (const event of await queue.events()) fold(queue.state, event as ApiEvent, { includeSubscribers: false })
  return positionOfEvent(Number(queue.state['log_position']), queue.lastEventId)
}

const ENTRIES = ['unread_msgs', 'subscriptions', 'user_topics']

async function scene(): Promise<{ owner: TestUser; ann: TestUser; queue: TestQueue }> {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['general', 'design'], { principals: [owner.id, ann.id] })
  const queue = await ann.register({ client_capabilities: { ...MODERN, log_position: true } })
  return { owner, ann, queue }
}

it('finds no drift in a state that was folded, and says to which position it belongs', async () => {
  const { owner, ann, queue } = await scene()
  const read = await owner.send('general', 'talk', 'Hello @**Ann**')
  await owner.send('design', 'logo', 'Hello')
  await owner.sendTo([ann.id], 'Hello')
  await ann.call('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'read' })
  await ann.call('POST', '/messages/flags', { messages: [read], op: 'add', flag: 'starred' })
  await owner.subscribe(['more'], { principals: [ann.id] })
  await folded(queue)
  const answer = await digestFor(queue, { entries_of: ENTRIES })
  expect(driftOf(queue.state, answer)).toEqual([])
  expect(Object.keys(answer.digests)).toEqual(
    expect.arrayContaining(['unread_msgs', 'starred_messages', 'subscriptions', 'user_topics', 'muted_users']),
  )
  expect(Object.keys(answer.entries).toSorted()).toEqual(['subscriptions', 'unread_msgs', 'user_topics'])
  await owner.send('general', 'talk', 'Another')
  const later = await digestFor(queue, { entries_of: ENTRIES })
  expect(later.position).toBeGreaterThan(answer.position)
  expect(driftOf(queue.state, later)).toMatchObject([{ field: 'unread_msgs' }])
  expect(await folded(queue)).toBe(later.position)
  expect(driftOf(queue.state, later)).toEqual([])
})

it('names what has drifted, by conversation, channel and topic', async () => {
  const { owner, ann, queue } = await scene()
  const channelId = Number((await ann.call('GET', '/get_stream_id', { stream: 'general' }))['stream_id'])
  const message = await owner.send('general', 'talk', 'Hello')
  await owner.sendTo([ann.id], 'Hello')
  await folded(queue)
  const answer = await digestFor(queue, { entries_of: ENTRIES })
  const drifted = (change: (state: Body) => void): Drift[] => {
    const state = structuredClone(queue.state)
    change(state)
    return driftOf(state, answer)
  }
  const unread = ({ unread_msgs }: Body): { streams: Body[]; pms: Body[]; mentions: number[] } =>
    unread_msgs as ReturnType<typeof unread>
  const topic = `topic/${channelId}/talk`
  expect(drifted((state) => unread(state).streams.pop())).toEqual([{ field: 'unread_msgs', keys: [topic] }])
  expect(drifted((state) => unread(state).mentions.push(message))).toEqual([
    { field: 'unread_msgs', keys: ['mentions'] },
  ])
  expect(drifted((state) => Object.assign(unread(state).pms[0] ?? {}, { unread_message_ids: [1] }))).toEqual([
    { field: 'unread_msgs', keys: [`direct/${owner.id}`] },
  ])
  const subscriptions = (state: Body): Body[] => state['subscriptions'] as Body[]
  const general = (state: Body): Body => subscriptions(state).find((one) => one['stream_id'] === channelId) ?? {}
  expect(drifted((state) => Object.assign(general(state), { color: 'mauve' }))).toEqual([
    { field: 'subscriptions', keys: [String(channelId)] },
  ])
  expect(drifted((state) => (state['subscriptions'] = subscriptions(state).toReversed()))).toEqual([])
  expect(drifted((state) => (state['user_topics'] as Body[]).push({ stream_id: 1, topic_name: 'x' }))).toEqual([
    { field: 'user_topics', keys: ['1/x'] },
  ])
  expect(drifted((state) => (state['starred_messages'] as number[]).push(message))).toEqual([
    { field: 'starred_messages' },
  ])
  expect(drifted((state) => delete state['unread_msgs'])).toEqual([])
})

it('digests what a client asks for, of what its queue gets, in the form in which it registered', async () => {
  const { owner, queue } = await scene()
  await owner.send('general', '', 'Hello')
  const types = ['message', 'update_message_flags']
  const narrow = await queue.user.register({ event_types: types, client_capabilities: {} })
  const answer = await digestFor(narrow, { entries_of: ENTRIES })
  expect(Object.keys(answer.digests)).toEqual(['unread_msgs'])
  expect(Object.keys(answer.entries['unread_msgs'] ?? {})).toContainEqual(expect.stringMatching(/\/general chat$/))
  expect(driftOf(narrow.state, answer)).toEqual([])
  await folded(queue)
  const asked = ['realm_user', 'stream', 'realm', 'drafts']
  const more = await digestFor(queue, { fetch_event_types: asked, entries_of: ['realm_users'] })
  expect(Object.keys(more.digests)).toEqual(expect.arrayContaining(['realm_users', 'streams', 'realm_name', 'drafts']))
  expect(Object.keys(more.entries['realm_users'] ?? {})).toContain(String(owner.id))
  expect(driftOf(queue.state, more)).toEqual([])
})

it('answers for an own queue alone, and hides others as if they were not there', async () => {
  const { owner, queue } = await scene()
  const { user } = await server().organization()
  const others = [owner, await user('Stranger', { role: ROLE.guest })]
  for (const other of others) {
    const { status, body } = await other.try('GET', '/state_digest', { queue_id: queue.id })
    expect([status, body['code'], body['queue_id']]).toEqual([400, 'BAD_EVENT_QUEUE_ID', queue.id])
  }
  await queue.user.call('DELETE', '/events', { queue_id: queue.id })
  const gone = await queue.user.try('GET', '/state_digest', { queue_id: queue.id })
  expect(gone.body['code']).toBe('BAD_EVENT_QUEUE_ID')
  expect((await owner.try('GET', '/state_digest')).body['code']).toBe('REQUEST_VARIABLE_MISSING')
})
