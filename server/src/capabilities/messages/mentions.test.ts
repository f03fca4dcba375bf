import { expect, it } from 'vitest'
import { textWith } from '../../testing/expected.ts'
import { itemAt } from '../../testing/look-up.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { channelByName } from '../channels/queries/index.ts'
import { notificationBot } from '../users/queries/index.ts'
import { prepareNotice, postMessages } from './actions/post.ts'
import { flagsInEvents, flagsOnRead, createTeam } from './testing/flags.ts'

const server = useTestServer()

async function unreadMentions(user: TestUser): Promise<unknown> {
  const { unread_msgs } = await user.call('POST', '/register', {
    fetch_event_types: ['message', 'update_message_flags'],
    event_types: [],
  })
  return unread_msgs.mentions
}

it('reports a mention in the event, the message, and the unread mentions', async () => {
  const { owner, ann, bob, otto } = await createTeam(server())
  let id = 0
  const flags = await flagsInEvents([owner, ann, bob, otto], async () => {
    id = await owner.send('team', 'hello', 'Hi @**Ann**, and @_**Bob**', { read_by_sender: true })
    return id
  })
  expect(flags).toEqual([['read'], ['mentioned'], [], undefined])
  expect([await unreadMentions(ann), await unreadMentions(bob), await unreadMentions(owner)]).toEqual([[id], [], []])
})

it('reports a mention in a direct message only to people in the conversation', async () => {
  const { owner, ann, bob } = await createTeam(server())
  const flagsAfterSend = (content: string) => flagsInEvents([owner, ann, bob], () => owner.sendTo([ann.id], content))
  expect(await flagsAfterSend('@**Ann** @**Bob**')).toEqual([[], ['mentioned'], undefined])
  const all = ['stream_wildcard_mentioned', 'wildcard_mentioned']
  expect(await flagsAfterSend('@**all** and @**topic**')).toEqual([all, all, undefined])
})

it('ignores silent mentions and mentions in quotes or code', async () => {
  const { owner, ann } = await createTeam(server())
  for (const content of [
    '@_**Ann** @_**all** @_**topic**',
    '> @**Ann** @**all**',
    '`@**Ann**`',
    '```\n@**all**\n```',
  ]) {
    expect(await flagsInEvents([ann], () => owner.send('team', 'hello', content))).toEqual([[]])
  }
  expect(await unreadMentions(ann)).toEqual([])
})

it('removes a mention from unread mentions when its message is read, until the message is marked unread', async () => {
  const { owner, ann } = await createTeam(server())
  const named = await owner.send('team', 'hello', '@**Ann**')
  const wildcard = await owner.send('team', 'hello', '@**everyone**')
  const other = await owner.send('team', 'hello', 'Nobody')
  expect(await unreadMentions(ann)).toEqual([named, wildcard])
  const queue = await ann.register({ event_types: ['update_message_flags'] })
  const messages = [named, wildcard, other]
  await ann.call('POST', '/messages/flags', { messages, op: 'add', flag: 'read' })
  expect(await unreadMentions(ann)).toEqual([])
  await ann.call('POST', '/messages/flags', { messages, op: 'remove', flag: 'read' })
  expect(await unreadMentions(ann)).toEqual([named, wildcard])
  const [, removed] = await queue.events()
  expect(removed).toMatchObject({
    message_details: { [named]: { mentioned: true }, [wildcard]: { mentioned: true }, [other]: { type: 'stream' } },
  })
  expect(removed?.message_details?.[other]).not.toHaveProperty('mentioned')
})

it('keeps a mention when the reader stars and unstars the message', async () => {
  const { owner, ann } = await createTeam(server())
  const id = await owner.send('team', 'hello', '@**Ann**')
  await ann.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  expect(await flagsOnRead(ann, id)).toEqual(['starred', 'mentioned'])
  await ann.call('POST', '/messages/flags', { messages: [id], op: 'remove', flag: 'starred' })
  expect(await flagsOnRead(ann, id)).toEqual(['mentioned'])
})

it('shows a mention to an unsubscribed person who reads the public channel', async () => {
  const { owner, otto } = await createTeam(server())
  const queue = await otto.register({ event_types: ['message'] })
  const id = await owner.send('team', 'hello', '@**Otto** @**all**')
  expect(await queue.events()).toEqual([])
  expect(await flagsOnRead(otto, id)).toEqual(['read', 'mentioned', 'historical'])
  expect(await unreadMentions(otto)).toEqual([])
})

it('stores no mention of a person who cannot read the message', async () => {
  const { owner, ann, otto } = await createTeam(server())
  await owner.subscribe(['secret'], { invite_only: true, history_public_to_subscribers: true, principals: [owner.id] })
  const id = await owner.send('secret', 'hello', '@**Ann** @**all**')
  await owner.subscribe(['secret'], { principals: [ann.id] })
  // The message is history for users who subscribe later.
  expect(await flagsOnRead(ann, id)).toEqual(['read', 'historical'])
  expect(await unreadMentions(ann)).toEqual([])
  expect((await otto.try('GET', `/messages/${id}`)).status).toBe(400)
})

it('reports a channel wildcard mention to every subscriber, including the sender', async () => {
  const { owner, ann, bob, otto } = await createTeam(server())
  for (const word of ['all', 'everyone', 'channel', 'stream']) {
    const flags = ['stream_wildcard_mentioned', 'wildcard_mentioned']
    expect(
      await flagsInEvents([owner, ann, bob, otto], () =>
        owner.send('team', 'hello', `@**${word}**`, { read_by_sender: true }),
      ),
    ).toEqual([['read', ...flags], flags, flags, undefined])
  }
})

it('reports a topic wildcard mention to people who wrote or reacted in the topic', async () => {
  const { owner, ann, bob, otto, user } = await createTeam(server())
  const cleo = await user('Cleo')
  await owner.subscribe(['team'], { principals: [cleo.id] })
  const first = await ann.send('team', 'Topic', 'Something')
  await otto.send('team', 'topic', 'I am not here')
  await bob.call('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' })
  const flags = ['topic_wildcard_mentioned', 'wildcard_mentioned']
  let id = 0
  const arrived = await flagsInEvents([owner, ann, bob, cleo, otto], async () => {
    id = await owner.send('team', 'TOPIC', '@**topic**', { read_by_sender: true })
    return id
  })
  expect(arrived).toEqual([['read', ...flags], flags, flags, [], undefined])
  expect([await unreadMentions(ann), await unreadMentions(bob), await unreadMentions(cleo)]).toEqual([[id], [id], []])
})

it('lets only permitted people mention a channel with more than 15 subscribers', async () => {
  const { owner, ann, bob, user } = await createTeam(server())
  const more: number[] = []
  for (let index = 0; index < 12; index += 1) more.push((await user(`More ${index}`)).id)
  await owner.subscribe(['team'], { principals: more })
  await ann.send('team', 'hello', '@**all**')
  const last = await user('The last')
  await owner.subscribe(['team'], { principals: [last.id] })
  const queue = await bob.register({ event_types: ['message'] })
  const refused = await ann.try('POST', '/messages', {
    type: 'stream',
    to: 'team',
    topic: 'hello',
    content: '@**all**',
  })
  expect([refused.status, refused.body['code']]).toEqual([400, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'])
  expect(await queue.events()).toEqual([])
  await ann.send('team', 'hello', '@_**all**')
  await owner.send('team', 'hello', '@**all**')
})

it('lets only permitted people mention a topic with more than 15 participants', async () => {
  const { owner, ann, bob, user } = await createTeam(server())
  const crowd: TestUser[] = []
  for (let index = 0; index < 15; index += 1) crowd.push(await user(`More ${index}`))
  await owner.subscribe(['team'], { principals: crowd.map(({ id }) => id) })
  for (const one of crowd.slice(0, 14)) await one.send('team', 'busy', 'Me too')
  await ann.send('team', 'busy', '@**topic**')
  const queue = await bob.register({ event_types: ['message'] })
  const message = { type: 'stream', to: 'team', topic: 'busy', content: '@**topic**' }
  const refused = await crowd[14]?.try('POST', '/messages', message)
  expect([refused?.status, refused?.body['code']]).toEqual([400, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'])
  expect(await queue.events()).toEqual([])
  await ann.send('team', 'busy', '@**topic**')
  await crowd[14]?.send('team', 'quiet', '@**topic**')
  await owner.send('team', 'busy', '@**topic**')
})

it('counts and mentions only topic participants that the author can see', async () => {
  const { owner, ann, bob, user } = await createTeam(server())
  const crowd: TestUser[] = []
  for (let index = 0; index < 16; index += 1) crowd.push(await user(`Early ${index}`))
  const principals = [owner, bob, ...crowd].map(({ id }) => id)
  await owner.subscribe(['club'], { principals, invite_only: true, history_public_to_subscribers: false })
  for (const one of crowd) await one.send('club', 'busy', 'Before Ann')
  const [early, late] = [itemAt(crowd, 0), itemAt(crowd, 1)]
  await owner.subscribe(['club'], { principals: [ann.id] })
  const message = { type: 'stream', to: 'club', content: '@**topic**' }
  const { status, body } = await bob.try('POST', '/messages', { ...message, topic: 'busy' })
  expect([status, body['code']]).toEqual([400, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'])
  const flags = ['topic_wildcard_mentioned', 'wildcard_mentioned']
  const people = [ann, early, late]
  const mention = (topic: string) => flagsInEvents(people, () => ann.send('club', topic, '@**topic**'))
  // To Ann, the topic looks like a new topic.
  expect(await mention('busy')).toEqual(await mention('quiet'))
  const seen = await late.send('club', 'busy', 'After Ann')
  await bob.call('POST', `/messages/${seen}/reactions`, { emoji_name: 'tada' })
  expect(await mention('busy')).toEqual([flags, [], flags])
  for (const one of crowd.slice(2, 15)) await one.send('club', 'busy', 'Again')
  const refused = await ann.try('POST', '/messages', { ...message, topic: 'busy' })
  expect([refused.status, refused.body['code']]).toEqual([400, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'])
})

it('mentions a deactivated person silently unless an active person has the same name', async () => {
  const { owner, user, bob } = await createTeam(server())
  const [gone, twin] = [await user('Gone'), await user('Cleo')]
  for (const one of [gone, twin]) await owner.call('DELETE', `/users/${one.id}`)
  const cleo = await user('Cleo')
  const rendered = async (content: string) => (await bob.call('POST', '/messages/render', { content }))['rendered']
  const pill = (id: number, name: string, silent = '') =>
    `<p><span class="user-mention${silent}" data-user-id="${id}">${name}</span></p>`
  expect(await rendered('@**Gone**')).toBe(pill(gone.id, 'Gone', ' silent'))
  expect(await rendered(`@**Gone|${gone.id}**`)).toBe(pill(gone.id, 'Gone', ' silent'))
  expect(await rendered('@**Cleo**')).toBe(pill(cleo.id, '@Cleo'))
  expect(await flagsInEvents([bob, cleo], () => owner.send('team', 'hello', '@**Gone**'))).toEqual([[], undefined])
})

it('marks messages of a muted sender as read, even messages that mention the reader', async () => {
  const { owner, ann, bob } = await createTeam(server())
  await ann.call('POST', `/users/me/muted_users/${bob.id}`)
  const flagsAfterSend = () => bob.send('team', 'hello', '@**Ann**')
  expect(await flagsInEvents([owner, ann], flagsAfterSend)).toEqual([[], ['read', 'mentioned']])
  expect(await flagsInEvents([owner, ann], () => bob.sendTo([owner.id, ann.id], 'Psst'))).toEqual([[], ['read']])
  const { unread_msgs } = (await ann.register()).state
  expect(unread_msgs).toMatchObject({ mentions: [], huddles: [] })
  await ann.call('DELETE', `/users/me/muted_users/${bob.id}`)
  expect(await flagsInEvents([ann], flagsAfterSend)).toEqual([['mentioned']])
})

it("updates mention flags after an edit but keeps each reader's other flags", async () => {
  const { owner, ann, bob, otto } = await createTeam(server())
  await bob.call('POST', '/users/me/alert_words', { alert_words: ['lunch'] })
  const id = await owner.send('team', 'hello', '@**Ann** lunch?')
  await ann.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  // Later subscribers did not receive the message, so its edits do not reach them.
  await owner.subscribe(['team'], { principals: [otto.id] })
  const change = async (content: string): Promise<unknown> => owner.call('PATCH', `/messages/${id}`, { content })
  await change('@**Bob** @**topic**')
  const topic = ['topic_wildcard_mentioned', 'wildcard_mentioned']
  expect([await flagsOnRead(ann, id), await flagsOnRead(bob, id)]).toEqual([['starred'], ['mentioned']])
  expect(await flagsOnRead(owner, id)).toEqual(topic)
  await change('Nobody')
  expect([await flagsOnRead(ann, id), await flagsOnRead(bob, id), await flagsOnRead(owner, id)]).toEqual([
    ['starred'],
    [],
    [],
  ])
  await change('@**Otto**, lunch')
  expect(await flagsOnRead(bob, id)).toEqual(['has_alert_word'])
  expect(await flagsOnRead(otto, id)).toEqual(['read', 'mentioned', 'historical'])
})

it('sets the same flags for a message that the server posts as for a message that a user sends', async () => {
  const { id: organizationId, owner, ann, bob } = await createTeam(server())
  await ann.call('POST', '/users/me/alert_words', { alert_words: ['moved'] })
  const log = await server().parley.logs.of(organizationId)
  const queues = [await owner.register({ event_types: ['message'] }), await ann.register({ event_types: ['message'] })]
  await bob.call('POST', `/users/me/muted_users/${notificationBot(log.organization).id}`)
  const [id = 0] = await log.write(async (tx) => {
    const channel = channelByName(tx.organization, 'team')
    if (channel === undefined) throw new Error('no such channel')
    const content = `Moved by @**Olivia Owner|${owner.id}**, @**all**`
    return postMessages(tx, [await prepareNotice(tx, server().parley.facts, { channel, topic: 'hello' }, content)])
  })
  const wildcard = ['stream_wildcard_mentioned', 'wildcard_mentioned']
  const expected = [
    ['mentioned', ...wildcard],
    [...wildcard, 'has_alert_word'],
  ]
  const arrived = []
  for (const queue of queues) arrived.push(...(await queue.events()).map((event) => event['flags']))
  expect(arrived).toEqual(expected)
  expect([await flagsOnRead(owner, id), await flagsOnRead(ann, id)]).toEqual(expected)
  expect(await flagsOnRead(bob, id)).toEqual(['read', ...wildcard])
})

it('mentions the members of a group and its subgroups who receive the message', async () => {
  const { owner, ann, bob, otto, user } = await createTeam(server())
  const cleo = await user('Cleo')
  await owner.subscribe(['team'], { principals: [cleo.id] })
  const make = async (name: string, more: Body): Promise<number> => {
    const { group_id } = await owner.call('POST', '/user_groups/create', {
      name,
      description: '',
      members: [],
      ...more,
    })
    return group_id
  }
  const inner = await make('inner', { members: [bob.id, otto.id] })
  await make('outer', { members: [ann.id], subgroups: [inner] })
  const flags = (content: string) =>
    flagsInEvents([ann, bob, cleo, otto], () => owner.send('team', 'hello', content, { read_by_sender: true }))
  expect(await flags('@*outer*')).toEqual([['mentioned'], ['mentioned'], [], undefined])
  expect(await flags('@*inner*')).toEqual([[], ['mentioned'], [], undefined])
  expect(await flags('@_*outer*')).toEqual([[], [], [], undefined])
  // Otto is in the group and can read the channel, but did not receive the message.
  const id = await owner.send('team', 'hello', '@*inner*')
  expect(await flagsOnRead(otto, id)).toEqual(['read', 'historical'])
})

it('refuses audible mentions of a restricted group but not silent or quoted mentions', async () => {
  const { owner, ann, bob } = await createTeam(server())
  const { group_id } = await owner.call('POST', '/user_groups/create', {
    name: 'quiet',
    description: '',
    members: [bob.id],
    can_mention_group: { direct_members: [owner.id], direct_subgroups: [] },
  })
  const queue = await bob.register({ event_types: ['message'] })
  for (const name of ['quiet', 'role:members']) {
    const message = { type: 'stream', to: 'team', topic: 'hello', content: `Hi @*${name}*` }
    const { status, body } = await ann.try('POST', '/messages', message)
    expect([status, body['code'], body['msg']]).toEqual([
      400,
      'BAD_REQUEST',
      `You are not allowed to mention user group '${name}'.`,
    ])
  }
  expect(await queue.events()).toEqual([])
  await ann.send('team', 'hello', '@_*quiet*\n\n> @*quiet*\n\n`@*quiet*`')
  await owner.send('team', 'hello', '@*quiet*')
  const span = `data-user-group-id="${group_id}"`
  expect(await queue.events()).toMatchObject([
    { flags: [], message: { content: textWith(`silent" ${span}`) } },
    { flags: ['mentioned'], message: { content: `<p><span class="user-group-mention" ${span}>@quiet</span></p>` } },
  ])
})
