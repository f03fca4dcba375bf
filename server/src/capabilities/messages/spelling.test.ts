import { expect, it } from 'vitest'
import { makeDue, FAR_FUTURE_SECONDS } from '../../testing/age.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

interface Club {
  readonly organizationId: number
  readonly id: number
  readonly owner: TestUser
  readonly ann: TestUser
  readonly hidden: number
}

async function createClub(): Promise<Club> {
  const { id: organizationId, owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['club'], { invite_only: true, history_public_to_subscribers: false })
  const hidden = await owner.send('club', 'Secret Plans', 'before Ann')
  await owner.subscribe(['club'], { principals: [ann.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'club' })
  return { organizationId, id: stream_id, owner, ann, hidden }
}

async function receivedSubjects(user: TestUser): Promise<[number, string][]> {
  const all = { anchor: 'oldest', num_before: 0, num_after: 99, narrow: [['channel', 'club']] }
  const { messages } = await user.call('GET', '/messages', all)
  return messages.map(({ id, subject }) => [id, subject])
}

async function listTopics(user: TestUser, id: number): Promise<[string, number][]> {
  const answer = await user.call('GET', `/users/me/${id}/topics`)
  return answer['topics'].map(({ name, max_id }) => [name, max_id])
}

async function unreadTopics(user: TestUser): Promise<[string, number[]][]> {
  const { streams } = (await user.register()).state['unread_msgs']
  return streams.map((entry) => [entry['topic'], entry['unread_message_ids']])
}

it("keeps each sender's spelling of a topic in protected history", async () => {
  const { id, owner, ann, hidden } = await createClub()
  const look = await watch({ owner, ann })
  const own = await ann.send('club', 'SECRET plans', 'a guess', { read_by_sender: true })
  const message = { type: 'message', message: { id: own, subject: 'SECRET plans' } }
  expect(await look()).toMatchObject({ owner: [message], ann: [message] })
  const reply = await owner.send('club', 'Secret Plans', 'a reply')
  expect(await look()).toMatchObject({
    owner: [{ message: { subject: 'Secret Plans' } }],
    ann: [{ message: { subject: 'Secret Plans' } }],
  })
  expect(await receivedSubjects(ann)).toEqual([
    [own, 'SECRET plans'],
    [reply, 'Secret Plans'],
  ])
  expect(await receivedSubjects(owner)).toEqual([
    [hidden, 'Secret Plans'],
    [own, 'SECRET plans'],
    [reply, 'Secret Plans'],
  ])
  // The list spells the topic as in its newest message.
  expect(await listTopics(ann, id)).toEqual([['Secret Plans', reply]])
  const narrow = [{ operator: 'topic', operand: 'secret PLANS' }]
  const { messages } = await ann.call('GET', '/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow })
  expect(messages.map((one) => one.id)).toEqual([own, reply])
  expect(await unreadTopics(owner)).toEqual([
    ['Secret Plans', [hidden, reply]],
    ['SECRET plans', [own]],
  ])
})

it('finds a topic of protected history by words, ignoring case', async () => {
  const { owner, ann } = await createClub()
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'], principals: [ann.id] })
  // In lowercase, the word ends with a final sigma, a letter that exists only in lowercase.
  await owner.send('club', 'ΣΟΦΟΣ', 'before Ann')
  await owner.subscribe(['club'], { principals: [ann.id] })
  const [hers, other] = [await ann.send('club', 'Σοφος', 'hers'), await ann.send('club', 'Μυθος_1', 'hers as well')]
  const searchTopic = async (operand: string): Promise<unknown[]> => {
    const window = { anchor: 'newest', num_before: 9, num_after: 0, narrow: [{ operator: 'search', operand }] }
    return (await ann.call('GET', '/messages', window))['messages'].map((one) => one['id'])
  }
  expect(await Promise.all(['σοφος', 'Σοφος', 'μυθος', 'Μυθος'].map(searchTopic))).toEqual([
    [hers],
    [hers],
    [other],
    [other],
  ])
})

it("does not reveal through a topic's spelling what happened in a reader's absence", async () => {
  const { id, owner, ann, hidden } = await createClub()
  const known = await ann.send('club', 'Lunch', 'at noon')
  await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'] })
  await owner.send('club', 'LUNCH', 'without Ann')
  await owner.call('PATCH', `/messages/${hidden}`, { topic: 'lunCH', send_notification_to_new_thread: false })
  await owner.subscribe(['club'], { principals: [ann.id] })
  expect(await listTopics(ann, id)).toEqual([['Lunch', known]])
  expect(await receivedSubjects(ann)).toEqual([[known, 'Lunch']])
  const look = await watch({ ann })
  await owner.call('DELETE', `/messages/${known}`)
  expect(await look()).toMatchObject({ ann: [{ type: 'delete_message', topic: 'Lunch', message_ids: [known] }] })
})

it('moves messages of protected history to the requested topic spelling despite hidden messages', async () => {
  const { owner, ann, hidden } = await createClub()
  const one = await ann.send('club', 'talk', 'one')
  const two = await ann.send('club', 'TALK', 'two')
  const look = await watch({ owner, ann })
  await ann.call('PATCH', `/messages/${one}`, {
    topic: 'SECRET plans',
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
  })
  const update = { type: 'update_message', orig_subject: 'talk', subject: 'SECRET plans', message_ids: [one, two] }
  expect(await look()).toMatchObject({ owner: [update], ann: [update] })
  expect(await receivedSubjects(owner)).toEqual([
    [hidden, 'Secret Plans'],
    [one, 'SECRET plans'],
    [two, 'SECRET plans'],
  ])
  // Each message shows its own former spelling.
  const { message_history } = await ann.call('GET', `/messages/${two}/history`)
  expect(message_history).toMatchObject([{ topic: 'TALK' }, { topic: 'SECRET plans', prev_topic: 'TALK' }])
})

it("unifies a topic's spelling on a rename and records each former spelling", async () => {
  const { owner, ann, hidden } = await createClub()
  const one = await ann.send('club', 'SECRET plans', 'one')
  const two = await owner.send('club', 'secret plans', 'two')
  const look = await watch({ owner, ann })
  await owner.call('PATCH', `/messages/${hidden}`, {
    topic: 'Plans',
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
  })
  expect(await look()).toMatchObject({
    owner: [{ orig_subject: 'Secret Plans', subject: 'Plans', message_id: hidden, message_ids: [hidden, one, two] }],
    ann: [{ orig_subject: 'SECRET plans', subject: 'Plans', message_id: one, message_ids: [one, two] }],
  })
  expect(await receivedSubjects(ann)).toEqual([
    [one, 'Plans'],
    [two, 'Plans'],
  ])
  for (const [id, topic] of [
    [one, 'SECRET plans'],
    [two, 'secret plans'],
  ] as const) {
    const { message_history } = await ann.call('GET', `/messages/${id}/history`)
    expect(message_history).toMatchObject([{ topic }, { topic: 'Plans', prev_topic: topic }])
  }
})

it('keeps earlier topic spellings when history becomes shared', async () => {
  const { id, owner, ann, hidden } = await createClub()
  const own = await ann.send('club', 'SECRET plans', 'own')
  await owner.call('PATCH', `/streams/${id}`, { history_public_to_subscribers: true })
  const late = await ann.send('club', 'secret PLANS', 'late')
  expect(await receivedSubjects(ann)).toEqual([
    [hidden, 'Secret Plans'],
    [own, 'SECRET plans'],
    [late, 'Secret Plans'],
  ])
  await owner.call('DELETE', `/messages/${late}`)
  expect(await listTopics(ann, id)).toEqual([['SECRET plans', own]])
})

it('orders unread topics by their first visible unread message', async () => {
  const { owner, ann } = await createClub()
  for (const topic of ['lunch', 'secret plans', 'dinner', 'Lunch']) await owner.send('club', topic, 'for Ann')
  expect((await unreadTopics(ann)).map(([topic]) => topic)).toEqual(['lunch', 'secret plans', 'dinner', 'Lunch'])
})

it('sends a scheduled message with its own topic spelling', async () => {
  const { organizationId, id, owner, ann } = await createClub()
  const { scheduled_message_id } = await ann.call('POST', '/scheduled_messages', {
    type: 'channel',
    to: id,
    topic: 'SECRET plans',
    content: 'a guess',
    scheduled_delivery_timestamp: FAR_FUTURE_SECONDS,
  })
  const queue = await owner.register()
  await makeDue(server().database, 'scheduled_messages', organizationId, [scheduled_message_id])
  const told: Body[] = []
  while (told.length === 0) told.push(...(await queue.next()))
  expect(told).toMatchObject([{ type: 'message', message: { subject: 'SECRET plans', sender_id: ann.id } }])
})

it('stores a topic name as the message spells it if a mention makes someone follow the topic', async () => {
  const { owner, ann } = await createClub()
  const look = await watch({ ann }, { event_types: ['user_topic'] })
  await owner.send('club', 'secret PLANS', '@**Ann** look')
  expect(await look()).toMatchObject({ ann: [{ topic_name: 'secret PLANS', visibility_policy: 3 }] })
})
