import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Answer, Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { expectFull } from '../../testing/full.ts'
import { CHANNEL_LIMIT } from './contract/index.ts'

const server = useTestServer()

function refusal({ status, body }: Answer): unknown[] {
  return [status, body['code']]
}

async function channelNames(user: TestUser): Promise<unknown[]> {
  const { streams } = await user.call('GET', '/streams', { include_all: true })
  return streams.map((channel) => channel.name)
}

describe('channel creation', () => {
  it('creates a channel with subscribers, notifies its viewers, and returns its ID', async () => {
    const { owner, user } = await server().organization()
    const [member, guest] = [await user('Mia Member'), await user('Gisa Guest', { role: 600 })]
    const outside = await user('Gus Guest', { role: 600 })
    const look = await watch({ owner, member, guest, outside })
    const { id } = await owner.call('POST', '/channels/create', {
      name: ' plans ',
      description: 'For **us**',
      subscribers: [guest.id, member.id, guest.id],
      is_default_stream: true,
      send_new_subscription_messages: false,
    })
    const made = { type: 'stream', op: 'create', streams: [{ stream_id: id, name: 'plans', creator_id: owner.id }] }
    const added = { type: 'subscription', op: 'add', subscriptions: [{ stream_id: id, subscriber_count: 2 }] }
    const defaults = { type: 'default_streams', default_streams: [id] }
    const peers = { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [member.id, guest.id] }
    expect(await look()).toMatchObject({
      owner: [made, peers, defaults],
      member: [made, added, defaults],
      guest: [made, added],
      outside: [],
    })
  })

  it('creates a channel with all given settings and no subscribers', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    const { channel_folder_id } = await owner.call('POST', '/channel_folders/create', { name: 'F', description: '' })
    const group = { direct_members: [member.id], direct_subgroups: [] }
    const { id } = await owner.call('POST', '/channels/create', {
      name: 'plans',
      subscribers: [],
      invite_only: true,
      history_public_to_subscribers: true,
      folder_id: channel_folder_id,
      topics_policy: 'empty_topic_only',
      message_retention_days: 7,
      can_send_message_group: group,
      can_subscribe_group: group,
    })
    expect((await member.call('GET', `/streams/${id}`))['stream']).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: true,
      folder_id: channel_folder_id,
      topics_policy: 'empty_topic_only',
      message_retention_days: 7,
      can_send_message_group: group,
      can_subscribe_group: group,
      subscriber_count: 0,
    })
    await owner.call('POST', '/channels/create', { name: 'no folder', subscribers: [], folder_id: null })
  })

  it('creates a public channel with default settings from a name and subscribers', async () => {
    const { owner } = await server().organization()
    const look = await watch({ owner }, { event_types: ['default_streams', 'message'] })
    const { id } = await owner.call('POST', '/channels/create', { name: 'plans', subscribers: [owner.id] })
    await owner.subscribe(['other'])
    const { streams } = await owner.call('GET', '/streams', { include_default: true })
    const [plans, other] = streams
    expect(plans).toMatchObject({
      stream_id: id,
      description: '',
      invite_only: false,
      is_web_public: false,
      is_default: false,
      history_public_to_subscribers: true,
      folder_id: null,
      topics_policy: 'inherit',
      message_retention_days: null,
    })
    const own = { stream_id: id, name: 'plans', date_created: plans?.date_created }
    expect({ ...other, ...own }).toEqual(plans)
    expect(await look()).toEqual({ owner: [] })
  })

  it('accepts a group, or people and groups, as the value of every channel permission', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    const { user_groups } = await owner.call('GET', '/user_groups')
    const moderators = user_groups.find((group) => group.name === 'role:moderators')?.id
    for (const [name, value] of [
      ['one', moderators],
      ['two', { direct_members: [member.id], direct_subgroups: [moderators] }],
    ] as const) {
      const permissions = Object.fromEntries(
        [
          'can_add_subscribers_group',
          'can_delete_any_message_group',
          'can_delete_own_message_group',
          'can_remove_subscribers_group',
          'can_administer_channel_group',
          'can_move_messages_out_of_channel_group',
          'can_move_messages_within_channel_group',
          'can_send_message_group',
        ].map((permission) => [permission, value]),
      )
      const { id } = await owner.call('POST', '/channels/create', { name, subscribers: [], ...permissions })
      expect((await owner.call('GET', `/streams/${id}`))['stream']).toMatchObject(permissions)
    }
  })

  it('refuses a channel with a taken name or invalid values, and sends no events', async () => {
    const { owner, user } = await server().organization()
    const [member, gone] = [await user('Mia Member'), await user('Leo Leaver')]
    await owner.call('DELETE', `/users/${gone.id}`)
    await owner.subscribe(['secret'], { invite_only: true })
    const look = await watch({ owner })
    const create = async (actor: TestUser, more: Body): Promise<unknown[]> =>
      refusal(await actor.try('POST', '/channels/create', { name: 'plans', subscribers: [actor.id], ...more }))
    expect(await create(owner, { name: 'SECRET' })).toEqual([409, 'CHANNEL_ALREADY_EXISTS'])
    expect(await create(member, { name: ' secret ' })).toEqual([409, 'CHANNEL_ALREADY_EXISTS'])
    for (const wrong of [
      { name: '' },
      { name: '🎉'.repeat(61) },
      { description: 'x'.repeat(1_025) },
      { subscribers: [999_999] },
      { subscribers: [owner.id, gone.id] },
      { subscribers: 'me' },
      { subscribers: [owner.email] },
      { is_default_stream: true, invite_only: true },
      { folder_id: 999_999 },
      { is_web_public: true },
      { can_send_message_group: 999_999 },
    ]) {
      const [status] = await create(owner, wrong)
      expect({ wrong, status }).toEqual({ wrong, status: 400 })
    }
    for (const nobody of [999_999, 0, gone.id]) {
      expect(await create(owner, { subscribers: [owner.id, nobody] })).toEqual([400, 'BAD_REQUEST'])
    }
    expect(await look()).toEqual({ owner: [] })
    expect(await channelNames(owner)).toEqual(['secret'])
  })

  it('reveals taken channel names only to people who can create channels', async () => {
    const { owner, user } = await server().organization()
    const guest = await user('Gus Guest', { role: 600 })
    await owner.subscribe(['taken'])
    for (const name of ['taken', 'free']) {
      const { status, body } = await guest.try('POST', '/channels/create', { name, subscribers: [guest.id] })
      expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', 'Insufficient permission'])
    }
  })
})

describe('combined subscription changes', () => {
  it('joins, leaves, and creates channels in one request', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.subscribe(['one', 'two', 'three'])
    await member.subscribe(['two', 'three'])
    const look = await watch({ member })
    const answer = await member.call('PATCH', '/users/me/subscriptions', {
      add: [{ name: 'One', color: '#a1b2c3' }, { name: 'three' }, { name: 'four', color: '#fff', description: 'New' }],
      delete: ['two', 'TWO'],
    })
    expect(answer).toMatchObject({
      subscribed: { [member.id]: ['one', 'four'] },
      already_subscribed: { [member.id]: ['three'] },
      removed: ['two'],
      not_removed: [],
    })
    expect((await look()).member).toMatchObject([
      { op: 'remove', subscriptions: [{ name: 'two' }] },
      { op: 'add', subscriptions: [{ name: 'one', color: '#a1b2c3' }] },
      { type: 'stream', op: 'create', streams: [{ name: 'four', description: 'New' }] },
      { op: 'add', subscriptions: [{ name: 'four', color: '#fff' }] },
    ])
  })

  it('makes all subscription changes of a request, or none if any change is refused', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.subscribe(['one'])
    await owner.subscribe(['secret'], { invite_only: true })
    await member.subscribe(['two'])
    const look = await watch({ member })
    for (const [parameters, code] of [
      [{}, 'BAD_REQUEST'],
      [{ add: [], delete: [] }, 'BAD_REQUEST'],
      [{ add: [{ name: 'one' }], delete: ['absent'] }, 'STREAM_DOES_NOT_EXIST'],
      [{ add: [{ name: 'one' }], delete: ['secret'] }, 'STREAM_DOES_NOT_EXIST'],
      [{ add: [{ name: 'secret' }], delete: ['two'] }, 'BAD_REQUEST'],
      [{ add: [{ name: 'Two' }], delete: ['two'] }, 'BAD_REQUEST'],
      [{ add: [{ name: 'one', color: 'red' }], delete: ['two'] }, 'BAD_REQUEST'],
      [{ add: [{ name: 'x'.repeat(61) }], delete: ['two'] }, 'REQUEST_VARIABLE_INVALID'],
      [{ add: [{ color: '#fff' }] }, 'REQUEST_VARIABLE_INVALID'],
    ] as const) {
      const answer = await member.try('PATCH', '/users/me/subscriptions', parameters)
      expect([parameters, ...refusal(answer)]).toEqual([parameters, 400, code])
    }
    expect(await look()).toEqual({ member: [] })
  })
})

describe('subscriptions of a reactivated account', () => {
  it('resubscribes a reactivated account without marking the messages it missed as unread', async () => {
    const { owner, user } = await server().organization()
    const leaver = await user('Leo Leaver')
    await owner.subscribe(['open', 'left'], { principals: [owner.id, leaver.id] })
    await leaver.call('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
    await owner.subscribe(['secret'], { invite_only: true, principals: [owner.id, leaver.id] })
    const before = await owner.send('secret', 'x', 'before')
    await owner.call('DELETE', `/users/${leaver.id}`)
    const meanwhile = [await owner.send('secret', 'x', 'meanwhile'), await owner.send('open', 'x', 'meanwhile')]
    const look = await watch({ owner })
    await owner.call('POST', `/users/${leaver.id}/reactivate`)
    const { streams } = await owner.call('GET', '/streams', { include_all: true })
    const id = (name: string): unknown => streams.find((one) => one.name === name)?.stream_id
    const peer = (name: string): Body => ({
      type: 'subscription',
      op: 'peer_add',
      stream_ids: [id(name)],
      user_ids: [leaver.id],
    })
    expect((await look()).owner.filter(({ type }) => type === 'subscription')).toEqual([peer('open'), peer('secret')])
    const after = await owner.send('secret', 'x', 'after')
    await leaver.fetchApiKey()
    const { state } = await leaver.register()
    expect(state.subscriptions.map((one) => one.name)).toEqual(['open', 'secret'])
    expect(state.unread_msgs.streams).toMatchObject([{ unread_message_ids: [after] }])
    const readable = async (messageId: number | undefined): Promise<boolean> =>
      (await leaver.try('GET', `/messages/${messageId ?? 0}`)).status === 200
    expect(await Promise.all([before, ...meanwhile, after].map(readable))).toEqual([true, false, true, true])
  })
})

it('limits the number of channels per creator, including archived channels', async () => {
  await expectFull(CHANNEL_LIMIT, {
    fill: [
      `insert into channels
       select (jsonb_populate_record(c, jsonb_build_object(
         'id', 1000000 + n, 'name', 'c' || n, 'name_key', 'c' || n, 'is_archived', n % 2 = 0))).*
       from channels c, generate_series(2, $3::int) n where c.organization_id = $1 and c.creator_id = $2`,
    ],
    make: async (owner) => owner.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'more' }] }),
    refusal: 'A user can create at most 5000 channels.',
  })
})
