import { describe, expect, it } from 'vitest'
import { anyNumber } from '../../testing/expected.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import type { Answer, Body, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

function refusal({ status, body }: Answer): unknown[] {
  return [status, body['code']]
}

async function tryToCreate(user: TestUser, name: string, more: Parameters = {}): Promise<Answer> {
  return user.try('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...more })
}

async function channelSeenBy(user: TestUser, name: string): Promise<Body | undefined> {
  const { streams } = await user.call('GET', '/streams', { include_all: true })
  return streams.find((channel) => channel.name === name)
}

async function groupIds({ owner }: TestOrganization): Promise<Record<string, number>> {
  const { user_groups } = await owner.call('GET', '/user_groups')
  return Object.fromEntries(user_groups.map(({ name, id }) => [name, id]))
}

describe('new public channels', () => {
  it('announces a new public channel to everyone except guests who are not in it', async () => {
    const { owner, user } = await server().organization()
    const [member, other] = [await user('Mia Member'), await user('Otto Other')]
    const inside = await user('Gisa Guest', { role: 600 })
    const outside = await user('Gus Guest', { role: 600 })
    const look = await watch({ owner, member, other, inside, outside })
    const principals = [owner.id, member.id, inside.id]
    expect(await owner.subscribe(['general'], { principals })).toMatchObject({
      subscribed: { [owner.id]: ['general'], [member.id]: ['general'], [inside.id]: ['general'] },
      already_subscribed: {},
    })
    const made = { type: 'stream', op: 'create', streams: [{ name: 'general', subscriber_count: 0 }] }
    const added = { type: 'subscription', op: 'add', subscriptions: [{ name: 'general', subscriber_count: 3 }] }
    const peers = { type: 'subscription', op: 'peer_add', user_ids: principals }
    expect(await look()).toMatchObject({
      owner: [made, added],
      member: [made, added],
      other: [made, peers],
      inside: [made, added],
      outside: [],
    })
  })

  it('gives a new channel the default settings', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const member = await user('Mia Member')
    await member.subscribe(['general'])
    const groups = await groupIds(organization)
    const nobody = groups['role:nobody']
    expect(await channelSeenBy(owner, 'general')).toEqual({
      stream_id: anyNumber,
      name: 'general',
      description: '',
      rendered_description: '',
      date_created: anyNumber,
      creator_id: member.id,
      invite_only: false,
      is_web_public: false,
      history_public_to_subscribers: true,
      is_archived: false,
      message_retention_days: null,
      topics_policy: 'inherit',
      first_message_id: null,
      folder_id: null,
      is_recently_active: true,
      stream_weekly_traffic: null,
      subscriber_count: 1,
      can_add_subscribers_group: nobody,
      can_administer_channel_group: { direct_members: [member.id], direct_subgroups: [] },
      can_delete_any_message_group: nobody,
      can_delete_own_message_group: nobody,
      can_move_messages_out_of_channel_group: nobody,
      can_move_messages_within_channel_group: nobody,
      can_remove_subscribers_group: groups['role:administrators'],
      can_resolve_topics_group: nobody,
      can_send_message_group: groups['role:everyone'],
      can_subscribe_group: nobody,
      stream_post_policy: 1,
      is_announcement_only: false,
    })
  })

  it('accepts a request to announce a new channel even if no announcement channel is set', async () => {
    const { owner } = await server().organization()
    expect(await owner.subscribe(['general'], { announce: true })).not.toHaveProperty('ignored_parameters_unsupported')
  })

  it('renders a channel description as Markdown', async () => {
    const { owner } = await server().organization()
    await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'general', description: 'For **everybody** <script>' }],
    })
    expect(await channelSeenBy(owner, 'general')).toMatchObject({
      description: 'For **everybody** <script>',
      rendered_description: '<p>For <strong>everybody</strong> &lt;script&gt;</p>',
    })
  })

  it('gives no two channels, messages, or users of an organization the same ID', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['one', 'two'])
    const message = await owner.send('one', 'hello', 'hello')
    const [one, two] = [await channelSeenBy(owner, 'one'), await channelSeenBy(owner, 'two')]
    const ids = [owner.id, one?.['stream_id'], two?.['stream_id'], message]
    expect(new Set(ids).size).toBe(ids.length)
    expect(one?.['first_message_id'] ?? message).toBe(message)
  })
})

describe('new private channels', () => {
  it('announces a new private channel only to its subscribers and administrators', async () => {
    const { owner, user } = await server().organization()
    const [member, other] = [await user('Mia Member'), await user('Otto Other')]
    const [admin, moderator] = [await user('Ada Admin', { role: 200 }), await user('Moe Moderator', { role: 300 })]
    const look = await watch({ owner, member, other, admin, moderator })
    await member.subscribe(['secret'], { invite_only: true })
    const made = { type: 'stream', op: 'create', streams: [{ name: 'secret', invite_only: true }] }
    const peers = { type: 'subscription', op: 'peer_add', user_ids: [member.id] }
    expect(await look()).toMatchObject({
      owner: [made, peers],
      member: [made, { type: 'subscription', op: 'add', subscriptions: [{ name: 'secret' }] }],
      other: [],
      admin: [made, peers],
      moderator: [],
    })
    expect(await channelSeenBy(other, 'secret')).toBeUndefined()
    expect(await channelSeenBy(moderator, 'secret')).toBeUndefined()
    expect(await channelSeenBy(admin, 'secret')).toMatchObject({ history_public_to_subscribers: false })
  })

  it.each(['can_add_subscribers_group', 'can_administer_channel_group', 'can_subscribe_group'])(
    'announces a private channel to people and groups named in %s',
    async (permission) => {
      const organization = await server().organization()
      const { owner, user } = organization
      const [named, other] = [await user('Nina Named'), await user('Otto Other')]
      const moderator = await user('Moe Moderator', { role: 300 })
      const look = await watch({ named, other, moderator }, { event_types: ['stream'] })
      const groups = await groupIds(organization)
      const value = { direct_members: [named.id], direct_subgroups: [groups['role:moderators']] }
      await owner.subscribe(['secret'], { invite_only: true, [permission]: value })
      const made = [{ type: 'stream', op: 'create', streams: [{ name: 'secret', [permission]: value }] }]
      expect(await look()).toMatchObject({ named: made, other: [], moderator: made })
      expect(await channelSeenBy(named, 'secret')).toMatchObject({ name: 'secret' })
      expect(await channelSeenBy(other, 'secret')).toBeUndefined()
    },
  )

  it("shares a private channel's history with later subscribers on request", async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['secret'], { invite_only: true, history_public_to_subscribers: true })
    await owner.subscribe(['protected'], { invite_only: true, history_public_to_subscribers: false })
    expect(await channelSeenBy(owner, 'secret')).toMatchObject({ history_public_to_subscribers: true })
    expect(await channelSeenBy(owner, 'protected')).toMatchObject({ history_public_to_subscribers: false })
  })
})

describe('channel names', () => {
  const longest = '🏔️'.repeat(30)

  it('accepts up to 60 characters in a channel name, however many bytes they take', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['🙂'.repeat(60), longest])
    expect(await channelSeenBy(owner, '🙂'.repeat(60))).toBeDefined()
    const answers = ['🙂'.repeat(61), 'x'.repeat(61), `${longest}x`].map(async (name) => tryToCreate(owner, name))
    for (const answer of await Promise.all(answers)) {
      expect(refusal(answer)).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
    }
    expect((await owner.call('GET', '/streams'))['streams']).toHaveLength(2)
  })

  it.each([
    ['no characters', ''],
    ['only whitespace', ' \t '],
    ['only invisible characters', '\u200b'],
    ['a control character', 'gen\u0007eral'],
    ['a line break', 'gen\neral'],
    ['a noncharacter', 'gen\ufffferal'],
  ])('rejects a channel name with %s', async (_, name) => {
    const { owner } = await server().organization()
    expect(refusal(await tryToCreate(owner, name))).toEqual([400, 'BAD_REQUEST'])
    expect((await owner.call('GET', '/streams'))['streams']).toEqual([])
  })

  it.each([
    'общий канал',
    '日本語',
    "l'été / hiver",
    '#1 <b>',
    '100 % "sure"',
    '__proto__',
    'Ελλάς',
    '123',
    'me',
    '👩‍💻🏴‍☠️',
    '\u{1fae9}',
  ])('creates a channel named %s and finds it again', async (name) => {
    const { owner } = await server().organization()
    await owner.subscribe([`  ${name} `])
    const { already_subscribed } = await owner.subscribe([name.toUpperCase(), name.toLowerCase()])
    expect(already_subscribed).toEqual({ [owner.id]: [name] })
    await owner.send(JSON.stringify(name), 'hello', 'found')
    expect(await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: [name] })).toMatchObject({
      removed: [name],
    })
  })

  it('uses the first spelling if a request names a new channel in two spellings', async () => {
    const { owner } = await server().organization()
    const { subscribed } = await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [
        { name: 'General', description: 'first' },
        { name: ' GENERAL ', description: 'second' },
        { name: 'x' },
      ],
    })
    expect(subscribed).toEqual({ [owner.id]: ['General', 'x'] })
    expect(await channelSeenBy(owner, 'General')).toMatchObject({ description: 'first' })
    expect((await owner.call('GET', '/streams'))['streams']).toHaveLength(2)
  })

  it('creates one channel when two people concurrently create channels of the same name', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    const [first, second] = await Promise.all([owner.subscribe(['general']), member.subscribe(['GENERAL'])])
    expect((await owner.call('GET', '/streams'))['streams']).toMatchObject([{ subscriber_count: 2 }])
    const names = Object.values({ ...first.subscribed, ...second.subscribed }).flat()
    expect(new Set(names).size).toBe(1)
  })
})

describe('permission to create channels', () => {
  it('lets only permitted people create public channels', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const [member, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
    const moderator = await user('Moe Moderator', { role: 300 })
    expect(refusal(await tryToCreate(guest, 'general'))).toEqual([400, 'BAD_REQUEST'])
    const groups = await groupIds(organization)
    const changes = { can_create_public_channel_group: groups['role:moderators'] }
    await changeSettings(server().parley, organization.id, changes)
    const look = await watch({ owner })
    expect(refusal(await tryToCreate(member, 'general'))).toEqual([400, 'BAD_REQUEST'])
    expect(await look()).toEqual({ owner: [] })
    expect((await tryToCreate(member, 'secret', { invite_only: true })).status).toBe(200)
    expect((await tryToCreate(moderator, 'general')).status).toBe(200)
  })

  it('lets only permitted people create private channels', async () => {
    const organization = await server().organization()
    const { user } = organization
    const [member, named] = [await user('Mia Member'), await user('Nina Named')]
    const guest = await user('Gus Guest', { role: 600 })
    const value = { direct_members: [named.id], direct_subgroups: [] }
    await changeSettings(server().parley, organization.id, { can_create_private_channel_group: value })
    for (const one of [member, guest]) {
      expect(refusal(await tryToCreate(one, 'secret', { invite_only: true }))).toEqual([400, 'BAD_REQUEST'])
    }
    expect((await tryToCreate(member, 'general')).status).toBe(200)
    expect((await tryToCreate(named, 'secret', { invite_only: true })).status).toBe(200)
  })

  it('creates all channels of a request, or none if any channel is refused', async () => {
    const { owner } = await server().organization()
    const look = await watch({ owner })
    const answer = await owner.try('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'one' }, { name: 'two' }, { name: '\u0007' }],
    })
    expect(refusal(answer)).toEqual([400, 'BAD_REQUEST'])
    expect(await look()).toEqual({ owner: [] })
    expect((await owner.call('GET', '/streams'))['streams']).toEqual([])
  })
})
