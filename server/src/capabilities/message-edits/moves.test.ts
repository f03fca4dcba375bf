import { expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { ageMessages } from '../../testing/age.ts'
import { useTestServer } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import type { Body, TestQueue, TestUser } from '../../testing/user.ts'

const server = useTestServer()

const NO_NOTICE = { send_notification_to_new_thread: false }

async function channelIdOf(user: TestUser, stream: string): Promise<number> {
  const { stream_id } = await user.call('GET', '/get_stream_id', { stream })
  return stream_id
}

async function topicsOf(user: TestUser, streamId: number): Promise<unknown> {
  const { topics } = await user.call('GET', `/users/me/${streamId}/topics`, { allow_empty_topic_name: true })
  return topics.map(({ name, max_id }) => [name, max_id])
}

async function unreadMessagesOf(user: TestUser): Promise<unknown> {
  const { state } = await user.register()
  const { streams } = state['unread_msgs']
  return streams.map((entry) => [entry['stream_id'], entry['topic'], entry['unread_message_ids']])
}

async function eventsWithout(queue: TestQueue, type: string): Promise<Body[]> {
  return (await queue.events()).filter((event) => event['type'] !== type)
}

it('moves one message, a message and all later messages, or the whole topic', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const news = await channelIdOf(owner, 'news')
  const sent: number[] = []
  for (const content of ['a', 'b', 'c', 'd', 'e']) sent.push(await owner.send(news, 'hello', content))
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = sent
  const queue = await ann.register()
  const move = async (id: number, parameters: Body): Promise<Body | undefined> => {
    await owner.call('PATCH', `/messages/${id}`, { ...NO_NOTICE, ...parameters })
    return (await queue.events())[0]
  }
  expect(await move(b, { topic: 'one' })).toMatchObject({
    type: 'update_message',
    message_id: b,
    message_ids: [b],
    stream_id: news,
    orig_subject: 'hello',
    subject: 'one',
    propagate_mode: 'change_one',
    flags: [],
  })
  expect(await move(d, { topic: 'later', propagate_mode: 'change_later' })).toMatchObject({ message_ids: [d, e] })
  expect(await topicsOf(ann, news)).toEqual([
    ['later', e],
    ['hello', c],
    ['one', b],
  ])
  expect(await move(d, { topic: 'HELLO', propagate_mode: 'change_all' })).toMatchObject({
    message_ids: [d, e],
    // The message takes over the existing topic's spelling.
    subject: 'hello',
  })
  // Changing only the spelling renames the topic instead of splitting it.
  expect(await move(c, { topic: 'Hello' })).toMatchObject({
    message_id: c,
    message_ids: [a, c, d, e],
    propagate_mode: 'change_all',
    subject: 'Hello',
  })
  expect(await move(c, { topic: '', propagate_mode: 'change_all' })).toMatchObject({
    message_ids: [a, c, d, e],
    subject: '',
  })
  expect(await move(b, { topic: 'ONE' })).toMatchObject({ message_ids: [b], subject: 'ONE' })
  expect(await topicsOf(ann, news)).toEqual([
    ['', e],
    ['ONE', b],
  ])
  expect(await move(b, { topic: 'ONE' })).toBeUndefined()
  const { messages } = await ann.call('GET', '/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 10,
    narrow: [['topic', 'general chat']],
  })
  expect(messages.map(({ id }) => id)).toEqual([a, c, d, e])
})

it('keeps read states on a move and marks moved messages as read for new readers', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben, cleo] = [await user('Ann'), await user('Ben'), await user('Cleo')]
  await owner.subscribe(['from'], { principals: [owner.id, ann.id, ben.id] })
  await owner.subscribe(['to'], { principals: [owner.id, ann.id, cleo.id] })
  const [from, to] = [await channelIdOf(owner, 'from'), await channelIdOf(owner, 'to')]
  const old = await owner.send(to, 'there', 'old')
  const a = await owner.send(from, 'here', 'a')
  const b = await owner.send(from, 'here', 'b')
  const between = await owner.send(to, 'there', 'between')
  const c = await owner.send(from, 'here', 'c')
  await ann.call('POST', '/messages/flags', { messages: [b, between], op: 'add', flag: 'read' })
  const [bens, cleos] = [await ben.register(), await cleo.register()]
  await owner.call('PATCH', `/messages/${a}`, {
    ...NO_NOTICE,
    propagate_mode: 'change_all',
    stream_id: to,
    topic: 'there',
  })
  expect(await unreadMessagesOf(ann)).toEqual([[to, 'there', [old, a, c]]])
  expect(await unreadMessagesOf(cleo)).toEqual([[to, 'there', [old, between]]])
  expect(await unreadMessagesOf(ben)).toEqual([])
  expect(await eventsWithout(bens, 'stream')).toMatchObject([
    {
      type: 'update_message',
      stream_id: from,
      new_stream_id: to,
      message_ids: [a, b, c],
      flags: ['read', 'historical'],
    },
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: [a, b, c] },
  ])
  expect(await eventsWithout(cleos, 'stream')).toMatchObject([
    { type: 'update_message', new_stream_id: to, flags: ['read'] },
  ])
  expect(await topicsOf(ben, from)).toEqual([])
})

it('accepts the topic as `subject`, but not together with `topic`', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const news = await channelIdOf(owner, 'news')
  const message = { type: 'stream', to: news, content: 'hello' }
  const { id } = await owner.call('POST', '/messages', { ...message, subject: 'sent' })
  expect(await topicsOf(owner, news)).toEqual([['sent', id]])
  const both = { topic: 'one', subject: 'other' }
  for (const answer of [
    await owner.try('POST', '/messages', { ...message, ...both }),
    await owner.try('PATCH', `/messages/${id}`, both),
  ]) {
    expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_CONFUSING_VAR', var_name: 'topic' } })
  }
  const moved = await owner.call('PATCH', `/messages/${id}`, { ...NO_NOTICE, subject: 'moved' })
  expect(moved).not.toHaveProperty('ignored_parameters_unsupported')
  expect(await topicsOf(owner, news)).toEqual([['moved', id]])
})

it("updates a message's topic links on a move", async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  await owner.call('POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' })
  const id = await owner.send('news', 'hello', 'a')
  const queue = await owner.register({ event_types: ['update_message'] })
  await owner.call('PATCH', `/messages/${id}`, { ...NO_NOTICE, topic: 'about #12' })
  expect(await queue.events()).toMatchObject([{ topic_links: [{ text: '#12', url: 'https://x.example/12' }] }])
})

it('updates the first message ID of both channels on a move', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['from', 'to'])
  const [from, to] = [await channelIdOf(owner, 'from'), await channelIdOf(owner, 'to')]
  const first = await owner.send(from, 'x', 'first')
  const second = await owner.send(from, 'x', 'second')
  const queue = await owner.register({ event_types: ['stream'] })
  await owner.call('PATCH', `/messages/${first}`, { ...NO_NOTICE, stream_id: to })
  await owner.call('PATCH', `/messages/${second}`, { ...NO_NOTICE, stream_id: to, topic: 'y' })
  expect(await queue.events()).toMatchObject([
    { property: 'first_message_id', stream_id: from, value: second },
    { property: 'first_message_id', stream_id: to, value: first },
    { property: 'first_message_id', stream_id: from, value: null },
  ])
})

it('removes moved messages and flags from people who cannot see the new channel', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['open'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  const [open, secret] = [await channelIdOf(owner, 'open'), await channelIdOf(owner, 'secret')]
  const a = await owner.send(open, 'hello', 'a')
  const b = await owner.send(open, 'hello', 'b')
  for (const reader of [ann, ben]) {
    await reader.call('POST', '/messages/flags', { messages: [a], op: 'add', flag: 'starred' })
  }
  await ann.call('POST', '/user_topics', { stream_id: open, topic: 'hello', visibility_policy: 3 })
  const [anns, olds, bens] = [
    await ann.register(),
    await ann.register({ client_capabilities: {} }),
    await ben.register(),
  ]
  const owners = await owner.register({ event_types: ['update_message', 'delete_message'] })
  await owner.call('PATCH', `/messages/${a}`, { stream_id: secret, propagate_mode: 'change_all', topic: 'hush' })
  expect(await owners.events()).toMatchObject([{ type: 'update_message', message_ids: [a, b], new_stream_id: secret }])
  const gone = { type: 'delete_message', message_type: 'stream', stream_id: open, topic: 'hello' }
  expect(await eventsWithout(anns, 'stream')).toMatchObject([
    { ...gone, message_ids: [a, b] },
    { type: 'user_topic', stream_id: open, topic_name: 'hello', visibility_policy: 0 },
  ])
  expect(await eventsWithout(olds, 'stream')).toMatchObject([
    { ...gone, message_id: a },
    { ...gone, message_id: b },
    { type: 'user_topic' },
  ])
  expect(await eventsWithout(bens, 'stream')).toMatchObject([
    { type: 'update_message_flags', op: 'remove', flag: 'starred', messages: [a] },
  ])
  const { state } = await ann.register()
  expect(state).toMatchObject({ starred_messages: [], user_topics: [], unread_msgs: { count: 0 } })
  expect((await ann.try('GET', `/messages/${a}`)).status).toBe(400)
})

it('moves only readable messages of protected history to another channel', async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['club'], { invite_only: true })
  await owner.subscribe(['open'], { principals: [ann.id, owner.id] })
  const [club, open] = [await channelIdOf(owner, 'club'), await channelIdOf(ann, 'open')]
  const hidden = await owner.send(club, 'hello', 'hidden')
  await owner.subscribe(['club'], { principals: [ann.id] })
  const seen = await owner.send(club, 'hello', 'seen')
  const late = await owner.send(club, 'hello', 'late')
  await ageMessages(server().database, organizationId, [hidden, seen], 604_800 + 21)
  const tooLate = await ann.try('PATCH', `/messages/${late}`, { stream_id: open, propagate_mode: 'change_all' })
  expect(tooLate.body).toMatchObject({
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    first_message_id_allowed_to_move: late,
    total_messages_in_topic: 2,
    total_messages_allowed_to_move: 1,
  })
  await changeSettings(server().parley, organizationId, { move_messages_between_streams_limit_seconds: null })
  const anns = await ann.register()
  await ann.call('PATCH', `/messages/${late}`, { ...NO_NOTICE, stream_id: open, propagate_mode: 'change_all' })
  expect(await eventsWithout(anns, 'stream')).toMatchObject([{ type: 'update_message', message_ids: [seen, late] }])
  expect(await topicsOf(owner, club)).toEqual([['hello', hidden]])
  expect((await ann.try('GET', `/messages/${hidden}`)).status).toBe(400)
})

it('lets only moderators and above move messages older than the time limit', async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const [ann, mod] = [await user('Ann'), await user('Mod', { role: ROLE.moderator })]
  const admin = await user('Ada', { role: ROLE.administrator })
  await owner.subscribe(['news'], { principals: [owner.id, ann.id, mod.id, admin.id] })
  const news = await channelIdOf(owner, 'news')
  const first = await owner.send(news, 'hello', 'first')
  const second = await owner.send(news, 'hello', 'second')
  const third = await owner.send(news, 'hello', 'third')
  await ageMessages(server().database, organizationId, [first], 604_800 + 1)
  await ann.call('PATCH', `/messages/${first}`, { ...NO_NOTICE, topic: 'moved', propagate_mode: 'change_all' })
  await ageMessages(server().database, organizationId, [first], 20)
  const moveError = async (id: number, propagate_mode: string): Promise<Body> =>
    (await ann.try('PATCH', `/messages/${id}`, { topic: 'again', propagate_mode })).body
  const envelope = {
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    first_message_id_allowed_to_move: second,
    total_messages_in_topic: 3,
    total_messages_allowed_to_move: 2,
  }
  expect(await moveError(second, 'change_all')).toMatchObject(envelope)
  expect(await moveError(first, 'change_one')).toMatchObject(envelope)
  expect(await topicsOf(ann, news)).toEqual([['moved', third]])
  // As the error says, later messages can still be moved.
  await ann.call('PATCH', `/messages/${second}`, { ...NO_NOTICE, topic: 'rest', propagate_mode: 'change_later' })
  expect(await topicsOf(ann, news)).toEqual([
    ['rest', third],
    ['moved', first],
  ])
  await owner.call('PATCH', `/messages/${second}`, {
    ...NO_NOTICE,
    topic: 'moved',
    propagate_mode: 'change_later',
  })
  await ageMessages(server().database, organizationId, [second, third], 700_000)
  expect(await moveError(second, 'change_all')).toMatchObject({ first_message_id_allowed_to_move: null })
  for (const [index, mover] of [mod, admin, owner].entries()) {
    await mover.call('PATCH', `/messages/${first}`, {
      ...NO_NOTICE,
      topic: `again ${index}`,
      propagate_mode: 'change_all',
    })
  }
  expect(await topicsOf(ann, news)).toEqual([['again 2', third]])
})

it('applies separate age limits to moves between topics and between channels', async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news', 'work'], { principals: [owner.id, ann.id] })
  const work = await channelIdOf(owner, 'work')
  const id = await owner.send('news', 'hello', 'a')
  await ageMessages(server().database, organizationId, [id], 1_000)
  const attempt = async (changes: Body): Promise<unknown> => {
    const { status, body } = await ann.try('PATCH', `/messages/${id}`, { ...NO_NOTICE, ...changes })
    return status === 200 ? 'moved' : body['code']
  }
  const late = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'
  const limits = async (within: number | null, between: number | null): Promise<void> =>
    changeSettings(server().parley, organizationId, {
      move_messages_within_stream_limit_seconds: within,
      move_messages_between_streams_limit_seconds: between,
    })
  await limits(null, 900)
  expect(await attempt({ stream_id: work })).toBe(late)
  expect(await attempt({ stream_id: work, topic: 'bye' })).toBe(late)
  expect(await attempt({ topic: 'bye' })).toBe('moved')
  await limits(900, null)
  expect(await attempt({ topic: 'again' })).toBe(late)
  expect(await attempt({ stream_id: work, topic: 'again' })).toBe(late)
  expect(await attempt({ stream_id: work })).toBe('moved')
})

it("lets people move messages if the organization's or the channel's permissions allow it", async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const { state } = await owner.register()
  const nobody = state['realm_user_groups'].find((group) => group['name'] === 'role:nobody')?.['id']
  await changeSettings(server().parley, organizationId, {
    can_move_messages_between_topics_group: nobody,
    can_move_messages_between_channels_group: nobody,
    can_resolve_topics_group: nobody,
  })
  const anns = { direct_members: [ann.id], direct_subgroups: [] }
  await owner.subscribe(['granted'], {
    principals: [owner.id, ann.id, ben.id],
    can_move_messages_within_channel_group: anns,
    can_move_messages_out_of_channel_group: anns,
    can_resolve_topics_group: anns,
  })
  await owner.subscribe(['other'], { principals: [owner.id, ann.id, ben.id] })
  await owner.subscribe(['closed'], {
    principals: [owner.id, ann.id],
    can_send_message_group: { direct_members: [owner.id], direct_subgroups: [] },
  })
  const other = await channelIdOf(owner, 'other')
  const id = await owner.send('granted', 'hello', 'a')
  const elsewhere = await owner.send('other', 'hello', 'b')
  const requests = [
    { topic: 'x' },
    { topic: '✔ hello', propagate_mode: 'change_all' },
    { stream_id: other, topic: 'hello' },
    { stream_id: other },
  ]
  for (const parameters of requests) {
    for (const [actor, message] of [
      [ben, id],
      [ann, elsewhere],
      [owner, elsewhere],
    ] as const) {
      const to =
        'stream_id' in parameters && message === elsewhere ? { stream_id: await channelIdOf(owner, 'granted') } : {}
      const { body } = await actor.try('PATCH', `/messages/${message}`, { ...parameters, ...to })
      expect([parameters, body['code']]).toEqual([parameters, 'BAD_REQUEST'])
    }
  }
  expect((await ann.try('PATCH', `/messages/${id}`, { stream_id: await channelIdOf(owner, 'closed') })).status).toBe(
    400,
  )
  await ann.call('PATCH', `/messages/${id}`, { topic: 'x' })
  await ann.call('PATCH', `/messages/${id}`, { topic: '✔ x', propagate_mode: 'change_all' })
  await ann.call('PATCH', `/messages/${id}`, { stream_id: other })
})

it("moves messages only to visible channels, as the channel's topics policy allows", async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.subscribe(['plain'], { topics_policy: 'empty_topic_only' })
  const id = await ann.send('news', 'hello', 'a')
  const hidden = await ann.try('PATCH', `/messages/${id}`, { stream_id: await channelIdOf(owner, 'secret') })
  const absent = await ann.try('PATCH', `/messages/${id}`, { stream_id: 999_999 })
  expect(hidden.body).toEqual(absent.body)
  expect(hidden.status).toBe(400)
  const plain = await channelIdOf(owner, 'plain')
  expect((await owner.try('PATCH', `/messages/${id}`, { stream_id: plain })).status).toBe(400)
  await owner.call('PATCH', `/messages/${id}`, { stream_id: plain, topic: '(no topic)' })
  await changeSettings(server().parley, organizationId, { topics_policy: 'disable_empty_topic' })
  const other = await ann.send('news', 'hello', 'b')
  for (const topic of ['', '(no topic)', 'general chat']) {
    expect((await ann.try('PATCH', `/messages/${other}`, { topic })).status).toBe(400)
  }
})
