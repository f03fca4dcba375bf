import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import { ALL_CAPABILITIES, type Body, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: 'on' })

async function channelNamed(user: TestUser, name: string): Promise<Body> {
  const { streams } = await user.call('GET', '/streams', { include_all: true, exclude_archived: false })
  return streams.find((one) => one.name === name) ?? {}
}

async function idOf(user: TestUser, name: string): Promise<number> {
  return Number((await channelNamed(user, name))['stream_id'])
}

async function createPeople() {
  const { id, owner, user } = await server().organization()
  const [admin, member] = [await user('Ada Admin', { role: 200 }), await user('Mia Member')]
  const [named, guest] = [await user('Nina Named'), await user('Gus Guest', { role: 600 })]
  const [inside, former] = [await user('Gisa Guest', { role: 600 }), await user('Fred Former')]
  return { organizationId: id, owner, admin, member, named, guest, inside, former }
}

function privacyEvent(id: number, invite_only: boolean, history: boolean, web = false): Body {
  return {
    type: 'stream',
    op: 'update',
    stream_id: id,
    name: 'plans',
    property: 'invite_only',
    value: invite_only,
    history_public_to_subscribers: history,
    is_web_public: web,
  }
}

describe('channels that become private', () => {
  it('sends a deletion event to people who can no longer see a channel after it becomes private', async () => {
    const { owner, admin, member, named, guest, inside, former } = await createPeople()
    await owner.subscribe(['plans'], {
      principals: [owner.id, inside.id, former.id],
      can_subscribe_group: { direct_members: [named.id], direct_subgroups: [] },
    })
    await former.call('DELETE', '/users/me/subscriptions', { subscriptions: ['plans'] })
    const id = await idOf(owner, 'plans')
    const look = await watch({ owner, admin, member, named, guest, inside, former })
    await owner.call('PATCH', `/streams/${id}`, { is_private: true })
    const gone = { type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] }
    const update = privacyEvent(id, true, false)
    expect(await look()).toEqual({
      owner: [update],
      admin: [update],
      member: [gone],
      named: [update],
      guest: [],
      inside: [update],
      former: [gone],
    })
    expect(await channelNamed(member, 'plans')).toEqual({})
    expect(await channelNamed(inside, 'plans')).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: false,
    })
  })

  it('hides earlier messages from later subscribers unless history is shared', async () => {
    const { owner, member } = await createPeople()
    await owner.subscribe(['plans', 'notes'])
    const [plans, notes] = [await idOf(owner, 'plans'), await idOf(owner, 'notes')]
    const [said, noted] = [await owner.send('plans', 'x', 'hello'), await owner.send('notes', 'x', 'hello')]
    await owner.call('PATCH', `/streams/${plans}`, { is_private: true })
    await owner.call('PATCH', `/streams/${notes}`, { is_private: true, history_public_to_subscribers: true })
    for (const id of [said, noted]) expect((await member.try('GET', `/messages/${id}`)).status).not.toBe(200)
    await owner.subscribe(['plans', 'notes'], { principals: [member.id] })
    const read = async (channelId: number): Promise<unknown[]> => {
      const { messages } = await member.call('GET', '/messages', {
        narrow: [{ operator: 'channel', operand: channelId }],
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
      })
      return messages.map((message) => message.id)
    }
    expect(await read(plans)).not.toContain(said)
    expect(await read(notes)).toContain(noted)
    await owner.call('PATCH', `/streams/${plans}`, { history_public_to_subscribers: true })
    expect(await read(plans)).toContain(said)
  })
})

describe('channels that become public', () => {
  it('sends a channel that becomes public, and its subscribers, to people who can now see it', async () => {
    const { owner, admin, member, guest, inside, former } = await createPeople()
    await owner.subscribe(['plans'], { invite_only: true, principals: [owner.id, inside.id, former.id] })
    await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['plans'], principals: [former.id] })
    const id = await idOf(owner, 'plans')
    const look = await watch({ owner, admin, member, guest, inside, former }, { include_subscribers: 'true' })
    await owner.call('PATCH', `/streams/${id}`, { is_private: false })
    const update = privacyEvent(id, false, true)
    const made = { type: 'stream', op: 'create', streams: [{ stream_id: id, invite_only: false }] }
    const peers = { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [owner.id, inside.id] }
    const seen = await look()
    expect(seen).toMatchObject({
      member: [made, peers],
      former: [
        made,
        { type: 'subscription', op: 'add', subscriptions: [{ stream_id: id }] },
        { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: id, name: 'plans' }] },
        peers,
      ],
    })
    expect([seen.owner, seen.admin, seen.inside, seen.guest]).toEqual([[update], [update], [update], []])
    expect(seen.member).toHaveLength(2)
    expect(seen.former).toHaveLength(4)
  })

  it('lets people convert a channel only if they can create channels of the new kind', async () => {
    const { organizationId, owner, member } = await createPeople()
    await member.subscribe(['plans', 'open'])
    await member.subscribe(['secret'], { invite_only: true })
    const { user_groups } = await owner.call('GET', '/user_groups')
    const nobody = user_groups.find((group) => group.name === 'role:nobody')?.id
    await changeSettings(server().parley, organizationId, {
      can_create_public_channel_group: nobody,
      can_create_private_channel_group: nobody,
    })
    const look = await watch({ owner })
    for (const [name, is_private] of [
      ['plans', true],
      ['secret', false],
    ] as const) {
      const answer = await member.try('PATCH', `/streams/${await idOf(member, name)}`, { is_private })
      expect([answer.status, answer.body['msg']]).toEqual([400, 'Insufficient permission'])
    }
    expect(await look()).toEqual({ owner: [] })
    // Unchanged settings need no permission.
    await member.call('PATCH', `/streams/${await idOf(member, 'plans')}`, { is_private: false, is_web_public: false })
    const shared = { is_private: true, history_public_to_subscribers: true }
    await member.call('PATCH', `/streams/${await idOf(member, 'secret')}`, shared)
  })
})

describe('visibility of private channels by permission', () => {
  it.each(['can_add_subscribers_group', 'can_administer_channel_group', 'can_subscribe_group'])(
    'shows and hides a private channel when %s changes',
    async (permission) => {
      const { owner, admin, member, named, guest, inside } = await createPeople()
      await owner.subscribe(['plans'], { invite_only: true, principals: [owner.id, inside.id] })
      const id = await idOf(owner, 'plans')
      const look = await watch({ owner, admin, member, named, guest, inside })
      const before = (await channelNamed(owner, 'plans'))[permission]
      const value = { direct_members: [named.id, guest.id], direct_subgroups: [] }
      await owner.call('PATCH', `/streams/${id}`, { [permission]: { new: value } })
      const update = (now: unknown): Body => ({
        type: 'stream',
        op: 'update',
        stream_id: id,
        name: 'plans',
        property: permission,
        value: now,
      })
      const made = { type: 'stream', op: 'create', streams: [{ stream_id: id, [permission]: value }] }
      const peers = { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [owner.id, inside.id] }
      const seen = await look()
      expect(seen).toMatchObject({ named: [made, peers], guest: [made, peers] })
      const told = [update(value)]
      expect([seen.owner, seen.admin, seen.inside, seen.member]).toEqual([told, told, told, []])
      await owner.call('PATCH', `/streams/${id}`, { [permission]: { new: before } })
      const gone = { type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] }
      expect(await look()).toMatchObject({
        owner: [update(before)],
        admin: [update(before)],
        inside: [update(before)],
        named: [gone],
        guest: [gone],
        member: [],
      })
    },
  )

  it('notifies guests of changes to a public channel that a permission lets them see', async () => {
    const { owner, guest } = await createPeople()
    await owner.subscribe(['plans'], { can_subscribe_group: { direct_members: [guest.id], direct_subgroups: [] } })
    const id = await idOf(guest, 'plans')
    const look = await watch({ guest })
    await owner.call('PATCH', `/streams/${id}`, { description: 'for you' })
    expect((await look()).guest).toMatchObject([{ property: 'description', value: 'for you' }])
  })
})

describe('web-public channels', () => {
  it('lets only permitted people create web-public channels, and only if public access is on', async () => {
    const { organizationId, owner, admin, member } = await createPeople()
    const creating = { subscriptions: [{ name: 'plans' }], is_web_public: true }
    expect((await owner.try('POST', '/users/me/subscriptions', creating)).status).toBe(400)
    await changeSettings(server().parley, organizationId, { enable_spectator_access: true })
    for (const actor of [admin, member]) {
      expect((await actor.try('POST', '/users/me/subscriptions', creating)).status).toBe(400)
    }
    const look = await watch({ member })
    await owner.call('POST', '/users/me/subscriptions', creating)
    expect((await look()).member).toMatchObject([
      { op: 'create', streams: [{ is_web_public: true, invite_only: false, history_public_to_subscribers: true }] },
      { op: 'peer_add' },
    ])
    const { streams } = await member.call('GET', '/streams', {
      include_public: false,
      include_subscribed: false,
      include_web_public: true,
    })
    expect(streams).toMatchObject([{ name: 'plans' }])
    const { state } = await owner.register({ fetch_event_types: ['realm', 'realm_user'] })
    expect(state).toMatchObject({
      server_web_public_streams_enabled: true,
      realm_enable_spectator_access: true,
      can_create_web_public_streams: true,
    })
    const { state: others } = await member.register({ fetch_event_types: ['realm_user'] })
    expect(others).toMatchObject({ can_create_web_public_streams: false })
  })

  it('lets permitted people convert channels to and from web-public', async () => {
    const { organizationId, owner, admin, member, former } = await createPeople()
    await changeSettings(server().parley, organizationId, { enable_spectator_access: true })
    await owner.subscribe(['plans'], {
      invite_only: true,
      principals: [owner.id, admin.id, former.id],
      can_administer_channel_group: { direct_members: [former.id], direct_subgroups: [] },
    })
    const id = await idOf(owner, 'plans')
    const look = await watch({ owner, member })
    for (const actor of [admin, former]) {
      const { status, body } = await actor.try('PATCH', `/streams/${id}`, { is_web_public: true })
      expect([status, body['msg']]).toEqual([400, 'Insufficient permission'])
    }
    expect(await look()).toEqual({ owner: [], member: [] })
    await owner.call('PATCH', `/streams/${id}`, { is_web_public: true })
    await owner.call('PATCH', `/streams/${id}`, { is_web_public: false })
    await owner.call('PATCH', `/streams/${id}`, { is_private: false, is_web_public: true })
    await owner.call('PATCH', `/streams/${id}`, { is_private: true })
    const { owner: told, member: seen } = await look()
    expect(told).toEqual([
      privacyEvent(id, false, true, true),
      privacyEvent(id, false, true, false),
      privacyEvent(id, false, true, true),
      privacyEvent(id, true, false, false),
    ])
    expect(seen.map(({ op }) => op)).toEqual(['create', 'peer_add', 'update', 'update', 'delete'])
    for (const wrong of [
      { is_web_public: true, history_public_to_subscribers: false },
      { is_web_public: true, is_private: true },
    ]) {
      expect((await owner.try('PATCH', `/streams/${id}`, wrong)).status).toBe(400)
    }
    expect(await look()).toEqual({ owner: [], member: [] })
  })
})

describe('archived channels', () => {
  it('sends the archiving of a channel as an update, but to older clients as a deletion', async () => {
    const { owner, member, guest, inside } = await createPeople()
    await owner.subscribe(['plans'], { principals: [owner.id, inside.id], is_default_stream: true })
    const id = await idOf(owner, 'plans')
    const older = { client_capabilities: { ...ALL_CAPABILITIES, archived_channels: false } }
    const [look, lookOld] = [
      await watch({ owner, member, inside, guest }),
      await watch({ owner, member, inside, guest }, older),
    ]
    await owner.call('DELETE', `/streams/${id}`)
    const update = (value: boolean): Body => ({
      type: 'stream',
      op: 'update',
      stream_id: id,
      name: 'plans',
      property: 'is_archived',
      value,
    })
    const none = { type: 'default_streams', default_streams: [] }
    const gone = { type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] }
    const told = [update(true), none]
    expect(await look()).toEqual({ owner: told, member: told, inside: [update(true)], guest: [] })
    const oldTold = [gone, none]
    expect(await lookOld()).toEqual({ owner: oldTold, member: oldTold, inside: [gone], guest: [] })

    const listed = async (form: Body): Promise<unknown[]> => {
      const { state } = await member.register({ fetch_event_types: ['stream', 'subscription'], ...form })
      return [...state.streams, ...state.never_subscribed].map((one) => one.name)
    }
    expect([await listed({}), await listed(older)]).toEqual([['plans', 'plans'], []])
    expect((await owner.call('GET', '/streams'))['streams']).toEqual([])
    expect((await owner.call('GET', '/users/me/subscriptions'))['subscriptions']).toEqual([])
    const sending = await owner.try('POST', '/messages', { type: 'stream', to: id, topic: 'x', content: 'x' })
    expect(sending.status).toBe(400)

    // Subscriptions can change while the channel is archived. Older clients learn at once that the user left, because
    // they still list its unread messages, but learn that a user joined only when the channel is unarchived.
    await owner.subscribe(['plans'], { principals: [member.id] })
    await member.call('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: id, property: 'pin_to_top', value: true }],
    })
    await inside.call('DELETE', '/users/me/subscriptions', { subscriptions: ['plans'] })
    expect((await look()).member.map(({ op }) => op)).toEqual(['add', 'update', 'peer_remove'])
    const left = { type: 'subscription', op: 'remove', subscriptions: [{ stream_id: id, name: 'plans' }] }
    expect(await lookOld()).toEqual({ owner: [], member: [], inside: [left], guest: [] })

    await owner.call('PATCH', `/streams/${id}`, { is_archived: true })
    expect(await look()).toEqual({ owner: [update(false)], member: [update(false)], inside: [], guest: [] })
    const made = { type: 'stream', op: 'create', streams: [{ stream_id: id, is_archived: false }] }
    const added = { type: 'subscription', op: 'add', subscriptions: [{ stream_id: id, subscriber_count: 2 }] }
    const seen = await lookOld()
    expect(seen).toMatchObject({ owner: [made, added], member: [made, added], inside: [], guest: [] })
    expect(seen.member[1]).toMatchObject({ subscriptions: [{ pin_to_top: true }] })
    expect(seen.owner[1]).toMatchObject({ subscriptions: [{ pin_to_top: false }] })
    await owner.send('plans', 'x', 'back')
  })

  it("keeps an archived channel's name, messages, and subscribers", async () => {
    const { owner, member } = await createPeople()
    await owner.subscribe(['plans'], { principals: [owner.id, member.id] })
    const id = await idOf(owner, 'plans')
    const said = await owner.send('plans', 'x', 'hello')
    await owner.call('DELETE', `/streams/${id}`)
    expect((await owner.try('DELETE', `/streams/${id}`)).status).toBe(400)
    expect((await member.call('GET', `/messages/${said}`))['message']).toMatchObject({ id: said })
    const again = await owner.try('POST', '/channels/create', { name: 'Plans', subscribers: [] })
    expect([again.status, again.body['code']]).toEqual([409, 'CHANNEL_ALREADY_EXISTS'])
    await owner.call('PATCH', `/streams/${id}`, { is_archived: false })
    expect((await owner.call('GET', `/streams/${id}/members`))['subscribers']).toEqual([owner.id, member.id])
  })

  it('refuses to make an archived channel a default channel', async () => {
    const { owner } = await createPeople()
    await owner.subscribe(['plans'], { is_default_stream: true })
    const id = await idOf(owner, 'plans')
    await owner.call('DELETE', `/streams/${id}`)
    const look = await watch({ owner }, { event_types: ['default_streams'] })
    const isDefault = async (): Promise<unknown> => {
      const { streams } = await owner.call('GET', '/streams', { exclude_archived: false, include_default: true })
      return streams.map((one) => one.is_default)
    }
    for (const [method, path, parameters] of [
      ['PATCH', `/streams/${id}`, { is_default_stream: true }],
      ['POST', '/default_streams', { stream_id: id }],
    ] as const) {
      const { status, body } = await owner.try(method, path, parameters)
      expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
    }
    expect(await isDefault()).toEqual([false])
    await owner.call('PATCH', `/streams/${id}`, { is_default_stream: false })
    expect(await look()).toEqual({ owner: [] })
    await owner.call('PATCH', `/streams/${id}`, { is_default_stream: true, is_archived: false })
    expect(await isDefault()).toEqual([true])
    expect(await look()).toEqual({ owner: [{ type: 'default_streams', default_streams: [id] }] })
  })

  it('lets channel administrators archive and unarchive a channel', async () => {
    const { owner, member, former } = await createPeople()
    await member.subscribe(['plans'], { principals: [member.id, former.id] })
    const id = await idOf(owner, 'plans')
    expect((await former.try('DELETE', `/streams/${id}`)).body['code']).toBe('CANNOT_ADMINISTER_CHANNEL')
    await member.call('DELETE', `/streams/${id}`)
    expect((await former.try('PATCH', `/streams/${id}`, { is_archived: false })).status).toBe(400)
    await member.call('PATCH', `/streams/${id}`, { is_archived: false })
    expect(await channelNamed(former, 'plans')).toMatchObject({ is_archived: false })
  })
})
