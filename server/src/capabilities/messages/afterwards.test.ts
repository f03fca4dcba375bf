import { expect, it } from 'vitest'
import { blockWriter } from '../../testing/hold.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body } from '../../testing/user.ts'

const server = useTestServer()

it('replays no events of a private channel to a reader who left the channel', async () => {
  const { owner, user } = await server().organization()
  const [bob, carol] = [await user('Bob'), await user('Carol')]
  await owner.subscribe(['secret'], { invite_only: true })
  const queue = await bob.register({ include_subscribers: 'true' })
  await owner.subscribe(['secret'], { principals: [bob.id] })
  await owner.send('secret', 'hello', 'while Bob was there')
  expect((await queue.events()).map((event) => event['type'])).toContain('message')
  await bob.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'] })
  await owner.subscribe(['secret'], { principals: [carol.id] })
  // Acknowledges events from before Bob's deactivation, because unacknowledged events would be delivered unchanged.
  await queue.events()
  await queue.events()
  const asked = { queue_id: queue.id, last_event_id: -1, dont_block: true }
  const { events: again } = await bob.call('GET', '/events', asked)
  expect(again.filter((event) => event['type'] === 'message')).toEqual([])
  const added = again.filter((event) => event['type'] === 'subscription' && event['op'] === 'add')
  expect(added.flatMap((event) => event['subscriptions']).map((record) => record?.['subscribers'])).toEqual([[]])
})

it("keeps delivering events to a reader's other queues after the channel of one queue's narrow is hidden", async () => {
  const { owner, user } = await server().organization()
  const bob = await user('Bob')
  await owner.subscribe(['secret'], { invite_only: true, principals: [owner.id, bob.id] })
  await owner.subscribe(['open'], { principals: [owner.id, bob.id] })
  const narrowed = await bob.register({ event_types: ['message'], narrow: [['channel', 'secret']] })
  const plain = await bob.register({ event_types: ['message'] })
  await bob.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'] })
  const id = await owner.send('open', 'hello', 'to all')
  expect(await plain.events()).toMatchObject([{ message: { id } }])
  expect(await narrowed.events()).toEqual([])
})

it('rejects a message whose sender was deactivated while the message was queued', async () => {
  const organization = await server().organization()
  const bob = await organization.user('Bob')
  await organization.owner.subscribe(['open'], { principals: [organization.owner.id, bob.id] })
  const queue = await organization.owner.register({ event_types: ['message'] })
  const log = await server().parley.logs.of(organization.id)
  const release = await blockWriter(server().parley, organization)
  const ending = organization.owner.call('DELETE', `/users/${bob.id}`)
  await organization.owner.call('GET', '/users/me')
  // The message, already checked and rendered, waits behind the deactivation.
  const sending = ending.then(() =>
    bob.try('POST', '/messages', { type: 'stream', to: 'open', topic: 't', content: 'x' }),
  )
  release()
  expect((await sending).body['code']).toBe('USER_DEACTIVATED')
  expect(await queue.events()).toEqual([])
  expect(log.organization.position).toBeGreaterThan(0)
})

it('rejects direct messages to 250 or more recipients', async () => {
  const { owner } = await server().organization()
  const to = Array.from({ length: 250 }, (_, index) => index + 1_000_000)
  const { status, body } = await owner.try('POST', '/messages', { type: 'direct', to, content: 'x' })
  expect([status, body['msg']]).toEqual([400, 'A direct message has fewer than 250 recipients.'])
  const fewer = await owner.try('POST', '/messages', { type: 'direct', to: to.slice(1), content: 'x' })
  expect(fewer.body['msg']).toBe('Invalid user ID 1000001')
})

it('rejects overlong narrows, event types, and queue IDs', async () => {
  const { owner } = await server().organization()
  const code = async (method: string, path: string, parameters: Body): Promise<unknown> =>
    (await owner.try(method, path, parameters)).body['code']
  const terms = Array.from({ length: 51 }, () => ['topic', 'x'])
  expect(await code('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: terms })).toBe(
    'REQUEST_VARIABLE_INVALID',
  )
  expect(await code('POST', '/register', { narrow: terms })).toBe('REQUEST_VARIABLE_INVALID')
  const types = Array.from({ length: 501 }, () => 'x')
  expect(await code('POST', '/register', { event_types: types })).toBe('REQUEST_VARIABLE_INVALID')
  const message = { type: 'direct', to: [owner.id], content: 'x', local_id: '1', queue_id: 'q'.repeat(101) }
  expect(await code('POST', '/messages', message)).toBe('REQUEST_VARIABLE_INVALID')
})

it('reveals neither the spelling nor the existence of hidden topics', async () => {
  const { owner, user } = await server().organization()
  const bob = await user('Bob')
  await owner.subscribe(['club'], { invite_only: true })
  await owner.send('club', 'Layoffs in May', 'before Bob')
  await owner.subscribe(['club'], { principals: [bob.id] })
  const { streams } = await owner.call('GET', '/streams')
  const clubId = streams[0]?.['stream_id']
  const queue = await bob.register({ event_types: ['user_topic'] })
  await bob.call('POST', '/user_topics', { stream_id: clubId, topic: 'layoffs in may', visibility_policy: 1 })
  expect(await queue.events()).toMatchObject([{ topic_name: 'layoffs in may' }])
  const message = { type: 'stream', to: 'club', content: 'x' }
  const known = await bob.call('POST', '/messages', { ...message, topic: 'layoffs in june' })
  const hidden = await bob.call('POST', '/messages', { ...message, topic: 'layoffs IN may' })
  expect(Object.keys(known)).toEqual(Object.keys(hidden))
})
