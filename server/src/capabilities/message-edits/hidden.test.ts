import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { eventsOf, type Body, type TestQueue, type TestUser } from '../../testing/user.ts'

/* Moving messages of protected history, with and without messages that the actor cannot read. */

const server = useTestServer()

interface Club {
  readonly id: number
  readonly owner: TestUser
  readonly ann: TestUser
  readonly queue: TestQueue
  readonly hidden: number
}

/** Creates a channel with protected history and one message that Ann cannot read in each topic. */
async function createClub(hidden: readonly string[]): Promise<Club> {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['club'], { invite_only: true, history_public_to_subscribers: false })
  await owner.subscribe(['den'], { principals: [owner.id, ann.id] })
  let last = 0
  for (const topic of hidden) last = await owner.send('club', topic, 'before Ann')
  await owner.subscribe(['club'], { principals: [ann.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'club' })
  return { id: stream_id, owner, ann, queue: await ann.register({ apply_markdown: false }), hidden: last }
}

async function receivedNotices({ queue, ann }: Club): Promise<unknown> {
  return eventsOf(await queue.events(), 'message').map(({ message: { subject, content } }) => [
    subject,
    content.replace(`@_**Ann|${ann.id}**`, 'Ann'),
  ])
}

async function topicPolicies(user: TestUser): Promise<unknown> {
  const { state } = await user.register({ fetch_event_types: ['user_topic'] })
  return state['user_topics'].map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy])
}

const BOTH_NOTICES = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }

it.each([
  ['exist', ['secret']],
  ['do not exist', []],
])('counts only visible messages in a move notice when hidden messages %s', async (_, hidden) => {
  const club = await createClub(hidden)
  const { ann } = club
  const moveAndReadEvents = async (id: number, parameters: Body): Promise<unknown> => {
    await club.queue.events()
    await ann.call('PATCH', `/messages/${id}`, { ...BOTH_NOTICES, ...parameters })
    return receivedNotices(club)
  }
  const one = await ann.send('club', 'secret', 'a guess')
  expect(await moveAndReadEvents(one, { topic: 'open' })).toEqual([
    ['secret', 'A message was moved from this topic to #**club>open** by Ann.'],
    ['open', 'A message was moved here from #**club>secret** by Ann.'],
  ])
  const two = await ann.send('club', 'secret', 'another')
  await ann.send('club', 'secret', 'and one more')
  expect(await moveAndReadEvents(two, { topic: 'open', propagate_mode: 'change_later' })).toMatchObject([
    ['secret', 'Messages were moved from this topic to #**club>open** by Ann.'],
    ['open', 'Messages were moved here from #**club>secret** by Ann.'],
  ])
  const den = (await ann.call('GET', '/get_stream_id', { stream: 'den' }))['stream_id']
  const three = await ann.send('club', 'secret', 'the last')
  expect(await moveAndReadEvents(three, { stream_id: den, propagate_mode: 'change_all' })).toMatchObject([
    ['secret', 'This topic was moved to #**den>secret** by Ann.'],
    ['secret', 'This topic was moved here by Ann.'],
  ])
})

it.each([
  ['exist', ['secret', 'open']],
  ['do not exist', []],
])("moves a topic's policies when all visible messages move and hidden messages %s", async (_, hidden) => {
  const { id, ann } = await createClub(hidden)
  await ann.call('PATCH', '/settings', { automatically_follow_topics_policy: 4 })
  const message = await ann.send('club', 'secret', 'a guess')
  await ann.call('POST', '/user_topics', { stream_id: id, topic: 'secret', visibility_policy: 1 })
  // If Ann can read earlier messages of the target topic, its visibility policy stays.
  await ann.call('PATCH', `/messages/${message}`, { topic: 'open', propagate_mode: 'change_later' })
  expect(await topicPolicies(ann)).toEqual([['open', 1]])
  const there = await ann.send('club', 'known', 'there')
  await ann.call('PATCH', `/messages/${message}`, { topic: 'known', propagate_mode: 'change_all' })
  expect(there).toBeGreaterThan(message)
  expect(await topicPolicies(ann)).toEqual([])
})

it('names a topic in a move notice only if all readers of the notice can read a message in that topic', async () => {
  const club = await createClub(['Secret plans'])
  const { owner, ann, hidden } = club
  await ann.send('club', 'SECRET plans', 'a guess')
  await club.queue.events()
  await owner.call('PATCH', `/messages/${hidden}`, { topic: 'open', propagate_mode: 'change_all' })
  const events = (await club.queue.events()).filter((event) => event['type'] === 'message')
  expect(events).toMatchObject([
    { message: { content: `This topic was moved here by @_**Olivia Owner|${owner.id}**.`, subject: 'open' } },
  ])
})

it("lists in each reader's move event only messages that they can read", async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const join = async (...readers: TestUser[]): Promise<Body> =>
    owner.subscribe(['club'], {
      principals: readers.map(({ id }) => id),
      invite_only: true,
      history_public_to_subscribers: false,
    })
  const leave = async (reader: TestUser): Promise<Body> =>
    reader.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  await join(owner, ann, ben)
  const first = await owner.send('club', 'plans', 'For both')
  await leave(ben)
  const forAnn = await owner.send('club', 'plans', 'For Ann')
  await join(ben)
  await leave(ann)
  const forBen = await owner.send('club', 'plans', 'For Ben')
  await join(ann)
  const last = await owner.send('club', 'plans', 'For both again')
  const queues = await Promise.all(
    [owner, ann, ben].map((reader) => reader.register({ event_types: ['update_message'] })),
  )
  await owner.call('PATCH', `/messages/${first}`, { topic: 'ideas', propagate_mode: 'change_all' })
  const told = await Promise.all(queues.map((queue) => queue.events()))
  expect(told.map((events) => events.map((event) => event['message_ids']))).toEqual([
    [[first, forAnn, forBen, last]],
    [[first, forAnn, last]],
    [[first, forBen, last]],
  ])
})
