import { describe, expect, it } from 'vitest'
import { subscriptionsProjection } from './queries/index.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import type { Answer, Body, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

function refusal({ status, body }: Answer): unknown[] {
  return [status, body['code']]
}

async function tryToSubscribe(actor: TestUser, names: readonly string[], more: Parameters = {}): Promise<Answer> {
  return actor.try('POST', '/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })), ...more })
}

async function subscribersOf(user: TestUser, name: string): Promise<unknown> {
  const { state } = await user.register({ fetch_event_types: ['subscription'], include_subscribers: 'true' })
  const channels = [...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed]
  return channels.find((channel) => channel.name === name)?.subscribers
}

async function groupIds({ owner }: TestOrganization): Promise<Record<string, number>> {
  const { user_groups } = await owner.call('GET', '/user_groups')
  return Object.fromEntries(user_groups.map(({ name, id }) => [name, id]))
}

/** Expects an error, or if errors are not fatal, that the response lists the channel as unauthorized. */
async function expectUnauthorized(
  actor: TestUser,
  owner: TestUser,
  name: string,
  principals?: number[],
): Promise<void> {
  const look = await watch({ owner })
  const more = principals === undefined ? {} : { principals }
  expect(refusal(await tryToSubscribe(actor, [name], more))).toEqual([400, 'BAD_REQUEST'])
  const { status, body } = await tryToSubscribe(actor, [name], { ...more, authorization_errors_fatal: false })
  expect([status, body]).toMatchObject([200, { subscribed: {}, already_subscribed: {}, unauthorized: [name] }])
  expect(await look()).toEqual({ owner: [] })
}

describe('joining channels', () => {
  it("sends a subscription event to the person who joins, and a peer event to the channel's viewers", async () => {
    const { owner, user } = await server().organization()
    const [member, other] = [await user('Mia Member'), await user('Otto Other')]
    const [inside, outside] = [await user('Gisa Guest', { role: 600 }), await user('Gus Guest', { role: 600 })]
    await owner.subscribe(['general'], { principals: [owner.id, inside.id] })
    const look = await watch({ owner, member, other, inside, outside }, { include_subscribers: 'true' })
    expect(await member.subscribe(['GENERAL'])).toEqual({
      result: 'success',
      msg: '',
      subscribed: { [member.id]: ['general'] },
      already_subscribed: {},
    })
    const subscribers = [owner.id, member.id, inside.id]
    const peer = [{ type: 'subscription', op: 'peer_add', user_ids: [member.id] }]
    expect(await look()).toMatchObject({
      owner: peer,
      member: [
        { type: 'subscription', op: 'add', subscriptions: [{ name: 'general', subscriber_count: 3, subscribers }] },
      ],
      other: peer,
      inside: peer,
      outside: [],
    })
    expect(await subscribersOf(other, 'general')).toEqual(subscribers)
  })

  it('changes nothing for people who are already subscribed', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.subscribe(['general'])
    const look = await watch({ owner, member }, { event_types: ['subscription'] })
    const principals = [owner.id, member.id, owner.email, member.id].filter((one) => typeof one === 'number')
    expect(await owner.subscribe(['general', 'General'], { principals })).toMatchObject({
      subscribed: { [member.id]: ['general'] },
      already_subscribed: { [owner.id]: ['general'] },
    })
    expect(await owner.subscribe(['general'])).toMatchObject({
      subscribed: {},
      already_subscribed: { [owner.id]: ['general'] },
    })
    expect((await look()).owner).toMatchObject([{ op: 'peer_add', user_ids: [member.id] }])
    expect(await owner.subscribe([])).toMatchObject({ subscribed: {}, already_subscribed: {} })
    await owner.subscribe(['random'])
    expect(await owner.subscribe(['random', 'new', 'general'])).toMatchObject({
      subscribed: { [owner.id]: ['new'] },
      already_subscribed: { [owner.id]: ['random', 'general'] },
    })
  })

  it("keeps a person's earlier channel settings on rejoining", async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const member = await user('Mia Member')
    await owner.subscribe(['general'], { principals: [owner.id, member.id] })
    const log = await server().parley.logs.of(organization.id)
    const mine = log.organization.of(subscriptionsProjection).byUser.get(member.id)?.values().next().value
    if (mine === undefined) throw new Error('the member is subscribed')
    const chosen = { color: '#123456', isMuted: true, pinToTop: true, emailNotifications: true }
    await log.write(async (tx) => {
      await tx.db
        .updateTable('subscriptions')
        .set({ color: '#123456', is_muted: true, pin_to_top: true, email_notifications: true })
        .where('organization_id', '=', organization.id)
        .where('user_id', '=', member.id)
        .execute()
      tx.change(subscriptionsProjection, { subscriptions: [{ ...mine, ...chosen }] })
    })
    await member.call('DELETE', '/users/me/subscriptions', { subscriptions: ['general'] })
    const look = await watch({ member })
    await member.subscribe(['general'])
    const kept = { color: '#123456', is_muted: true, in_home_view: false, pin_to_top: true, email_notifications: true }
    expect(await look()).toMatchObject({ member: [{ op: 'add', subscriptions: [kept] }] })
    expect((await member.call('GET', '/users/me/subscriptions'))['subscriptions']).toMatchObject([kept])
  })

  it('subscribes the requester when the list of principals is empty', async () => {
    const { owner } = await server().organization()
    expect(await owner.subscribe(['general'], { principals: [] })).toMatchObject({
      subscribed: { [owner.id]: ['general'] },
    })
  })
})

it('refuses a subscription request with too many channels', async () => {
  const { owner } = await server().organization()
  const names = Array.from({ length: 1_001 }, (_, index) => `channel ${index}`)
  for (const method of ['POST', 'DELETE']) {
    const subscriptions = method === 'POST' ? names.map((name) => ({ name })) : names
    expect(refusal(await owner.try(method, '/users/me/subscriptions', { subscriptions }))).toEqual([400, 'BAD_REQUEST'])
  }
  expect((await owner.call('GET', '/streams'))['streams']).toEqual([])
})

describe('principals of a subscription request', () => {
  it('accepts the principals of a subscription request by ID or email address', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.subscribe(['one'], { principals: [member.id] })
    await owner.subscribe(['two'], { principals: [member.email.toUpperCase()] })
    expect((await member.call('GET', '/users/me/subscriptions'))['subscriptions']).toHaveLength(2)
    expect(await subscribersOf(owner, 'two')).toEqual([member.id])
  })

  it('rejects principals of mixed or unsupported types', async () => {
    const { owner } = await server().organization()
    for (const principals of [[owner.id, owner.email], owner.id, [null], [{}], 'me']) {
      expect((await tryToSubscribe(owner, ['general'], { principals })).body['code']).toMatch(
        /^(REQUEST_VARIABLE_INVALID|INVALID_JSON)$/,
      )
    }
  })

  it('does not subscribe anyone if a principal is missing or deactivated', async () => {
    const { owner, user } = await server().organization()
    const [member, gone] = [await user('Mia Member'), await user('Greta Gone')]
    await owner.subscribe(['general'])
    await owner.call('DELETE', `/users/${gone.id}`)
    const look = await watch({ owner })
    for (const principals of [[999_999], [0], ['nobody@example.com'], [gone.id], [gone.email], [member.id, gone.id]]) {
      for (const authorization_errors_fatal of [true, false]) {
        const answer = await tryToSubscribe(owner, ['general', 'new'], { principals, authorization_errors_fatal })
        expect(refusal(answer)).toEqual([400, 'BAD_REQUEST'])
      }
    }
    expect(await look()).toEqual({ owner: [] })
    expect((await owner.call('GET', '/streams'))['streams']).toMatchObject([{ name: 'general', subscriber_count: 1 }])
  })
})

describe('joining and adding people to public channels', () => {
  it('lets everyone except guests join a public channel', async () => {
    const { owner, user } = await server().organization()
    await owner.subscribe(['general'])
    const bot = await user('Bert Bot', { bot: {} })
    for (const one of [await user('Mia Member'), await user('Moe Moderator', { role: 300 }), bot]) {
      expect(await one.subscribe(['general'])).toMatchObject({ subscribed: { [one.id]: ['general'] } })
    }
  })

  it('lets permitted people, administrators, and channel managers add subscribers', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const [member, maker, named] = [await user('Mia Member'), await user('Max Maker'), await user('Nina Named')]
    const [moderator, admin] = [await user('Moe Moderator', { role: 300 }), await user('Ada Admin', { role: 200 })]
    await changeSettings(server().parley, organization.id, {
      can_add_subscribers_group: { direct_members: [moderator.id], direct_subgroups: [] },
    })
    const can_add_subscribers_group = { direct_members: [named.id], direct_subgroups: [] }
    await maker.subscribe(['general'], { can_add_subscribers_group })
    await member.subscribe(['general'])
    for (const actor of [moderator, admin, owner, maker, named]) {
      const target = await user('Tara Target')
      const subscribed = { [target.id]: ['general'] }
      expect(await actor.subscribe(['general'], { principals: [target.id] })).toMatchObject({ subscribed })
    }
    const target = await user('Tara Target')
    await expectUnauthorized(member, owner, 'general', [target.id])
    await expectUnauthorized(member, owner, 'general', [member.id, target.id])
    const bot = await user('Bert Bot', { bot: { ownerId: member.id } })
    await expectUnauthorized(member, owner, 'general', [bot.id])
    // Administrators of the organization and of the channel can always add subscribers.
    const groups = await groupIds(organization)
    await changeSettings(server().parley, organization.id, { can_add_subscribers_group: groups['role:nobody'] })
    await expectUnauthorized(moderator, owner, 'general', [target.id])
    for (const actor of [admin, owner, maker, named]) {
      const { id } = await user('Tom Target')
      await actor.subscribe(['general'], { principals: [id] })
    }
  })

  it('lets every member add guests and bots to a public channel by default', async () => {
    const { owner, user } = await server().organization()
    const [member, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
    const bot = await user('Bert Bot', { bot: { ownerId: member.id } })
    await owner.subscribe(['general'])
    const look = await watch({ guest, bot }, { event_types: ['stream', 'subscription'] })
    await member.subscribe(['general'], { principals: [guest.id, bot.id] })
    expect(await subscribersOf(owner, 'general')).toEqual([owner.id, guest.id, bot.id])
    const added = { type: 'subscription', op: 'add', subscriptions: [{ name: 'general', subscriber_count: 3 }] }
    expect(await look()).toMatchObject({
      guest: [{ type: 'stream', op: 'create', streams: [{ name: 'general', subscriber_count: 1 }] }, added],
      bot: [added],
    })
    await expectUnauthorized(guest, owner, 'general', [(await user('Tara Target')).id])
  })

  it('lets a guest join a public channel that permits the guest to join', async () => {
    const { owner, user } = await server().organization()
    const [joining, adding] = [await user('Gus Guest', { role: 600 }), await user('Gisa Guest', { role: 600 })]
    const only = (one: TestUser): Body => ({ direct_members: [one.id], direct_subgroups: [] })
    await owner.subscribe(['general'], {
      can_subscribe_group: only(joining),
      can_add_subscribers_group: only(adding),
    })
    const target = await user('Tara Target')
    await expectUnauthorized(joining, owner, 'general', [target.id])
    expect(await joining.subscribe(['general'])).toMatchObject({ subscribed: { [joining.id]: ['general'] } })
    expect(await adding.subscribe(['general'], { principals: [adding.id, target.id] })).toMatchObject({
      subscribed: { [adding.id]: ['general'], [target.id]: ['general'] },
    })
  })
})

describe('joining and adding people to private channels', () => {
  it('lets people, even administrators, join a private channel only if its settings permit them to', async () => {
    const { owner, user } = await server().organization()
    const [maker, joining] = [await user('Max Maker'), await user('Jo Joiner')]
    const [administering, admin] = [await user('Ann Else'), await user('Ada Admin', { role: 200 })]
    const only = (one: TestUser): Body => ({ direct_members: [one.id], direct_subgroups: [] })
    await maker.subscribe(['secret'], {
      invite_only: true,
      can_subscribe_group: only(joining),
      can_administer_channel_group: only(administering),
    })
    for (const actor of [admin, owner, administering]) await expectUnauthorized(actor, owner, 'secret')
    await expectUnauthorized(joining, owner, 'secret', [admin.id])
    expect(await joining.subscribe(['secret'])).toMatchObject({ subscribed: { [joining.id]: ['secret'] } })
  })

  it('lets only permitted subscribers and people named in the settings add people to a private channel', async () => {
    const organization = await server().organization()
    const { owner, user } = organization
    const groups = await groupIds(organization)
    await changeSettings(server().parley, organization.id, { can_add_subscribers_group: groups['role:moderators'] })
    const [member, named] = [await user('Mia Member'), await user('Nina Named')]
    const [inside, outside] = [await user('Mo', { role: 300 }), await user('Moe', { role: 300 })]
    const admin = await user('Ada Admin', { role: 200 })
    await owner.subscribe(['secret'], {
      invite_only: true,
      principals: [owner.id, member.id, inside.id],
      can_add_subscribers_group: { direct_members: [named.id], direct_subgroups: [] },
    })
    const targets = [await user('Tara Target'), await user('Tom Target')]
    const look = await watch({ first: targets[0] ?? owner, outside }, { event_types: ['stream', 'subscription'] })
    for (const [index, actor] of [inside, named].entries()) {
      const target = targets[index] ?? owner
      const subscribed = { [target.id]: ['secret'] }
      expect(await actor.subscribe(['secret'], { principals: [target.id] })).toMatchObject({ subscribed })
    }
    expect(await look()).toMatchObject({
      first: [
        { type: 'stream', op: 'create', streams: [{ name: 'secret', subscriber_count: 3 }] },
        { type: 'subscription', op: 'add', subscriptions: [{ name: 'secret', subscriber_count: 4 }] },
        { type: 'subscription', op: 'peer_add', user_ids: [targets[1]?.id] },
      ],
      outside: [],
    })
    const target = await user('Tina Target')
    for (const actor of [member, outside, admin]) await expectUnauthorized(actor, owner, 'secret', [target.id])
    expect(await named.subscribe(['secret'])).toMatchObject({ subscribed: { [named.id]: ['secret'] } })
  })

  it('reports that a guest is already in a private channel, but does not let the guest add people', async () => {
    const { owner, user } = await server().organization()
    const [guest, target] = [await user('Gus Guest', { role: 600 }), await user('Tara Target')]
    await owner.subscribe(['secret'], { invite_only: true, principals: [owner.id, guest.id] })
    expect(await guest.subscribe(['secret'])).toMatchObject({ already_subscribed: { [guest.id]: ['secret'] } })
    await expectUnauthorized(guest, owner, 'secret', [target.id])
  })
})

describe('partly unauthorized requests', () => {
  it('joins none of several channels if any is refused, unless asked to join the permitted channels', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.subscribe(['general'])
    await owner.subscribe(['Secret'], { invite_only: true })
    const names = ['general', 'SECRET', 'new']
    const look = await watch({ owner }, { event_types: ['subscription', 'stream'] })
    expect(refusal(await tryToSubscribe(member, names))).toEqual([400, 'BAD_REQUEST'])
    expect(await look()).toEqual({ owner: [] })
    const { body } = await tryToSubscribe(member, names, { authorization_errors_fatal: false })
    // The response repeats the requested name, because the real spelling could reveal the channel.
    expect(body).toMatchObject({ subscribed: { [member.id]: ['general', 'new'] }, unauthorized: ['SECRET'] })
    const { body: second } = await tryToSubscribe(member, ['general'], { authorization_errors_fatal: false })
    expect(second).toMatchObject({ already_subscribed: { [member.id]: ['general'] }, unauthorized: [] })
  })

  it('treats hidden channels as missing in requests to subscribe by people who cannot create channels', async () => {
    const { owner, user } = await server().organization()
    const guest = await user('Gus Guest', { role: 600 })
    await owner.subscribe(['general'])
    await owner.subscribe(['secret'], { invite_only: true })
    for (const authorization_errors_fatal of [true, false]) {
      for (const principals of [[guest.id], [owner.id]]) {
        const more = { authorization_errors_fatal, principals }
        const absent = await tryToSubscribe(guest, ['nowhere'], more)
        expect(refusal(absent)).toEqual([400, 'BAD_REQUEST'])
        for (const hidden of ['general', 'secret'])
          expect((await tryToSubscribe(guest, [hidden], more)).body).toEqual(absent.body)
      }
    }
  })
})
