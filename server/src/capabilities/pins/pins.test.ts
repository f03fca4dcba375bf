import { expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { ALL_CAPABILITIES, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { LINK_LIMIT, MAX_LINK_TITLE_CHARACTERS, MAX_LINK_URL_CHARACTERS, PIN_LIMIT } from './contract.ts'

const server = useTestServer()

const WITH_PINS = {
  event_types: ['channel_pins'],
  client_capabilities: { ...ALL_CAPABILITIES, channel_pins: true },
}

interface Fixture extends TestOrganization {
  readonly ann: TestUser
  readonly bob: TestUser
  readonly general: number
}

async function createFixture(): Promise<Fixture> {
  const organization = await server().organization()
  const [ann, bob] = [await organization.user('Ann'), await organization.user('Bob')]
  await organization.owner.subscribe(['general'], { principals: [organization.owner.id, ann.id] })
  return { ...organization, ann, bob, general: await channelNamed(ann, 'general') }
}

const pinsOf = async (user: TestUser, channel: number) =>
  user.call('GET', `/streams/${channel}/pins`, { allow_empty_topic_name: true })

const pinnedIds = async (user: TestUser, channel: number): Promise<number[]> =>
  (await pinsOf(user, channel)).pins.map(({ message_id }) => message_id)

const tryToPin = async (user: TestUser, channel: number, message_id: number): Promise<unknown> => {
  const { status, body } = await user.try('POST', `/streams/${channel}/pins`, { message_id, scope: 'channel' })
  return status === 200 ? 'pinned' : body['msg']
}

const tryToAddLink = async (user: TestUser, channel: number, title = 'Docs', url = '/#docs'): Promise<unknown> => {
  const { status, body } = await user.try('POST', `/streams/${channel}/links`, { title, url })
  return status === 200 ? 'added' : body['msg']
}

async function channelNamed(user: TestUser, stream: string): Promise<number> {
  return (await user.call('GET', '/get_stream_id', { stream })).stream_id
}

it('pins messages to a channel or topic and notifies only clients that support pins', async () => {
  const { ann, bob, general } = await createFixture()
  const [one, two] = [await ann.send('general', 'plans', 'One'), await ann.send('general', '', 'Two')]
  const look = await watch({ ann, bob }, WITH_PINS)
  const lookOlder = await watch({ ann })
  await ann.call('POST', `/streams/${general}/pins`, { message_id: one, scope: 'topic' })
  await bob.call('POST', `/streams/${general}/pins`, { message_id: two, scope: 'topic' })
  await bob.call('POST', `/streams/${general}/pins`, { message_id: one, scope: 'channel' })
  await bob.call('POST', `/streams/${general}/pins`, { message_id: one, scope: 'channel' })
  const pinOf = (message_id: number, topic: string, scope: string, pinned_by: number) => ({
    message_id,
    scope,
    topic,
    pinned_by,
    pinned_at: expect.any(Number) as number,
  })
  const added = (pin: object) => ({ type: 'channel_pins', op: 'add', stream_id: general, pin })
  expect(await pinsOf(ann, general)).toMatchObject({
    pins: [pinOf(two, '', 'topic', bob.id), pinOf(one, 'plans', 'channel', ann.id)],
    links: [],
  })
  await bob.call('DELETE', `/streams/${general}/pins/${one}`)
  const events = [
    added(pinOf(one, 'plans', 'topic', ann.id)),
    added(pinOf(two, '', 'topic', bob.id)),
    added(pinOf(one, 'plans', 'channel', ann.id)),
    { type: 'channel_pins', op: 'remove', stream_id: general, message_id: one },
  ]
  expect(await look()).toEqual({ ann: events, bob: events })
  expect(await lookOlder()).toEqual({ ann: [] })
})

it('adds, updates, reorders, and removes links of a channel', async () => {
  const { ann, bob, general } = await createFixture()
  const look = await watch({ ann, bob }, WITH_PINS)
  const add = async (title: string, url: string) =>
    (await ann.call('POST', `/streams/${general}/links`, { title, url })).link_id
  const [one, two] = [await add(' Docs ', ' https://docs.example.com/a?b#c '), await add('Files', '/#files')]
  await bob.call('PATCH', `/streams/${general}/links/${two}`, { title: 'All files' })
  await bob.call('PATCH', `/streams/${general}/links/${two}`, { url: '/#files' })
  await ann.call('PATCH', `/streams/${general}/links`, { order: [two, one] })
  const common = { created_by: ann.id, created_at: expect.any(Number) as number }
  const docs = { link_id: one, title: 'Docs', url: 'https://docs.example.com/a?b#c', ...common }
  const files = { link_id: two, title: 'Files', url: '/#files', ...common }
  const renamed = { ...files, title: 'All files' }
  expect(await pinsOf(bob, general)).toMatchObject({ pins: [], links: [renamed, docs] })
  await ann.call('DELETE', `/streams/${general}/links/${one}`)
  expect(await pinsOf(bob, general)).toMatchObject({ pins: [], links: [renamed] })
  const event = { type: 'channel_pins', stream_id: general }
  const events = [
    { ...event, op: 'add_link', link: docs },
    { ...event, op: 'add_link', link: files },
    { ...event, op: 'update_link', link: renamed },
    { ...event, op: 'reorder_links', order: [two, one] },
    { ...event, op: 'remove_link', link_id: one },
  ]
  expect(await look()).toEqual({ ann: events, bob: events })
})

it('shows pins of messages in protected history only to people who can read those messages', async () => {
  const { owner, ann, bob } = await createFixture()
  const both = { principals: [owner.id, ann.id], invite_only: true, history_public_to_subscribers: false }
  await owner.subscribe(['secret'], both)
  const secret = await channelNamed(owner, 'secret')
  const early = await ann.send('secret', 'plans', 'Early')
  await owner.subscribe(['secret'], { principals: [bob.id] })
  const late = await ann.send('secret', 'plans', 'Late')
  const look = await watch({ ann, bob }, WITH_PINS)
  expect(await tryToPin(bob, secret, early)).toBe('Invalid message(s)')
  for (const id of [early, late]) expect(await tryToPin(owner, secret, id)).toBe('pinned')
  expect(await tryToAddLink(ann, secret)).toBe('added')
  expect([await pinnedIds(ann, secret), await pinnedIds(bob, secret)]).toEqual([[late, early], [late]])
  expect((await pinsOf(bob, secret)).links).toHaveLength(1)
  const unpin = await bob.try('DELETE', `/streams/${secret}/pins/${early}`)
  expect([unpin.status, unpin.body['msg']]).toEqual([400, 'Invalid message(s)'])
  for (const id of [early, late]) await owner.call('DELETE', `/streams/${secret}/pins/${id}`)
  const seen = await look()
  expect(seen.ann.map(({ op }) => op)).toEqual(['add', 'add', 'add_link', 'remove', 'remove'])
  expect(seen.bob).toEqual(seen.ann.filter((event) => !JSON.stringify(event).includes(`"message_id":${early}`)))
})

it('announces pins to people who can read a private channel without subscribing', async () => {
  const { owner, ann, bob, user } = await createFixture()
  const guest = await user('Gus Guest', { role: ROLE.guest })
  await owner.subscribe(['secret'], {
    principals: [owner.id, ann.id],
    invite_only: true,
    history_public_to_subscribers: true,
    can_subscribe_group: { direct_members: [guest.id], direct_subgroups: [] },
  })
  const secret = await channelNamed(owner, 'secret')
  const look = await watch({ ann, bob, guest }, WITH_PINS)
  const id = await ann.send('secret', 'plans', 'For subscribers and Gus')
  expect([await tryToPin(ann, secret, id), await tryToAddLink(ann, secret)]).toEqual(['pinned', 'added'])
  const seen = await look()
  expect(seen.ann.map(({ op }) => op)).toEqual(['add', 'add_link'])
  expect(seen).toEqual({ ann: seen.ann, bob: [], guest: seen.ann })
  expect(await pinnedIds(guest, secret)).toEqual([id])
})

it('moves pins with their messages and removes pins of deleted messages', async () => {
  const { owner, ann, bob, general } = await createFixture()
  await owner.subscribe(['secret'], { principals: [owner.id, ann.id], invite_only: true })
  const secret = await channelNamed(owner, 'secret')
  const [one, two, three] = [
    await ann.send('general', 'plans', 'One'),
    await ann.send('general', 'plans', 'Two'),
    await ann.send('general', 'plans', 'Three'),
  ]
  await ann.call('POST', `/streams/${general}/pins`, { message_id: one, scope: 'topic' })
  await ann.call('POST', `/streams/${general}/pins`, { message_id: two, scope: 'channel' })
  const look = await watch({ ann, bob }, WITH_PINS)
  const added = (stream_id: number, message_id: number, topic: string): unknown =>
    expect.objectContaining({ op: 'add', stream_id, pin: expect.objectContaining({ message_id, topic }) as unknown })
  const removed = (stream_id: number, message_id: number): unknown =>
    expect.objectContaining({ op: 'remove', stream_id, message_id })

  await ann.call('PATCH', `/messages/${one}`, { topic: 'ideas', propagate_mode: 'change_all' })
  const renamed = [added(general, two, 'ideas'), added(general, one, 'ideas')]
  expect(await look()).toEqual({ ann: renamed, bob: renamed })

  await owner.call('PATCH', `/messages/${two}`, { stream_id: secret, propagate_mode: 'change_later' })
  expect(await look()).toEqual({
    ann: [removed(general, two), added(secret, two, 'ideas')],
    bob: [removed(general, two)],
  })
  expect([await pinnedIds(ann, general), await pinnedIds(ann, secret)]).toEqual([[one], [two]])
  expect((await pinsOf(ann, secret)).pins).toMatchObject([{ scope: 'channel', topic: 'ideas', pinned_by: ann.id }])

  await owner.call('DELETE', `/messages/${two}`)
  await owner.call('POST', `/streams/${general}/delete_topic`, { topic_name: 'ideas' })
  await owner.call('DELETE', `/messages/${three}`)
  expect(await look()).toEqual({ ann: [removed(secret, two), removed(general, one)], bob: [removed(general, one)] })
  expect([await pinnedIds(ann, general), await pinnedIds(ann, secret)]).toEqual([[], []])
})

it('lets people change pins and links if they administer the channel, or can both pin and post', async () => {
  const { owner, ann, bob, user, general } = await createFixture()
  const guest = await user('Gus Guest', { role: ROLE.guest })
  const outsider = await user('Olga Outsider')
  await owner.subscribe(['general', 'secret'], { principals: [guest.id, ann.id], invite_only: true })
  const secret = await channelNamed(owner, 'secret')
  const [open, hidden] = [await ann.send('general', 'plans', 'Open'), await ann.send('secret', 'plans', 'Hidden')]
  const refusal = "You don't have permission to pin messages in this channel."
  const outcomes = async (channel: number, id: number, people: readonly TestUser[]): Promise<unknown[]> =>
    Promise.all(people.map(async (one) => [await tryToPin(one, channel, id), await tryToAddLink(one, channel)]))
  const [allowed, refused] = [
    ['pinned', 'added'],
    [refusal, refusal],
  ]
  const absent = ['Invalid channel ID', 'Invalid channel ID']
  expect(await outcomes(general, open, [owner, ann, bob, guest])).toEqual([allowed, allowed, allowed, refused])
  expect(await outcomes(secret, hidden, [ann, bob, outsider])).toEqual([allowed, absent, absent])
  expect(await outcomes(999_999, hidden, [ann])).toEqual([absent])
  expect(await tryToPin(ann, general, hidden)).toBe('Invalid message(s)')
  expect(await tryToPin(ann, general, await ann.sendTo([bob.id], 'Direct'))).toBe('Invalid message(s)')

  // Only people who can post in a channel can pin there.
  const only = (...people: readonly TestUser[]) => ({
    new: { direct_members: people.map(({ id }) => id), direct_subgroups: [] },
  })
  await owner.call('PATCH', `/streams/${general}`, { can_send_message_group: only(owner) })
  expect(await outcomes(general, open, [ann])).toEqual([refused])
  await owner.call('PATCH', `/streams/${general}`, { can_send_message_group: only(ann, bob, guest) })
  await owner.call('PATCH', '/realm', { can_pin_messages_group: only(bob, guest) })
  await owner.call('PATCH', `/streams/${secret}`, { can_administer_channel_group: only(ann, outsider) })
  expect(await outcomes(general, open, [ann, bob, guest])).toEqual([refused, allowed, allowed])
  // Permission to administer a channel does not include reading it.
  expect(await outcomes(secret, hidden, [ann, outsider])).toEqual([allowed, absent])

  // Moving a message pins nothing where the person cannot pin.
  await ann.subscribe(['mine'])
  const mine = await channelNamed(ann, 'mine')
  const moved = await ann.send('mine', 'plans', 'Mine')
  expect(await tryToPin(ann, mine, moved)).toBe('pinned')
  await ann.call('PATCH', `/messages/${moved}`, { stream_id: general, propagate_mode: 'change_all' })
  expect([await pinnedIds(ann, mine), await pinnedIds(bob, general)]).toEqual([[], [open]])

  await owner.call('DELETE', `/streams/${general}`)
  const archived = 'The channel is archived.'
  expect(await outcomes(general, open, [owner, bob])).toEqual([
    [archived, archived],
    [archived, archived],
  ])
  expect(await pinnedIds(bob, general)).toEqual([open])
})

it('rejects links with invisible titles, or with URLs that lead elsewhere than they seem to', async () => {
  const { ann, general } = await createFixture()
  const longest = `https://example.com/${'a'.repeat(MAX_LINK_URL_CHARACTERS - 20)}`
  for (const url of ['http://example.com', 'HTTPS://example.com/ä?b', 'mailto:a@example.com', '/#a', '#a', longest]) {
    expect(await tryToAddLink(ann, general, '😀'.repeat(MAX_LINK_TITLE_CHARACTERS), url)).toBe('added')
  }
  for (const url of [
    '',
    'example.com',
    'javascript:alert(1)',
    'data:text/html,a',
    'ftp://example.com',
    'https://',
    'https:example.com',
    '//example.com',
    '/\\example.com',
    'https:///example.com',
    'https://\\example.com',
    'https://example.com@example.org',
    '/\t/example.com',
    'https://exa mple.com',
    'https://example.com/\u202Egpj',
  ]) {
    expect([url, await tryToAddLink(ann, general, 'Docs', url)]).toEqual([url, 'Invalid URL'])
  }
  expect(await tryToAddLink(ann, general, 'Docs', `${longest}a`)).toContain('is too long')
  expect(await tryToAddLink(ann, general, 'a'.repeat(MAX_LINK_TITLE_CHARACTERS + 1))).toContain('is too long')
  expect(await tryToAddLink(ann, general, ' \u200B ')).toBe('Title cannot be empty.')
  expect(await tryToAddLink(ann, general, 'Do\u202Ecs')).toBe('Invalid character in title.')
  const { links } = await pinsOf(ann, general)
  const [first] = links
  expect(links).toHaveLength(6)
  const change = async (fields: Record<string, string>): Promise<unknown> =>
    (await ann.try('PATCH', `/streams/${general}/links/${first?.link_id}`, fields)).body['msg']
  expect(await change({ url: 'javascript:alert(1)' })).toBe('Invalid URL')
  expect(await change({ title: '' })).toBe('Title cannot be empty.')
  const reorder = async (order: readonly number[]): Promise<unknown> =>
    (await ann.try('PATCH', `/streams/${general}/links`, { order })).body['msg']
  const ids = links.map(({ link_id }) => link_id)
  for (const order of [[], ids.slice(1), [...ids.slice(1), ids[1] ?? 0], [...ids, 999_999]]) {
    expect(await reorder(order)).toBe("The order must list each of the channel's links exactly once.")
  }
  expect((await pinsOf(ann, general)).links).toEqual(links)
})

it('limits pins and links per channel, and drops the oldest pins if moved messages exceed the limit', async () => {
  const { owner, ann, general } = await createFixture()
  await owner.subscribe(['other'], { principals: [owner.id, ann.id] })
  const other = await channelNamed(ann, 'other')
  const sending = Array.from({ length: PIN_LIMIT.most + 1 }, async () => ann.send('general', 'plans', 'Pinned'))
  const [first = 0, ...rest] = (await Promise.all(sending)).toSorted((a, b) => a - b)
  for (const id of rest) expect(await tryToPin(ann, general, id)).toBe('pinned')
  expect(await tryToPin(ann, general, first)).toBe('A channel can have at most 100 pinned messages.')
  await ann.call('DELETE', `/streams/${general}/pins/${rest[0]}`)
  const moved = [await ann.send('other', 'plans', 'Older'), await ann.send('other', 'plans', 'Newer')]
  for (const id of moved) expect(await tryToPin(ann, other, id)).toBe('pinned')
  await owner.call('PATCH', `/messages/${moved[0]}`, { stream_id: general, propagate_mode: 'change_all' })
  const full = [moved[1], ...rest.slice(1).toReversed()]
  expect(await pinnedIds(ann, general)).toEqual(full)
  const last = await ann.send('other', 'ideas', 'Last')
  expect(await tryToPin(ann, other, last)).toBe('pinned')
  await owner.call('PATCH', `/messages/${last}`, { stream_id: general })
  expect(await pinnedIds(ann, general)).toEqual(full)
  expect(await pinnedIds(ann, other)).toEqual([])
  for (let count = 0; count < LINK_LIMIT.most; count += 1) expect(await tryToAddLink(ann, general)).toBe('added')
  expect(await tryToAddLink(ann, general)).toBe('A channel can have at most 50 links.')
})

it('hides the permission to pin from clients that do not support pins', async () => {
  const { owner, ann } = await createFixture()
  const types = { event_types: ['realm'], fetch_event_types: ['realm'] }
  const [older, newer] = [await ann.register(types), await ann.register({ ...WITH_PINS, ...types })]
  const mentionsOf = ({ state }: typeof older) => JSON.stringify(state).match(/can_pin_messages_group/g)
  expect(mentionsOf(older)).toBeNull()
  expect(mentionsOf(newer)).toHaveLength(2)
  const nobody = { new: { direct_members: [], direct_subgroups: [] } }
  await owner.call('PATCH', '/realm', { can_pin_messages_group: nobody })
  const own = { new: { direct_members: [ann.id], direct_subgroups: [] } }
  await owner.call('PATCH', '/realm', { can_pin_messages_group: own, can_resolve_topics_group: own })
  const dataOf = async (queue: typeof older) => (await queue.events()).map(({ data }) => Object.keys(data ?? {}))
  expect(await dataOf(older)).toEqual([['can_resolve_topics_group']])
  expect(await dataOf(newer)).toEqual([
    ['can_pin_messages_group'],
    ['can_pin_messages_group', 'can_resolve_topics_group'],
  ])
})

it('records pins and links in the audit log, but no content of private channels', async () => {
  const { owner, ann, general } = await createFixture()
  await owner.subscribe(['secret'], { principals: [owner.id, ann.id], invite_only: true })
  const secret = await channelNamed(ann, 'secret')
  const entries: unknown[] = []
  for (const [channel, name] of [
    [general, 'general'],
    [secret, 'secret'],
  ] as const) {
    const id = await ann.send(channel, 'plans', 'Pinned')
    expect(await tryToPin(ann, channel, id)).toBe('pinned')
    await owner.call('PATCH', `/messages/${id}`, { topic: 'ideas' })
    await ann.call('DELETE', `/streams/${channel}/pins/${id}`)
    const { link_id: link } = await ann.call('POST', `/streams/${channel}/links`, { title: 'Docs', url: '/#docs' })
    await ann.call('PATCH', `/streams/${channel}/links/${link}`, { title: 'Texts' })
    await ann.call('DELETE', `/streams/${channel}/links/${link}`)
    const [before, after] = ['Docs: /#docs', 'Texts: /#docs']
    const visible = (...changes: readonly object[]): readonly object[] => (channel === general ? changes : [])
    const changed = { kind: 'pins', acting_user_id: ann.id, target: { type: 'channel', id: channel, name } }
    entries.push(
      {
        ...changed,
        action: 'message_pinned',
        changes: [...visible({ property: 'message', to: id }), { property: 'pinned_to', to: 'channel' }],
      },
      { ...changed, action: 'message_unpinned', changes: visible({ property: 'message', to: id }) },
      { ...changed, action: 'link_added', changes: visible({ property: 'link', to: before }) },
      { ...changed, action: 'link_changed', changes: visible({ property: 'link', from: before, to: after }) },
      { ...changed, action: 'link_removed', changes: visible({ property: 'link', from: after, to: null }) },
    )
  }
  const { entries: recorded } = await owner.call('GET', '/audit_log', { kind: 'pins', user_id: ann.id })
  expect(recorded.toReversed()).toMatchObject(entries)
})
