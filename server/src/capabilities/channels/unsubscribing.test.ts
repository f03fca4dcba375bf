import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Answer, Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const PATH = '/users/me/subscriptions'

function refusal({ status, body }: Answer): unknown[] {
  return [status, body['code']]
}

async function tryToUnsubscribe(
  actor: TestUser,
  names: readonly string[],
  principals?: readonly (number | string)[],
): Promise<Answer> {
  return actor.try('DELETE', PATH, { subscriptions: names, ...(principals === undefined ? {} : { principals }) })
}

async function streamId(user: TestUser, name: string): Promise<unknown> {
  const { streams } = await user.call('GET', '/streams', { include_all: true })
  return streams.find((channel) => channel['name'] === name)?.['stream_id']
}

async function subscribersOf(user: TestUser, name: string): Promise<unknown> {
  const { state } = await user.register({ fetch_event_types: ['subscription'], include_subscribers: 'true' })
  const all = [...state['subscriptions'], ...state['unsubscribed'], ...state['never_subscribed']]
  return all.find((channel) => channel['name'] === name)?.['subscribers']
}

describe('leaving channels', () => {
  it("sends a removal event to the person who leaves, and a peer event to the channel's viewers", async () => {
    const { owner, user } = await server().organization()
    const [member, other] = [await user('Mia Member'), await user('Otto Other')]
    const [inside, outside] = [await user('Gisa Guest', { role: 600 }), await user('Gus Guest', { role: 600 })]
    await owner.subscribe(['general'], { principals: [owner.id, member.id, inside.id] })
    const id = await streamId(owner, 'general')
    const look = await watch({ owner, member, other, inside, outside })
    expect((await tryToUnsubscribe(member, ['General'])).body).toEqual({
      result: 'success',
      msg: '',
      removed: ['general'],
      not_removed: [],
    })
    const peer = [{ type: 'subscription', op: 'peer_remove', stream_ids: [id], user_ids: [member.id] }]
    expect(await look()).toEqual({
      owner: peer,
      member: [{ type: 'subscription', op: 'remove', subscriptions: [{ stream_id: id, name: 'general' }] }],
      other: peer,
      inside: peer,
      outside: [],
    })
  })

  it('hides a channel from people who leave it if they could see it only as subscribers', async () => {
    const { owner, user } = await server().organization()
    const [member, admin] = [await user('Mia Member'), await user('Ada Admin', { role: 200 })]
    const guest = await user('Gus Guest', { role: 600 })
    await owner.subscribe(['general'], { principals: [owner.id, guest.id] })
    await owner.subscribe(['secret'], { invite_only: true, principals: [owner.id, member.id, admin.id] })
    const [general, secret] = [await streamId(owner, 'general'), await streamId(owner, 'secret')]
    const look = await watch({ member, admin, guest })
    await tryToUnsubscribe(guest, ['general'])
    await tryToUnsubscribe(member, ['secret'])
    await tryToUnsubscribe(admin, ['secret'])
    const deletionOf = (id: unknown): Body => ({
      type: 'stream',
      op: 'delete',
      stream_ids: [id],
      streams: [{ stream_id: id }],
    })
    const peer = (stream: unknown, one: TestUser): Body => ({
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: [stream],
      user_ids: [one.id],
    })
    expect(await look()).toMatchObject({
      member: [peer(general, guest), { type: 'subscription', op: 'remove' }, deletionOf(secret)],
      admin: [peer(general, guest), peer(secret, member), { type: 'subscription', op: 'remove' }],
      guest: [{ type: 'subscription', op: 'remove' }, deletionOf(general)],
    })
  })

  it('reports channels a user was not subscribed to, and sends no events for them', async () => {
    const { owner, user } = await server().organization()
    const member = await user('Mia Member')
    await owner.subscribe(['one', 'two'])
    await member.subscribe(['two'])
    const look = await watch({ owner }, { event_types: ['subscription'] })
    expect((await tryToUnsubscribe(member, ['one', 'two', 'ONE'])).body).toMatchObject({
      removed: ['two'],
      not_removed: ['one'],
    })
    expect((await tryToUnsubscribe(member, ['one', 'two'])).body).toMatchObject({
      removed: [],
      not_removed: ['one', 'two'],
    })
    expect((await tryToUnsubscribe(member, [])).body).toMatchObject({ removed: [], not_removed: [] })
    expect((await look()).owner).toHaveLength(1)
  })

  it('unsubscribes from no channel if any channel is missing, and returns the missing name as given', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['one'])
    const { status, body } = await tryToUnsubscribe(owner, ['one', 'Not There'])
    expect([status, body]).toMatchObject([400, { code: 'STREAM_DOES_NOT_EXIST', stream: 'Not There' }])
    expect(await subscribersOf(owner, 'one')).toEqual([owner.id])
  })

  it('treats hidden channels as missing in requests to leave or to remove subscribers', async () => {
    const { owner, user } = await server().organization()
    const [member, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
    await owner.subscribe(['general'])
    await owner.subscribe(['secret'], { invite_only: true })
    for (const [actor, hidden] of [
      [member, 'secret'],
      [guest, 'secret'],
      [guest, 'general'],
    ] as const) {
      const absent = await tryToUnsubscribe(actor, ['nowhere'])
      const answer = await tryToUnsubscribe(actor, [hidden])
      expect(answer.status).toBe(absent.status)
      expect(JSON.stringify(answer.body).replaceAll(hidden, 'nowhere')).toBe(JSON.stringify(absent.body))
      const others = await tryToUnsubscribe(actor, [hidden], [owner.id])
      expect(JSON.stringify(others.body).replaceAll(hidden, 'nowhere')).toBe(JSON.stringify(absent.body))
    }
    expect(await subscribersOf(owner, 'secret')).toEqual([owner.id])
  })

  it('lets the last subscriber leave a private channel', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['secret'], { invite_only: true })
    expect((await tryToUnsubscribe(owner, ['secret'])).body).toMatchObject({ removed: ['secret'] })
    expect(await subscribersOf(owner, 'secret')).toEqual([])
  })
})

describe('removing subscribers', () => {
  it('lets administrators remove subscribers from every channel', async () => {
    const { owner, user } = await server().organization()
    const [member, admin] = [await user('Mia Member'), await user('Ada Admin', { role: 200 })]
    const can_remove_subscribers_group = { direct_members: [], direct_subgroups: [] }
    await member.subscribe(['general'], { principals: [member.id, owner.id], can_remove_subscribers_group })
    await member.subscribe(['secret'], { invite_only: true, can_remove_subscribers_group })
    expect((await tryToUnsubscribe(admin, ['general', 'secret'], [member.id])).body).toMatchObject({
      removed: ['general', 'secret'],
    })
    expect((await tryToUnsubscribe(admin, ['general'], [owner.email.toUpperCase()])).body).toMatchObject({
      removed: ['general'],
    })
  })

  it("lets a bot's owner remove the bot from channels that the owner can see", async () => {
    const { owner, user } = await server().organization()
    const [member, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
    const bot = await user('Bert Bot', { bot: { ownerId: member.id } })
    const guestBot = await user('Bea Bot', { bot: { ownerId: guest.id } })
    await owner.subscribe(['general'], { principals: [owner.id, bot.id, guestBot.id] })
    await owner.subscribe(['secret'], { invite_only: true, principals: [owner.id, bot.id] })
    expect(refusal(await tryToUnsubscribe(member, ['secret'], [bot.id]))).toEqual([400, 'STREAM_DOES_NOT_EXIST'])
    expect(refusal(await tryToUnsubscribe(guest, ['general'], [guestBot.id]))).toEqual([400, 'STREAM_DOES_NOT_EXIST'])
    expect(refusal(await tryToUnsubscribe(member, ['general'], [guestBot.id]))).toEqual([400, 'BAD_REQUEST'])
    expect((await tryToUnsubscribe(member, ['general'], [bot.id])).body).toMatchObject({ removed: ['general'] })
    expect(await subscribersOf(owner, 'secret')).toEqual([owner.id, bot.id])
  })

  it('lets permitted people remove subscribers from channels that they can see', async () => {
    const { owner, user } = await server().organization()
    const [named, target] = [await user('Nina Named'), await user('Tara Target')]
    const can_remove_subscribers_group = { direct_members: [named.id], direct_subgroups: [] }
    const principals = [owner.id, target.id]
    await owner.subscribe(['general'], { principals, can_remove_subscribers_group })
    await owner.subscribe(['secret'], { principals, can_remove_subscribers_group, invite_only: true })
    expect((await tryToUnsubscribe(named, ['general'], [target.id])).body).toMatchObject({ removed: ['general'] })
    expect(refusal(await tryToUnsubscribe(named, ['secret'], [target.id]))).toEqual([400, 'STREAM_DOES_NOT_EXIST'])
    await owner.subscribe(['secret'], { principals: [named.id] })
    expect((await tryToUnsubscribe(named, ['secret'], [target.id])).body).toMatchObject({ removed: ['secret'] })
  })

  it('refuses removals of subscribers by people without permission, and changes nothing', async () => {
    const { owner, user } = await server().organization()
    const target = await user('Tara Target')
    for (const role of [300, 400, 600] as const) {
      const actor = await user(`Amy Actor ${role}`, { role })
      // Creators administer their channels, but that does not let them remove subscribers.
      const maker = role === 600 ? owner : actor
      await maker.subscribe([`for ${role}`], { principals: [actor.id, target.id] })
      const look = await watch({ owner, target })
      expect(refusal(await tryToUnsubscribe(actor, [`for ${role}`], [target.id]))).toEqual([400, 'BAD_REQUEST'])
      expect(refusal(await tryToUnsubscribe(actor, [`for ${role}`], [actor.id, target.id]))).toEqual([
        400,
        'BAD_REQUEST',
      ])
      expect(await look()).toEqual({ owner: [], target: [] })
      expect(await subscribersOf(owner, `for ${role}`)).toEqual([target.id, actor.id])
    }
  })

  it('refuses to unsubscribe missing and deactivated users', async () => {
    const { owner, user } = await server().organization()
    const gone = await user('Greta Gone')
    await owner.subscribe(['general'], { principals: [owner.id, gone.id] })
    await owner.call('DELETE', `/users/${gone.id}`)
    const look = await watch({ owner })
    for (const principals of [[999_999], [-1], ['nobody@example.com'], [gone.id], [gone.email], [owner.id, 999_999]]) {
      expect(refusal(await tryToUnsubscribe(owner, ['general'], principals))).toEqual([400, 'BAD_REQUEST'])
    }
    expect(await look()).toEqual({ owner: [] })
    expect(await subscribersOf(owner, 'general')).toEqual([owner.id])
  })

  it('reports a channel as both removed and not removed if only some of the people were subscribed', async () => {
    const { owner, user } = await server().organization()
    const [first, second] = [await user('Anna'), await user('Bob')]
    await first.subscribe(['general'])
    expect((await tryToUnsubscribe(owner, ['general'], [first.id, second.id, first.id])).body).toMatchObject({
      removed: ['general'],
      not_removed: ['general'],
    })
  })

  it("notifies people removed in the same request of each other's removal", async () => {
    const { owner, user } = await server().organization()
    const members: TestUser[] = []
    // Removes more people than the server notifies one by one.
    for (let index = 0; index < 17; index += 1) members.push(await user(`Member ${index}`))
    const guest = await user('Gus Guest', { role: 600 })
    const all = [...members, guest]
    await owner.subscribe(['general'], { principals: [owner.id, ...all.map(({ id }) => id)] })
    const look = await watch(Object.fromEntries(all.map((one) => [one.id, one])), {
      event_types: ['subscription', 'stream'],
    })
    await tryToUnsubscribe(
      owner,
      ['general'],
      all.map(({ id }) => id),
    )
    const seen = await look()
    for (const member of members) {
      const events = seen[member.id] ?? []
      expect(events[0]).toMatchObject({ op: 'remove' })
      const peers = events.slice(1)
      expect(new Set(peers.map((event) => event['op']))).toEqual(new Set(['peer_remove']))
      const told = peers.flatMap((event) => event.user_ids ?? []).toSorted((a, b) => a - b)
      expect(told).toEqual(all.map(({ id }) => id).filter((id) => id !== member.id))
    }
    expect(seen[guest.id]).toMatchObject([{ op: 'remove' }, { type: 'stream', op: 'delete' }])
  })
})
