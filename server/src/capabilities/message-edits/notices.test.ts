import { describe, expect, it } from 'vitest'
import { ageMessages, ageMoves } from '../../testing/age.ts'
import { useTestServer } from '../../testing/server.ts'
import { eventsOf, type Body, type TestQueue, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

async function channelIdOf(user: TestUser, stream: string): Promise<number> {
  const { stream_id } = await user.call('GET', '/get_stream_id', { stream })
  return stream_id
}

async function receivedNotices(queue: TestQueue): Promise<unknown> {
  return eventsOf(await queue.events(), 'message').map(({ message }) => {
    const { display_recipient, subject, content, sender_full_name } = message
    return [display_recipient, subject, content, sender_full_name]
  })
}

const BOT_NAME = 'Notification Bot'
const mentionHtml = (user: TestUser): string =>
  `<span class="user-mention silent" data-user-id="${user.id}">Olivia Owner</span>`

it('posts a move notice in the new topic by default and in the old topic on request', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['from', 'to'])
  const [from, to] = [await channelIdOf(owner, 'from'), await channelIdOf(owner, 'to')]
  const ids: number[] = []
  for (const content of ['a', 'b', 'c', 'd']) ids.push(await owner.send(from, 'here', content))
  const queue = await owner.register({ apply_markdown: false })
  const rendered = await owner.register()
  const actor = `@_**Olivia Owner|${owner.id}**`
  const move = async (index: number, parameters: Body): Promise<unknown> => {
    await owner.call('PATCH', `/messages/${ids[index]}`, parameters)
    return receivedNotices(queue)
  }
  expect(await move(3, { topic: 'one' })).toEqual([
    ['from', 'one', `A message was moved here from #**from>here** by ${actor}.`, BOT_NAME],
  ])
  expect(await receivedNotices(rendered)).toEqual([
    [
      'from',
      'one',
      `<p>A message was moved here from <a class="stream-topic" data-stream-id="${from}" ` +
        `href="/#narrow/channel/${from}-from/topic/here">#from &gt; here</a> by ${mentionHtml(owner)}.</p>`,
      BOT_NAME,
    ],
  ])
  expect(
    await move(1, {
      topic: 'two',
      propagate_mode: 'change_later',
      send_notification_to_old_thread: true,
      send_notification_to_new_thread: false,
    }),
  ).toEqual([['from', 'here', `2 messages were moved from this topic to #**from>two** by ${actor}.`, BOT_NAME]])
  expect(
    await move(0, { stream_id: to, topic: 'a*b', propagate_mode: 'change_all', send_notification_to_old_thread: true }),
  ).toEqual([
    [
      'from',
      'here',
      expect.stringMatching(/^This topic was moved to http\S+#narrow\/channel\/\S+\/topic\/a\.2Ab by /),
      BOT_NAME,
    ],
    ['to', 'a*b', `This topic was moved here from #**from>here** by ${actor}.`, BOT_NAME],
  ])
})

it('does not name a hidden channel in a move notice', async () => {
  const { owner, user } = await server().organization()
  const [ann, guest] = [await user('Ann'), await user('Gus', { role: 600 })]
  await owner.subscribe(['open'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret', 'second'], { invite_only: true })
  await owner.subscribe(['guests'], { principals: [owner.id, guest.id] })
  const actor = `@_**Olivia Owner|${owner.id}**`
  const queue = await owner.register({ apply_markdown: false })
  const move = async (from: string, to: string): Promise<unknown> => {
    const id = await owner.send(from, 'hush', 'x')
    await receivedNotices(queue)
    await owner.call('PATCH', `/messages/${id}`, {
      stream_id: await channelIdOf(owner, to),
      propagate_mode: 'change_all',
      send_notification_to_old_thread: true,
    })
    return receivedNotices(queue)
  }
  expect(await move('secret', 'open')).toEqual([
    ['secret', 'hush', `This topic was moved to #**open>hush** by ${actor}.`, BOT_NAME],
    ['open', 'hush', `This topic was moved here by ${actor}.`, BOT_NAME],
  ])
  // Even with the same subscribers, a public channel hides the secret one's name: other people can read the notice.
  await owner.subscribe(['plaza'])
  expect(await move('secret', 'plaza')).toEqual([
    ['secret', 'hush', `This topic was moved to #**plaza>hush** by ${actor}.`, BOT_NAME],
    ['plaza', 'hush', `This topic was moved here by ${actor}.`, BOT_NAME],
  ])
  expect(await move('guests', 'open')).toEqual([
    ['guests', 'hush', `This topic was moved to another channel by ${actor}.`, BOT_NAME],
    ['open', 'hush', expect.stringContaining('#**guests>hush**'), BOT_NAME],
  ])
})

it('does not name a topic of protected history in a move notice if a subscriber cannot read the topic', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['vault'], { invite_only: true, history_public_to_subscribers: false })
  for (const content of ['a', 'b', 'c', 'd', 'e']) await owner.send('vault', 'here', content)
  const { messages } = await owner.call('GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: 9 })
  const ids = messages.map(({ id }) => id)
  await owner.subscribe(['vault'], { principals: [ann.id] })
  const queue = await ann.register({ apply_markdown: false })
  const actor = `@_**Olivia Owner|${owner.id}**`
  const tells = { send_notification_to_old_thread: true, propagate_mode: 'change_later' }
  await owner.call('PATCH', `/messages/${ids[3]}`, { topic: 'hidden', ...tells })
  expect(await receivedNotices(queue)).toEqual([
    ['vault', 'here', `Messages were moved from this topic to another topic by ${actor}.`, BOT_NAME],
    ['vault', 'hidden', `Messages were moved here by ${actor}.`, BOT_NAME],
  ])
  // Ann can read only one of the messages.
  const seen = await owner.send('vault', 'hidden', 'f')
  await queue.events()
  await owner.call('PATCH', `/messages/${ids[4]}`, { topic: 'open', ...tells })
  expect(await receivedNotices(queue)).toEqual([
    ['vault', 'hidden', `Messages were moved from this topic to another topic by ${actor}.`, BOT_NAME],
    ['vault', 'open', `Messages were moved here by ${actor}.`, BOT_NAME],
  ])
  await owner.call('PATCH', `/messages/${seen}`, { topic: 'seen', propagate_mode: 'change_one' })
  expect(await receivedNotices(queue)).toEqual([
    ['vault', 'seen', `A message was moved here from #**vault>open** by ${actor}.`, BOT_NAME],
  ])
})

it('names a topic in a move notice only if each subscriber can read its messages', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['vault'], { invite_only: true, history_public_to_subscribers: false })
  const ids = { principals: [ann.id] }
  await owner.subscribe(['vault'], ids)
  const seen = await owner.send('vault', 'here', 'Ann reads it')
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['vault'], ...ids })
  await owner.subscribe(['vault'], { principals: [ben.id] })
  await owner.send('vault', 'here', 'Ben reads it')
  await owner.subscribe(['vault'], ids)
  const queue = await ann.register({ apply_markdown: false })
  await owner.call('PATCH', `/messages/${seen}`, {
    topic: 'there',
    propagate_mode: 'change_all',
    send_notification_to_old_thread: true,
  })
  const actor = `@_**Olivia Owner|${owner.id}**`
  expect(await receivedNotices(queue)).toEqual([
    ['vault', 'here', `This topic was moved to another topic by ${actor}.`, BOT_NAME],
    ['vault', 'there', `This topic was moved here by ${actor}.`, BOT_NAME],
  ])
})

it('posts only a notice of the new status when a topic is resolved or unresolved', async () => {
  const { owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id, ben.id] })
  const news = await channelIdOf(owner, 'news')
  const id = await owner.send(news, 'hello', 'a')
  await ann.call('POST', '/user_topics', { stream_id: news, topic: 'hello', visibility_policy: 3 })
  const [anns, bens] = [await ann.register({ apply_markdown: false }), await ben.register({ apply_markdown: false })]
  await owner.call('PATCH', `/messages/${id}`, {
    topic: '✔ hello',
    propagate_mode: 'change_all',
    send_notification_to_old_thread: true,
    send_notification_to_new_thread: false,
  })
  const events = await anns.events()
  expect(events).toMatchObject([
    { type: 'update_message', orig_subject: 'hello', subject: '✔ hello', message_ids: [id] },
    { type: 'user_topic', topic_name: 'hello', visibility_policy: 0 },
    { type: 'user_topic', topic_name: '✔ hello', visibility_policy: 3 },
    { type: 'message', message: { content: `@_**Olivia Owner|${owner.id}** has marked this topic as resolved.` } },
  ])
  // Users who do not follow the topic get its notice marked as read.
  const [, told, read] = await bens.events()
  const { id: noticeId } = told?.['message'] ?? {}
  expect(read).toMatchObject({ type: 'update_message_flags', op: 'add', flag: 'read', messages: [noticeId] })
  expect((await ben.register()).state['unread_msgs']).toMatchObject({ streams: [{ unread_message_ids: [id] }] })
  expect((await ann.register()).state['unread_msgs']).toMatchObject({
    streams: [{ unread_message_ids: [id, noticeId] }],
  })
  await owner.call('PATCH', `/messages/${id}`, { topic: 'hello', propagate_mode: 'change_all' })
  expect((await anns.events()).at(-1)).toMatchObject({
    message: { subject: 'hello', content: `@_**Olivia Owner|${owner.id}** has marked this topic as unresolved.` },
  })
})

it('resolves a topic of maximum length without counting the prefix', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  for (const length of [59, 60]) {
    const topic = '😀'.repeat(length)
    const id = await owner.send('news', topic, 'a')
    const look = await watch({ owner, ann })
    await owner.call('PATCH', `/messages/${id}`, { topic: `✔ ${topic}`, propagate_mode: 'change_all' })
    expect((await owner.call('GET', `/messages/${id}`))['message']).toMatchObject({ subject: `✔ ${topic}` })
    const seen = await look()
    const moved = { type: 'update_message', orig_subject: topic, subject: `✔ ${topic}` }
    for (const events of [seen['owner'], seen['ann']]) expect(events?.[0]).toMatchObject(moved)
    const more = { topic: `✔ ✔ ${topic}`, propagate_mode: 'change_all' }
    const { status, body } = await owner.try('PATCH', `/messages/${id}`, more)
    expect([status, body['code'], body['msg']]).toEqual([
      400,
      'REQUEST_VARIABLE_INVALID',
      'topic is too long (limit: 60 characters)',
    ])
    expect(await look()).toMatchObject({ ann: [], owner: [] })
  }
})

it('refuses to resolve the empty topic', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['news'])
  const id = await owner.send('news', '', 'a')
  for (const topic of ['✔ ', '✔ general chat']) {
    const { body } = await owner.try('PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_all' })
    expect(body).toMatchObject({ code: 'BAD_REQUEST' })
  }
})

it("omits the mover's name from a move notice if a guest subscriber cannot see that person", async () => {
  const { owner, user } = await server().organization()
  const [mia, gus] = [await user('Mia'), await user('Gus Guest', { role: 600 })]
  await owner.subscribe(['ours'], { principals: [mia.id, gus.id] })
  const groups = (await owner.call('GET', '/user_groups'))['user_groups']
  const members = Number(groups.find(({ name }) => name === 'role:members')?.['id'])
  await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: members } })
  const [first, second] = [await mia.send('ours', 'plans', 'One'), await mia.send('ours', 'plans', 'Two')]
  const queue = await gus.register({ event_types: ['message'], apply_markdown: false })
  await owner.call('PATCH', `/messages/${second}`, { topic: 'other', send_notification_to_old_thread: true })
  await owner.call('PATCH', `/messages/${first}`, { topic: '✔ plans', propagate_mode: 'change_all' })
  expect(await receivedNotices(queue)).toEqual([
    ['ours', 'plans', 'A message was moved from this topic to #**ours>other** by someone.', BOT_NAME],
    ['ours', 'other', 'A message was moved here from #**ours>plans** by someone.', BOT_NAME],
    ['ours', '✔ plans', 'Someone has marked this topic as resolved.', BOT_NAME],
  ])
  // Names are shown because subscribers can see each other.
  await mia.call('PATCH', `/messages/${first}`, { topic: 'plans', propagate_mode: 'change_all' })
  const mover = `@_**Mia|${mia.id}**`
  expect(await receivedNotices(queue)).toEqual([
    ['ours', 'plans', `${mover} has marked this topic as unresolved.`, BOT_NAME],
  ])
})

describe('withdrawn notices', () => {
  const resolving = (topic: string, withdraw_notices = false): Body => ({
    topic,
    propagate_mode: 'change_all',
    withdraw_notices,
  })

  const contentsIn = async (user: TestUser, channelId: number): Promise<unknown> => {
    const { messages } = await user.call('GET', '/messages', {
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: channelId }],
      apply_markdown: false,
    })
    return messages.map(({ subject, content }) => [subject, content])
  }

  it('deletes the notice about resolving on request when the same person takes it back', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
    const news = await channelIdOf(owner, 'news')
    const id = await owner.send(news, 'hello', 'a')
    await owner.call('PATCH', `/messages/${id}`, resolving('✔ hello'))
    const look = await watch({ ann })
    await owner.call('PATCH', `/messages/${id}`, resolving('hello', true))
    const { ann: seen } = await look()
    const [deletion, move] = seen
    expect(deletion).toMatchObject({ type: 'delete_message', topic: '✔ hello' })
    expect(move).toMatchObject({ type: 'update_message', subject: 'hello', message_ids: [id] })
    expect(seen).toHaveLength(2)
    expect(await contentsIn(ann, news)).toEqual([['hello', 'a']])
  })

  it('keeps notices that were answered, have reactions, are old, or are about the move of another person', async () => {
    const { id: organizationId, owner, user } = await server().organization()
    const ann = await user('Ann')
    await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
    const news = await channelIdOf(owner, 'news')
    const newestId = async (): Promise<number> =>
      (await owner.call('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 }))['messages'][0]?.id ?? 0
    const resolved = '@_**Olivia Owner|' + owner.id + '** has marked this topic as resolved.'
    const cases: Record<string, (id: number) => Promise<unknown>> = {
      answered: async () => ann.send(news, '✔ answered', 'Why?'),
      liked: async () => ann.call('POST', `/messages/${await newestId()}/reactions`, { emoji_name: '+1' }),
      old: async () => {
        await ageMessages(server().database, organizationId, [await newestId()], 301)
        await ageMoves(server().database, organizationId, 301)
      },
      foreign: async (id) => {
        await owner.call('PATCH', `/messages/${id}`, { content: 'edited' })
        await ann.call('PATCH', `/messages/${id}`, resolving('foreign', true))
        await ann.call('PATCH', `/messages/${id}`, resolving('✔ foreign'))
      },
    }
    for (const [topic, happen] of Object.entries(cases)) {
      const id = await owner.send(news, topic, 'a')
      await owner.call('PATCH', `/messages/${id}`, resolving(`✔ ${topic}`))
      await happen(id)
      await owner.call('PATCH', `/messages/${id}`, resolving(topic, true))
      expect(await contentsIn(owner, news)).toContainEqual([topic, resolved])
    }
  })

  it('deletes both notices about a move, even answered ones, and leaves their topics as they were', async () => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    await owner.subscribe(['from', 'to'], { principals: [owner.id, ann.id] })
    const [from, to] = [await channelIdOf(owner, 'from'), await channelIdOf(owner, 'to')]
    const ids = [await owner.send(from, 'here', 'a'), await owner.send(from, 'here', 'b')]
    const move = { propagate_mode: 'change_all', send_notification_to_old_thread: true }
    await ann.call('PATCH', `/messages/${ids[1]}`, { ...move, topic: 'there', stream_id: to })
    expect(await contentsIn(owner, from)).toHaveLength(1)
    await owner.send(to, 'there', 'c')
    await ann.call('PATCH', `/messages/${ids[0]}`, {
      propagate_mode: 'change_all',
      topic: 'here',
      stream_id: from,
      send_notification_to_new_thread: false,
      withdraw_notices: true,
    })
    expect(await contentsIn(owner, to)).toEqual([])
    expect(await contentsIn(owner, from)).toEqual([
      ['here', 'a'],
      ['here', 'b'],
      ['here', 'c'],
    ])
  })
})

it('marks notices about moves as read for the person who moved the messages', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  await owner.call('POST', '/user_topics', {
    stream_id: await channelIdOf(owner, 'news'),
    topic: '✔ hello',
    visibility_policy: 3,
  })
  const id = await owner.send('news', 'hello', 'a')
  const look = await watch({ owner, ann })
  await owner.call('PATCH', `/messages/${id}`, { topic: 'bye', propagate_mode: 'change_all' })
  await owner.call('PATCH', `/messages/${id}`, { topic: 'hello', propagate_mode: 'change_all' })
  await owner.call('PATCH', `/messages/${id}`, { topic: '✔ hello', propagate_mode: 'change_all' })
  const flagsOf = (events: Parameters<typeof eventsOf>[0]): unknown =>
    eventsOf(events, 'message').map(({ flags }) => flags)
  const { owner: owners, ann: anns } = await look()
  expect(flagsOf(owners)).toEqual([['read'], ['read'], ['read']])
  expect(flagsOf(anns)).toEqual([[], [], []])
  expect((await owner.register()).state['unread_msgs']).toMatchObject({ streams: [{ unread_message_ids: [id] }] })
})
