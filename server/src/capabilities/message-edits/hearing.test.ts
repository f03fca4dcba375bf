import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestQueue, TestUser } from '../../testing/user.ts'

const server = useTestServer()

const TADA_REACTION = { emoji_name: 'tada' }
const MESSAGE_EVENT_TYPES = { event_types: ['reaction', 'update_message', 'delete_message'], fetch_event_types: [] }

async function eventsAbout(queue: TestQueue, message: number): Promise<unknown[]> {
  const events = await queue.events()
  return events
    .filter((event) => event['message_id'] === message || event['message_ids']?.includes(message))
    .map((event) => event['type'])
}

async function channelIdOf(user: TestUser, stream: string): Promise<number> {
  return (await user.call('GET', '/get_stream_id', { stream }))['stream_id']
}

async function changeAndDelete(sender: TestUser, message: number): Promise<void> {
  await sender.call('POST', `/messages/${message}/reactions`, TADA_REACTION)
  await sender.call('PATCH', `/messages/${message}`, { content: 'Changed' })
  await sender.call('DELETE', `/messages/${message}/reactions`, TADA_REACTION)
  await sender.call('DELETE', `/messages/${message}`)
}

const EXPECTED_EVENT_TYPES = ['reaction', 'update_message', 'reaction', 'delete_message']

it.each([
  ['public channel', {}, { after: true }],
  ['private channel, shared history', { invite_only: true, history_public_to_subscribers: true }, { after: true }],
  ['private channel, protected history', { invite_only: true, history_public_to_subscribers: false }, { after: false }],
])('sends changes of a message only to its readers, even on replay: %s', async (_, privacy, expected) => {
  const { owner, user } = await server().organization()
  const [there, left, back, after, admin] = [
    await user('There'),
    await user('Left'),
    await user('Back'),
    await user('After'),
    await user('Admin', { role: 200 }),
  ]
  await owner.subscribe(['club'], { principals: [owner, there, left, back].map(({ id }) => id), ...privacy })
  const message = await owner.send('club', 'hello', 'Hello')
  const leave = async (leaver: TestUser): Promise<Body> =>
    leaver.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  await leave(left)
  await leave(back)
  await owner.subscribe(['club'], { principals: [after.id, back.id] })
  const people = [there, back, after, left, admin]
  const queues = await Promise.all(people.map((reader) => reader.register(MESSAGE_EVENT_TYPES)))
  const begin = queues.map((queue) => queue.lastEventId)
  await changeAndDelete(owner, message)
  const told = [EXPECTED_EVENT_TYPES, EXPECTED_EVENT_TYPES, expected.after ? EXPECTED_EVENT_TYPES : [], [], []]
  expect(await Promise.all(queues.map((queue) => eventsAbout(queue, message)))).toEqual(told)
  // Later subscribers get none of the events, even from an old queue position.
  await owner.subscribe(['club'], { principals: [left.id, admin.id] })
  for (const [index, queue] of queues.entries()) queue.lastEventId = begin[index] ?? 0
  expect(await Promise.all(queues.map((queue) => eventsAbout(queue, message)))).toEqual(told)
  // A user who leaves the channel still gets the events that remove known messages, but no content.
  await leave(there)
  const [queue] = queues
  if (queue === undefined) throw new Error('no user exists')
  // Acknowledges the events, so that the server must read the log to replay them.
  await queue.events()
  queue.lastEventId = begin[0] ?? 0
  expect(await eventsAbout(queue, message)).toEqual(
    'invite_only' in privacy ? EXPECTED_EVENT_TYPES.filter((type) => type !== 'update_message') : EXPECTED_EVENT_TYPES,
  )
})

it('sends no updates about messages that became hidden when history became protected', async () => {
  const { owner, user } = await server().organization()
  const [early, late] = [await user('Early'), await user('Late')]
  await owner.subscribe(['club'], {
    principals: [owner.id, early.id],
    invite_only: true,
    history_public_to_subscribers: true,
  })
  const message = await owner.send('club', 'hello', 'Hello')
  await owner.subscribe(['club'], { principals: [late.id] })
  expect((await late.try('GET', `/messages/${message}`)).status).toBe(200)
  const queues = await Promise.all([early, late].map((reader) => reader.register(MESSAGE_EVENT_TYPES)))
  await owner.call('PATCH', `/streams/${await channelIdOf(owner, 'club')}`, { history_public_to_subscribers: false })
  await changeAndDelete(owner, message)
  expect(await Promise.all(queues.map((queue) => eventsAbout(queue, message)))).toEqual([EXPECTED_EVENT_TYPES, []])
})

it('sends a reaction to the unsubscribed person who added it, and DM changes to everyone in the DM', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['news'])
  const message = await owner.send('news', 'hello', 'Hello')
  const direct = await owner.sendTo([ann.id], 'Hello')
  const queues = await Promise.all([owner, ann, ben].map((reader) => reader.register(MESSAGE_EVENT_TYPES)))
  await ann.call('POST', `/messages/${message}/reactions`, TADA_REACTION)
  expect(await Promise.all(queues.map((queue) => eventsAbout(queue, message)))).toEqual([
    ['reaction'],
    ['reaction'],
    [],
  ])
  await changeAndDelete(owner, direct)
  expect(await Promise.all(queues.map((queue) => eventsAbout(queue, direct)))).toEqual([
    EXPECTED_EVENT_TYPES,
    EXPECTED_EVENT_TYPES,
    [],
  ])
})
