import { describe, expect, it } from 'vitest'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import type { Answer, Body, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const NO_ONE = { direct_members: [], direct_subgroups: [] }

async function tryToCreate(user: TestUser, more: Parameters = {}): Promise<Answer> {
  return user.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }], ...more })
}

async function createdChannel(user: TestUser): Promise<Body | undefined> {
  const { streams } = await user.call('GET', '/streams', { include_all: true, include_default: true })
  return streams[0]
}

async function groupIds({ owner }: TestOrganization): Promise<Record<string, number>> {
  const { user_groups } = await owner.call('GET', '/user_groups')
  return Object.fromEntries(user_groups.map(({ name, id }) => [name, id]))
}

async function expectRefused(actor: TestUser, owner: TestUser, more: Parameters, code = 'BAD_REQUEST'): Promise<void> {
  const look = await watch({ owner })
  const { status, body } = await tryToCreate(actor, more)
  expect([status, body['code']]).toEqual([400, code])
  expect(await look()).toEqual({ owner: [] })
  expect(await createdChannel(owner)).toBeUndefined()
}

describe('settings of new channels', () => {
  it.each([
    ['public without history for later subscribers', { history_public_to_subscribers: false }],
    ['web-public on this server', { is_web_public: true }],
    ['web-public and private', { is_web_public: true, invite_only: true }],
    ['web-public without history', { is_web_public: true, history_public_to_subscribers: false }],
    ['private and default', { is_default_stream: true, invite_only: true }],
    ['retained for 0 days', { message_retention_days: 0 }],
    ['retained for a negative time', { message_retention_days: -1 }],
    ['retained for half a day', { message_retention_days: 0.5 }],
    ['retained for too many days', { message_retention_days: 4_000_000_000 }],
    ['retained for an unknown word', { message_retention_days: 'forever' }],
    ['in a missing folder', { folder_id: 7 }],
    ['for a missing group', { can_send_message_group: 999_999 }],
    ['for a missing subgroup', { can_send_message_group: { ...NO_ONE, direct_subgroups: [999_999] } }],
    ['for a missing user', { can_send_message_group: { ...NO_ONE, direct_members: [999_999] } }],
  ])('rejects a new channel that is %s', async (_, settings) => {
    const { owner } = await server().organization()
    await expectRefused(owner, owner, settings)
  })

  it('rejects web-public channels on a server that disables them', async () => {
    const { id, owner } = await server().organization()
    await changeSettings(server().parley, id, { enable_spectator_access: true })
    await expectRefused(owner, owner, { is_web_public: true })
  })

  it.each([
    ['a list as retention', { message_retention_days: [7] }],
    ['an unknown topics policy', { topics_policy: 'none' }],
    ['a null folder', { folder_id: null }],
    ['a group by name', { can_send_message_group: '"role:members"' }],
    ['an incomplete custom group', { can_send_message_group: { direct_members: [] } }],
    ['a word as privacy', { invite_only: 'yes' }],
    ['an overlong description', { subscriptions: [{ name: 'general', description: '🙂'.repeat(1025) }] }],
    ['a number as description', { subscriptions: [{ name: 'general', description: 5 }] }],
    ['no name', { subscriptions: [{ description: 'What?' }] }],
    ['an unknown field', { subscriptions: [{ name: 'general', shade: 'blue' }] }],
    ['names instead of objects', { subscriptions: ['general'] }],
  ])('rejects a new channel with %s', async (_, settings) => {
    const { owner } = await server().organization()
    await expectRefused(owner, owner, settings, 'REQUEST_VARIABLE_INVALID')
  })

  it('rejects a new channel with a permission that names a deactivated user', async () => {
    const { owner, user } = await server().organization()
    const gone = await user('Greta Gone')
    await owner.call('DELETE', `/users/${gone.id}`)
    await expectRefused(owner, owner, { can_subscribe_group: { direct_members: [gone.id], direct_subgroups: [] } })
  })

  it.each([
    ['can_add_subscribers_group', ['role:internet', 'role:everyone']],
    ['can_administer_channel_group', ['role:internet', 'role:everyone']],
    ['can_subscribe_group', ['role:internet', 'role:everyone']],
    ['can_delete_any_message_group', ['role:internet']],
    ['can_delete_own_message_group', ['role:internet']],
    ['can_move_messages_out_of_channel_group', ['role:internet']],
    ['can_move_messages_within_channel_group', ['role:internet']],
    ['can_remove_subscribers_group', ['role:internet']],
    ['can_resolve_topics_group', ['role:internet']],
    ['can_send_message_group', ['role:internet']],
  ])('accepts as %s every role group except %j', async (permission, forbidden) => {
    const organization = await server().organization()
    const { owner } = organization
    const groups = Object.entries(await groupIds(organization))
    const seen: unknown[] = []
    for (const [name, id] of groups) {
      const inside = { ...NO_ONE, direct_subgroups: [id] }
      const direct = await tryToCreate(owner, { subscriptions: [{ name: `for ${name}` }], [permission]: id })
      const nested = await tryToCreate(owner, { subscriptions: [{ name: `inside ${name}` }], [permission]: inside })
      const { streams } = await owner.call('GET', '/streams')
      const shown: Body[] = streams.filter((channel) => channel.name.endsWith(` ${name}`))
      seen.push([name, direct.status, nested.status, shown.map((channel) => channel[permission])])
    }
    const expected = groups.map(([name, id]) =>
      forbidden.includes(name) ? [name, 400, 400, []] : [name, 200, 200, [id, id]],
    )
    expect(seen).toEqual(expected)
  })

  it("returns a permission's people and groups sorted without duplicates, or just the ID of a lone group", async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const [first, second] = [await user('Anna'), await user('Bob')]
    const groups = await groupIds(organization)
    const [moderators, owners, nobody] = ['moderators', 'owners', 'nobody'].map((name) => groups[`role:${name}`])
    const settings = {
      can_send_message_group: {
        direct_members: [second.id, first.id, second.id],
        direct_subgroups: [moderators, owners],
      },
      can_subscribe_group: { direct_members: [], direct_subgroups: [moderators] },
      can_add_subscribers_group: NO_ONE,
    }
    expect((await tryToCreate(owner, settings)).status).toBe(200)
    expect(await createdChannel(owner)).toMatchObject({
      can_send_message_group: { direct_members: [first.id, second.id], direct_subgroups: [owners, moderators] },
      can_subscribe_group: moderators,
      can_add_subscribers_group: nobody,
    })
  })

  it.each([
    ['role:everyone', 1, false],
    ['role:administrators', 2, true],
    ['role:fullmembers', 3, false],
    ['role:moderators', 4, false],
    ['role:owners', 1, false],
  ])('derives the legacy posting policy when %s can post', async (name, stream_post_policy, is_announcement_only) => {
    const organization = await server().organization()
    const groups = await groupIds(organization)
    await tryToCreate(organization.owner, { can_send_message_group: groups[name] })
    expect(await createdChannel(organization.owner)).toMatchObject({ stream_post_policy, is_announcement_only })
  })
})

describe('new default channels', () => {
  it('lets only administrators create default channels', async () => {
    const { owner, user } = await server().organization()
    for (const role of [300, 400] as const) {
      await expectRefused(await user(`Amy Actor ${role}`, { role }), owner, { is_default_stream: true })
    }
    expect((await tryToCreate(await user('Ada Admin', { role: 200 }), { is_default_stream: true })).status).toBe(200)
    expect(await createdChannel(owner)).toMatchObject({ is_default: true })
    const { state } = await owner.register({ fetch_event_types: ['default_streams'] })
    expect(state['realm_default_streams']).toEqual([(await createdChannel(owner))?.['stream_id']])
  })

  it('sends the list of default channels to everyone except guests', async () => {
    const { owner, user } = await server().organization()
    const [member, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
    await owner.subscribe(['general'], { is_default_stream: true, principals: [owner.id, guest.id] })
    const look = await watch({ member, guest }, { event_types: ['default_streams'] })
    await owner.subscribe(['second', 'third'], { is_default_stream: true })
    const { streams } = await owner.call('GET', '/streams')
    const told = [{ type: 'default_streams', default_streams: streams.map((one) => one['stream_id']) }]
    expect(await look()).toEqual({ member: told, guest: [] })
    for (const [one, ids] of [
      [member, told[0]?.default_streams],
      [guest, []],
    ] as const) {
      const { state } = await one.register({ fetch_event_types: ['default_streams'] })
      expect(state['realm_default_streams']).toEqual(ids)
    }
    await owner.call('PATCH', `/users/${member.id}`, { role: 600 })
    await owner.call('PATCH', `/users/${guest.id}`, { role: 400 })
    expect(await look()).toEqual({ member: [{ type: 'default_streams', default_streams: [] }], guest: told })
  })
})

describe('message retention of new channels', () => {
  it.each([
    [7, 7],
    ['7', 7],
    ['unlimited', -1],
    ['"unlimited"', -1],
    ['realm_default', null],
  ])('lets owners set message retention to %j', async (given, shown) => {
    const { owner } = await server().organization()
    expect((await tryToCreate(owner, { message_retention_days: given })).status).toBe(200)
    expect(await createdChannel(owner)).toMatchObject({ message_retention_days: shown })
  })

  it('lets only owners set the message retention of a new channel', async () => {
    const { owner, user } = await server().organization()
    const admin = await user('Ada Admin', { role: 200 })
    for (const message_retention_days of [7, 'unlimited']) await expectRefused(admin, owner, { message_retention_days })
    expect((await tryToCreate(admin, { message_retention_days: 'realm_default' })).status).toBe(200)
  })
})

describe('topics policy of new channels', () => {
  it.each(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only', '"empty_topic_only"'])(
    'creates a channel with the topics policy %s',
    async (topics_policy) => {
      const { owner } = await server().organization()
      expect((await tryToCreate(owner, { topics_policy })).status).toBe(200)
      expect(await createdChannel(owner)).toMatchObject({ topics_policy: topics_policy.replaceAll('"', '') })
    },
  )

  it('lets only permitted people set a topics policy', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const [member, moderator] = [await user('Mia Member'), await user('Moe Moderator', { role: 300 })]
    const groups = await groupIds(organization)
    const changes = { can_set_topics_policy_group: groups['role:moderators'] }
    await changeSettings(server().parley, organization.id, changes)
    await expectRefused(member, owner, { topics_policy: 'disable_empty_topic' })
    expect((await tryToCreate(moderator, { topics_policy: 'disable_empty_topic' })).status).toBe(200)
    await member.subscribe(['another'], { topics_policy: 'inherit' })
  })
})

it('ignores all channel settings, even invalid settings, in a request to join an existing channel', async () => {
  const { owner, user } = await server().organization()
  const member = await user('Mia Member')
  await tryToCreate(owner)
  const before = await createdChannel(owner)
  const settings = {
    is_web_public: true,
    is_default_stream: true,
    history_public_to_subscribers: false,
    message_retention_days: 3,
    folder_id: 7,
    can_send_message_group: 999_999,
    subscriptions: [{ name: 'GENERAL', description: 'another' }],
  }
  const { body } = await tryToCreate(member, settings)
  expect(body).toMatchObject({ subscribed: { [member.id]: ['general'] } })
  expect(await createdChannel(owner)).toEqual({ ...before, subscriber_count: 2 })
})

it('reports unknown parameters of a channel creation request', async () => {
  const { owner } = await server().organization()
  const { body } = await tryToCreate(owner, { can_fly_group: 7, shade: 'blue' })
  expect(body).toMatchObject({ result: 'success', ignored_parameters_unsupported: ['can_fly_group', 'shade'] })
})
