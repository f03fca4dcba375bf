import { describe, expect, it } from 'vitest'
import { textWith } from '../../testing/expected.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Answer, Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { MAX_DEACTIVATION_COMMENT_CHARACTERS } from './contract/accounts.ts'

const server = useTestServer()

const LAST_OWNER_ERROR = { code: 'CANNOT_DEACTIVATE_LAST_USER', is_last_owner: true, entity: 'organization owner' }

function refusal({ status, body }: Answer): unknown[] {
  return [status, body['code']]
}

async function roleGroups({ owner }: TestOrganization): Promise<Record<string, unknown>> {
  const { user_groups } = await owner.call('GET', '/user_groups')
  return Object.fromEntries(user_groups.map((group) => [group.name.slice(5), group.id]))
}

async function channelId(user: TestUser, name: string): Promise<unknown> {
  const { streams } = await user.call('GET', '/streams', { include_all: true })
  return streams.find((channel) => channel.name === name)?.stream_id
}

describe('account deactivation', () => {
  it('removes a deactivated person from groups and channels, and notifies everyone', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const [leaver, member] = [await user('Leo Leaver'), await user('Mia Member')]
    const guest = await user('Gus Guest', { role: 600 })
    await owner.subscribe(['open'], { principals: [owner.id, leaver.id] })
    await owner.subscribe(['closed'], { invite_only: true, principals: [owner.id, leaver.id, guest.id] })
    const [open, closed] = [await channelId(owner, 'open'), await channelId(owner, 'closed')]
    const groups = await roleGroups(organization)
    const look = await watch({ owner, member, guest })
    await owner.call('DELETE', `/users/${leaver.id}`)
    const removalEvent = (id: unknown): Body => ({
      type: 'user_group',
      op: 'remove_members',
      group_id: id,
      user_ids: [leaver.id],
    })
    const peer = (id: unknown): Body => ({
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: [id],
      user_ids: [leaver.id],
    })
    const told = [
      { type: 'realm_user', op: 'update', person: { user_id: leaver.id, is_active: false } },
      removalEvent(groups['fullmembers']),
      removalEvent(groups['members']),
    ]
    expect(await look()).toEqual({
      owner: [...told, peer(open), peer(closed)],
      member: [...told, peer(open)],
      guest: [...told, peer(closed)],
    })
    expect((await member.call('GET', `/users/${leaver.id}`))['user']).toMatchObject({ is_active: false, role: 400 })
  })

  it("immediately ends a deactivated person's queues and waiting polls", async () => {
    const { owner, user } = await server().organization()
    const leaver = await user('Leo Leaver')
    const [polled, idle] = [await leaver.register(), await leaver.register()]
    const parked = leaver.try('GET', '/events', { queue_id: polled.id, last_event_id: polled.lastEventId })
    await expect.poll(() => server().parley.queues.count().parked).toBe(1)
    await owner.call('DELETE', `/users/${leaver.id}`)
    const { status, body } = await parked
    expect([status, body['code'], body['queue_id']]).toEqual([400, 'BAD_EVENT_QUEUE_ID', polled.id])
    for (const path of ['/users/me', '/users', '/streams']) {
      expect(refusal(await leaver.try('GET', path))).toEqual([401, 'USER_DEACTIVATED'])
    }
    await owner.call('POST', `/users/${leaver.id}/reactivate`)
    await leaver.fetchApiKey()
    for (const queue of [polled, idle]) {
      const again = await leaver.try('GET', '/events', { queue_id: queue.id, last_event_id: -1, dont_block: true })
      expect(refusal(again)).toEqual([400, 'BAD_EVENT_QUEUE_ID'])
    }
  })

  it('deactivates the bots of a deactivated person but no other bots', async () => {
    const { owner, user } = await server().organization()
    const leaver = await user('Leo Leaver')
    const own = [
      await user('Bert Bot', { bot: { ownerId: leaver.id } }),
      await user('Bea Bot', { bot: { ownerId: leaver.id } }),
    ]
    const other = await user('Otto Bot', { bot: { ownerId: owner.id } })
    const queue = await own[0]?.register()
    const look = await watch({ owner, other }, { event_types: ['realm_user'] })
    await owner.call('DELETE', `/users/${leaver.id}`)
    const told = [leaver, ...own].map(({ id }) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: id, is_active: false },
    }))
    expect(await look()).toEqual({ owner: told, other: told })
    for (const bot of own) expect(refusal(await bot.try('GET', '/users/me'))).toEqual([401, 'USER_DEACTIVATED'])
    expect(queue).toBeDefined()
    await owner.call('POST', `/users/${leaver.id}/reactivate`)
    for (const bot of own) {
      expect(refusal(await bot.try('GET', '/users/me'))).toEqual([401, 'INVALID_API_KEY'])
      await bot.fetchNewApiKey(owner)
      expect(refusal(await bot.try('GET', '/users/me'))).toEqual([401, 'USER_DEACTIVATED'])
    }
  })

  it('lets administrators deactivate accounts, and bot owners their bots', async () => {
    const { owner, user } = await server().organization()
    const [other, admin] = [await user('Otto Other'), await user('Ada Admin', { role: 200 })]
    const look = await watch({ owner }, { event_types: ['realm_user'] })
    for (const role of [300, 400, 600] as const) {
      const actor = await user(`Amy Actor ${role}`, { role })
      const bot = await user(`Bert Bot ${role}`, { bot: { ownerId: actor.id } })
      await look()
      for (const target of [other, actor, admin, owner]) {
        const answer = await actor.try('DELETE', `/users/${target.id}`)
        expect([...refusal(answer), answer.body['msg']]).toEqual([400, 'BAD_REQUEST', 'Insufficient permission'])
      }
      expect(refusal(await (await user('Mallory')).try('DELETE', `/users/${bot.id}`))).toEqual([400, 'BAD_REQUEST'])
      await look()
      await actor.call('DELETE', `/users/${bot.id}`)
      expect((await look()).owner).toMatchObject([{ person: { user_id: bot.id, is_active: false } }])
    }
    expect(refusal(await admin.try('DELETE', `/users/${owner.id}`))).toEqual([400, 'BAD_REQUEST'])
    await admin.call('DELETE', `/users/${other.id}`)
    await owner.call('DELETE', `/users/${admin.id}`)
    expect(refusal(await other.try('GET', '/users/me'))).toEqual([401, 'USER_DEACTIVATED'])
  })

  it('ignores repeated deactivation of an account and rejects a missing account', async () => {
    const { owner, user } = await server().organization()
    const leaver = await user('Leo Leaver')
    await owner.call('DELETE', `/users/${leaver.id}`)
    const look = await watch({ owner })
    await owner.call('DELETE', `/users/${leaver.id}`)
    expect(refusal(await owner.try('DELETE', '/users/999999'))).toEqual([400, 'BAD_REQUEST'])
    expect(await look()).toEqual({ owner: [] })
  })

  it('refuses every request that would deactivate the last owner', async () => {
    const { owner, user } = await server().organization()
    await user('Bert Bot', { role: 100, bot: { ownerId: owner.id } })
    const former = await user('Otto Owner', { role: 100 })
    await owner.call('DELETE', `/users/${former.id}`)
    const look = await watch({ owner })
    for (const path of ['/users/me', `/users/${owner.id}`]) {
      const { status, body } = await owner.try('DELETE', path)
      expect([status, body]).toEqual([400, expect.objectContaining(LAST_OWNER_ERROR)])
    }
    expect(await look()).toEqual({ owner: [] })
    expect(await owner.call('GET', '/users/me')).toMatchObject({ is_active: true })
  })

  it('keeps one owner when the last two owners deactivate themselves at once', async () => {
    const { owner, user } = await server().organization()
    const second = await user('Otto Owner', { role: 100 })
    const answers = await Promise.all([owner, second].map(async (one) => one.try('DELETE', '/users/me')))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 400]))
  })
})

describe('self-deactivation', () => {
  it.each([
    ['a moderator', 300],
    ['a member', 400],
    ['a guest', 600],
  ] as const)('lets %s deactivate themselves', async (_, role) => {
    const { owner, user } = await server().organization()
    const leaver = await user('Leo Leaver', { role })
    const bot = await user('Bert Bot', { bot: { ownerId: leaver.id } })
    const look = await watch({ owner }, { event_types: ['realm_user'] })
    await leaver.call('DELETE', '/users/me')
    expect(await look()).toEqual({
      owner: [leaver, bot].map(({ id }) => ({
        type: 'realm_user',
        op: 'update',
        person: { user_id: id, is_active: false },
      })),
    })
    expect(refusal(await leaver.try('GET', '/users/me'))).toEqual([401, 'USER_DEACTIVATED'])
  })

  it('lets an owner deactivate themselves unless they are the last owner', async () => {
    const { owner, user } = await server().organization()
    const second = await user('Otto Owner', { role: 100 })
    await second.call('DELETE', '/users/me')
    expect((await owner.try('DELETE', '/users/me')).body).toMatchObject(LAST_OWNER_ERROR)
  })
})

describe('account reactivation', () => {
  it('restores groups and subscriptions of a reactivated person, and notifies everyone', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const [leaver, member] = [await user('Leo Leaver'), await user('Mia Member')]
    await owner.subscribe(['open', 'left'], { principals: [owner.id, leaver.id] })
    await leaver.call('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
    const open = await channelId(owner, 'open')
    const groups = await roleGroups(organization)
    await owner.call('DELETE', `/users/${leaver.id}`)
    const look = await watch({ owner, member })
    await owner.call('POST', `/users/${leaver.id}/reactivate`)
    const told = [
      { type: 'realm_user', op: 'update', person: { user_id: leaver.id, is_active: true } },
      { type: 'user_group', op: 'add_members', group_id: groups['fullmembers'], user_ids: [leaver.id] },
      { type: 'user_group', op: 'add_members', group_id: groups['members'], user_ids: [leaver.id] },
      { type: 'subscription', op: 'peer_add', stream_ids: [open], user_ids: [leaver.id] },
    ]
    expect(await look()).toEqual({ owner: told, member: told })
    await leaver.fetchApiKey()
    const { subscriptions } = await leaver.call('GET', '/users/me/subscriptions', { include_subscribers: 'true' })
    expect(subscriptions).toMatchObject([{ name: 'open', subscribers: [owner.id, leaver.id], subscriber_count: 2 }])
  })

  it('lets administrators reactivate accounts and only owners reactivate owners', async () => {
    const { owner, user } = await server().organization()
    const [gone, former] = [await user('Greta Gone'), await user('Otto Owner', { role: 100 })]
    for (const { id } of [gone, former]) await owner.call('DELETE', `/users/${id}`)
    const look = await watch({ owner }, { event_types: ['realm_user'] })
    for (const role of [300, 400, 600] as const) {
      const actor = await user(`Amy Actor ${role}`, { role })
      await look()
      const answer = await actor.try('POST', `/users/${gone.id}/reactivate`)
      expect([...refusal(answer), answer.body['msg']]).toEqual([400, 'BAD_REQUEST', 'Insufficient permission'])
    }
    expect(await look()).toEqual({ owner: [] })
    const admin = await user('Ada Admin', { role: 200 })
    expect(refusal(await admin.try('POST', `/users/${former.id}/reactivate`))).toEqual([400, 'BAD_REQUEST'])
    await admin.call('POST', `/users/${gone.id}/reactivate`)
    await owner.call('POST', `/users/${former.id}/reactivate`)
    await former.fetchApiKey()
    expect(await former.call('GET', '/users/me')).toMatchObject({ is_owner: true })
  })

  it('ignores reactivation of an active account and rejects a missing account', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    const look = await watch({ owner })
    await owner.call('POST', `/users/${member.id}/reactivate`)
    expect(refusal(await owner.try('POST', '/users/999999/reactivate'))).toEqual([400, 'BAD_REQUEST'])
    expect(await look()).toEqual({ owner: [] })
  })
})

describe('role changes', () => {
  it('hides unsubscribed public channels from a person who becomes a guest', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.subscribe(['mine'], { principals: [owner.id, member.id] })
    await owner.subscribe(['theirs'])
    await owner.subscribe(['secret'], { invite_only: true })
    const theirs = await channelId(owner, 'theirs')
    const look = await watch({ member, owner }, { event_types: ['stream', 'subscription'] })
    await owner.call('PATCH', `/users/${member.id}`, { role: 600 })
    expect(await look()).toEqual({
      member: [{ type: 'stream', op: 'delete', stream_ids: [theirs], streams: [{ stream_id: theirs }] }],
      owner: [],
    })
    const { streams } = await member.call('GET', '/streams')
    expect(streams.map((channel) => channel.name)).toEqual(['mine'])
  })

  it('shows public channels and their subscribers to a person who is no longer a guest', async () => {
    const { owner, user } = await server().organization()
    const guest = await user('Gus Guest', { role: 600 })
    await owner.subscribe(['mine'], { principals: [owner.id, guest.id] })
    await owner.subscribe(['theirs'])
    await owner.subscribe(['secret'], { invite_only: true })
    const theirs = await channelId(owner, 'theirs')
    const look = await watch({ guest, owner }, { event_types: ['stream', 'subscription'] })
    await owner.call('PATCH', `/users/${guest.id}`, { role: 400 })
    expect(await look()).toMatchObject({
      guest: [
        { type: 'stream', op: 'create', streams: [{ stream_id: theirs, name: 'theirs' }] },
        { type: 'subscription', op: 'peer_add', stream_ids: [theirs], user_ids: [owner.id] },
      ],
      owner: [],
    })
  })

  it('shows private channels to a new administrator and hides them on demotion', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.subscribe(['secret'], { invite_only: true })
    const secret = await channelId(owner, 'secret')
    const look = await watch({ member, owner }, { event_types: ['stream', 'subscription'] })
    await owner.call('PATCH', `/users/${member.id}`, { role: 200 })
    expect(await look()).toMatchObject({
      member: [
        { type: 'stream', op: 'create', streams: [{ stream_id: secret, invite_only: true }] },
        { type: 'subscription', op: 'peer_add', stream_ids: [secret], user_ids: [owner.id] },
      ],
      owner: [],
    })
    await owner.call('PATCH', `/users/${member.id}`, { role: 400 })
    expect(await look()).toMatchObject({ member: [{ type: 'stream', op: 'delete', stream_ids: [secret] }], owner: [] })
  })

  it('lists among the unsubscribed channels a channel that the person left while still a guest', async () => {
    const { owner, user } = await server().organization()
    const guest = await user('Gus Guest', { role: 600 })
    await owner.subscribe(['left'], { principals: [owner.id, guest.id] })
    await guest.call('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
    const look = await watch({ guest, owner }, { event_types: ['stream', 'subscription'], include_subscribers: 'true' })
    await owner.call('PATCH', `/users/${guest.id}`, { role: 400 })
    const left = { name: 'left', subscriber_count: 1 }
    expect(await look()).toMatchObject({
      guest: [
        { type: 'stream', op: 'create', streams: [{ name: 'left', subscriber_count: 0 }] },
        { type: 'subscription', op: 'add', subscriptions: [left] },
        { type: 'subscription', op: 'remove', subscriptions: [{ name: 'left' }] },
        { type: 'subscription', op: 'peer_add', user_ids: [owner.id] },
      ],
      owner: [],
    })
    const { state } = await guest.register({ fetch_event_types: ['subscription'] })
    expect(state).toMatchObject({ subscriptions: [], unsubscribed: [left], never_subscribed: [] })
  })

  it('shows a private channel to a person whose new role can subscribe to it', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const member = await user('Mia Member')
    const { moderators } = await roleGroups(organization)
    await owner.subscribe(['secret'], { invite_only: true, can_subscribe_group: moderators })
    const look = await watch({ member }, { event_types: ['stream'] })
    await owner.call('PATCH', `/users/${member.id}`, { role: 300 })
    expect(await look()).toMatchObject({ member: [{ op: 'create', streams: [{ name: 'secret' }] }] })
    await member.subscribe(['secret'])
    await owner.call('PATCH', `/users/${member.id}`, { role: 400 })
    expect(await look()).toEqual({ member: [] })
  })
})

it('shows a deactivation comment only to the deactivated person, in the error of a refused sign-in', async () => {
  const { owner, user } = await server().organization()
  const password = 'a long password'
  const made = await owner.call('POST', '/users', { email: 'gone@example.com', password, full_name: 'Gerda Gone' })
  const path = `/users/${String(made['user_id'])}`
  const logIn = async (given = password): Promise<unknown> => {
    const { status, body } = await owner.try('POST', '/fetch_api_key', {
      username: 'gone@example.com',
      password: given,
    })
    return [status, body['code'], body['msg']]
  }
  const deactivate = async (comment: string): Promise<Answer> =>
    owner.try('DELETE', path, { deactivation_notification_comment: comment })
  const plain = [401, 'USER_DEACTIVATED', 'Account is deactivated']
  const look = await watch({ owner, ann: await user('Ann') })
  expect(refusal(await deactivate('😀'.repeat(MAX_DEACTIVATION_COMMENT_CHARACTERS + 1)))).toEqual([
    400,
    'REQUEST_VARIABLE_INVALID',
  ])
  expect(await look()).toEqual({ owner: [], ann: [] })
  expect(await logIn()).toEqual([200, undefined, ''])
  expect((await deactivate(' Farewell, Gerda \n')).body).toEqual({ result: 'success', msg: '' })
  expect(JSON.stringify(await look())).not.toContain('Farewell')
  expect(await logIn()).toEqual([
    401,
    'USER_DEACTIVATED',
    `${plain[2]}. Message from the administrators: Farewell, Gerda`,
  ])
  expect(await logIn('another password')).not.toEqual(await logIn())
  expect(JSON.stringify(await logIn('another password'))).not.toContain('Farewell')
  // The comment belongs to the first deactivation; repeating the request changes nothing.
  await deactivate('Once more')
  expect(await logIn()).toMatchObject([401, 'USER_DEACTIVATED', textWith('Farewell')])
  await owner.call('POST', `${path}/reactivate`)
  expect(await logIn()).toEqual([200, undefined, ''])
  await deactivate(' ')
  expect(await logIn()).toEqual(plain)
})
