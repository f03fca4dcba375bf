import { describe, expect, it } from 'vitest'
import { textLike } from '../../testing/expected.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { ALL_CAPABILITIES, type Parameters, type TestUser } from '../../testing/user.ts'

const server = useTestServer()

interface People {
  readonly organization: TestOrganization
  readonly owner: TestUser
  readonly member: TestUser
  readonly guest: TestUser
}

/**
 * Creates `open` with everyone, `other` with only the owner, and the private channels `ours` (owner and member) and
 * `mine` (only the owner).
 */
async function createChannels(): Promise<People> {
  const organization = await server().organization()
  const { owner, user } = organization
  const [member, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
  await owner.subscribe(['open'], { principals: [owner.id, member.id, guest.id], is_default_stream: true })
  await owner.subscribe(['other'])
  await owner.subscribe(['ours'], { invite_only: true, principals: [owner.id, member.id] })
  await owner.subscribe(['mine'], { invite_only: true })
  return { organization, owner, member, guest }
}

async function listChannelNames(user: TestUser, parameters: Parameters = {}): Promise<unknown[]> {
  const { streams } = await user.call('GET', '/streams', parameters)
  return streams.map((channel) => channel['name'])
}

const EXCLUDE_ALL = { include_public: false, include_subscribed: false }

describe('channel list', () => {
  it('lists public and subscribed channels', async () => {
    const { owner, member, guest } = await createChannels()
    expect(await listChannelNames(owner)).toEqual(['open', 'other', 'ours', 'mine'])
    expect(await listChannelNames(member)).toEqual(['open', 'other', 'ours'])
    expect(await listChannelNames(guest)).toEqual(['open'])
  })

  it('lists only the kinds of channels requested', async () => {
    const { owner, member, guest } = await createChannels()
    expect(await listChannelNames(member, EXCLUDE_ALL)).toEqual([])
    expect(await listChannelNames(member, { include_public: false })).toEqual(['open', 'ours'])
    expect(await listChannelNames(member, { include_subscribed: false })).toEqual(['open', 'other'])
    expect(await listChannelNames(guest, { include_subscribed: false })).toEqual(['open'])
    expect(await listChannelNames(owner, { ...EXCLUDE_ALL, include_web_public: true })).toEqual([])
  })

  it('lists all visible channels on request', async () => {
    const { organization, owner, member, guest } = await createChannels()
    const admin = await organization.user('Ada Admin', { role: 200 })
    for (const flag of ['include_all', 'include_all_active']) {
      expect(await listChannelNames(admin, { ...EXCLUDE_ALL, [flag]: true })).toEqual(['open', 'other', 'ours', 'mine'])
      expect(await listChannelNames(owner, { ...EXCLUDE_ALL, [flag]: true })).toEqual(['open', 'other', 'ours', 'mine'])
      expect(await listChannelNames(member, { ...EXCLUDE_ALL, [flag]: true })).toEqual(['open', 'other', 'ours'])
      expect(await listChannelNames(guest, { ...EXCLUDE_ALL, [flag]: true })).toEqual(['open'])
    }
    expect(await listChannelNames(admin)).toEqual(['open', 'other'])
  })

  it('lists, on request, the channels whose messages the person can read', async () => {
    const { organization, owner, member, guest } = await createChannels()
    const admin = await organization.user('Ada Admin', { role: 200 })
    const named = { direct_members: [member.id, guest.id], direct_subgroups: [] }
    const shared = { invite_only: true, history_public_to_subscribers: true }
    await owner.subscribe(['joinable'], { ...shared, can_subscribe_group: named })
    await owner.subscribe(['administered'], { ...shared, can_administer_channel_group: named })
    const readable = { ...EXCLUDE_ALL, include_can_access_content: true }
    expect(await listChannelNames(admin, readable)).toEqual(['open', 'other'])
    expect(await listChannelNames(member, readable)).toEqual(['open', 'other', 'ours', 'joinable'])
    expect(await listChannelNames(guest, readable)).toEqual(['open', 'joinable'])
    expect(await listChannelNames(member, { ...EXCLUDE_ALL, include_all: true })).toContain('administered')
  })

  it("lists the channels of a bot's owner when the bot requests them", async () => {
    const { organization, owner, member } = await createChannels()
    const bot = await organization.user('Bert Bot', { bot: { ownerId: member.id } })
    const orphan = await organization.user('Ole Bot', { bot: {} })
    expect(await listChannelNames(bot)).toEqual(['open', 'other'])
    expect(await listChannelNames(bot, { ...EXCLUDE_ALL, include_owner_subscribed: true })).toEqual(['open', 'ours'])
    expect(await listChannelNames(orphan, { ...EXCLUDE_ALL, include_owner_subscribed: true })).toEqual([])
    expect(await listChannelNames(owner, { ...EXCLUDE_ALL, include_owner_subscribed: true })).toEqual([])
  })

  it('marks default channels on request', async () => {
    const { member } = await createChannels()
    const { streams } = await member.call('GET', '/streams', { include_default: true })
    expect(streams.map((channel) => channel['is_default'])).toEqual([true, false, false])
    const { streams: without } = await member.call('GET', '/streams')
    expect(without[0]).not.toHaveProperty('is_default')
  })

  it('counts the subscribers of each listed channel', async () => {
    const { owner } = await createChannels()
    const { streams } = await owner.call('GET', '/streams')
    expect(streams.map((channel) => channel['subscriber_count'])).toEqual([3, 1, 2, 1])
  })
})

describe('own subscriptions', () => {
  it('lists subscriptions without subscribers unless requested', async () => {
    const { owner, member, guest } = await createChannels()
    const { subscriptions } = await member.call('GET', '/users/me/subscriptions')
    expect(subscriptions).toMatchObject([{ name: 'open' }, { name: 'ours' }])
    for (const include_subscribers of ['false', false]) {
      expect(await member.call('GET', '/users/me/subscriptions', { include_subscribers })).toMatchObject({
        subscriptions,
      })
    }
    for (const subscription of subscriptions) expect(subscription).not.toHaveProperty('subscribers')
    const open = { subscribers: [owner.id, member.id, guest.id] }
    for (const include_subscribers of ['true', true, 'partial', '"partial"']) {
      expect(await member.call('GET', '/users/me/subscriptions', { include_subscribers })).toMatchObject({
        subscriptions: [open, { subscribers: [owner.id, member.id] }],
      })
    }
    expect(
      (await guest.call('GET', '/users/me/subscriptions', { include_subscribers: true }))['subscriptions'],
    ).toMatchObject([open])
    const { status, body } = await member.try('GET', '/users/me/subscriptions', { include_subscribers: 'some' })
    expect([status, body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
  })

  it('gives a new subscription default personal settings', async () => {
    const { member } = await createChannels()
    const { subscriptions } = await member.call('GET', '/users/me/subscriptions')
    expect(subscriptions).toMatchObject([
      {
        name: 'open',
        color: textLike(/^#[0-9a-f]{6}$/),
        is_muted: false,
        in_home_view: true,
        pin_to_top: false,
        desktop_notifications: null,
        audible_notifications: null,
        push_notifications: null,
        email_notifications: null,
        wildcard_mentions_notify: null,
      },
      { name: 'ours' },
    ])
  })

  it('lists subscribed, left, and never-joined channels separately when a queue is registered', async () => {
    const { owner, member, guest } = await createChannels()
    await member.call('DELETE', '/users/me/subscriptions', { subscriptions: ['open'] })
    const { state } = await member.register({ fetch_event_types: ['subscription'], include_subscribers: 'true' })
    expect(state).toMatchObject({
      subscriptions: [{ name: 'ours', subscribers: [owner.id, member.id] }],
      unsubscribed: [{ name: 'open', subscribers: [owner.id, guest.id], is_muted: false }],
      never_subscribed: [{ name: 'other', subscribers: [owner.id] }],
    })
  })

  it('replaces null notification settings for clients that do not support null', async () => {
    const { member } = await createChannels()
    const { notification_settings_null: _, ...older } = ALL_CAPABILITIES
    const parameters = { fetch_event_types: ['subscription'], client_capabilities: older }
    const { state } = await member.register(parameters)
    const plain = {
      desktop_notifications: false,
      audible_notifications: false,
      push_notifications: false,
      email_notifications: false,
      wildcard_mentions_notify: true,
    }
    expect(state['subscriptions']).toMatchObject([plain, plain])
    const chosen = {
      enable_stream_desktop_notifications: true,
      enable_stream_email_notifications: true,
      wildcard_mentions_notify: false,
    }
    await member.call('PATCH', '/settings', chosen)
    const inherited = { desktop_notifications: true, email_notifications: true, wildcard_mentions_notify: false }
    const { state: later } = await member.register(parameters)
    expect(later['subscriptions']).toMatchObject([inherited, inherited])
  })
})
