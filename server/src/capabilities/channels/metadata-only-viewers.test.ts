import { expect, it } from 'vitest'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { ALL_CAPABILITIES, type Body, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const EVENT_TYPE_OPTIONS = { event_types: ['stream', 'subscription', 'realm_user'] }
const CHANNEL_LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const

interface Scene extends TestOrganization {
  readonly mia: TestUser
  readonly bob: TestUser
  readonly bot: TestUser
  readonly gus: TestUser
  /** A channel that Gus can see only through a permission. */
  readonly secret: number
}

/** Creates Gus, a limited guest. He shares a channel with Mia and can join one with Mia and Bob. */
async function createScene(): Promise<Scene> {
  const organization = await server().organization()
  const { owner, user } = organization
  const [mia, bob, gus] = [await user('Mia'), await user('Bob'), await user('Gus', { role: 600 })]
  const bot = await user('Bert Bot', { bot: { ownerId: bob.id } })
  await owner.subscribe(['Ours'], { principals: [mia.id, gus.id] })
  await limitUserAccess(owner, 'role:members')
  await owner.subscribe(['Secret'], {
    principals: [owner.id, mia.id, bob.id, bot.id],
    invite_only: true,
    can_subscribe_group: settingFor(gus.id),
  })
  return { ...organization, mia, bob, bot, gus, secret: await channelId(owner, 'Secret') }
}

function settingFor(...ids: number[]): Body {
  return { direct_members: ids, direct_subgroups: [] }
}

async function limitUserAccess(owner: TestUser, name: 'role:members' | 'role:everyone'): Promise<void> {
  const { user_groups } = await owner.call('GET', '/user_groups')
  const group = user_groups.find((one) => one['name'] === name)
  await owner.call('PATCH', '/realm', { can_access_all_users_group: { new: group?.['id'] } })
}

async function channelId(user: TestUser, name: string): Promise<number> {
  return (await user.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

async function leave(user: TestUser, ...names: string[]): Promise<void> {
  await user.call('DELETE', '/users/me/subscriptions', { subscriptions: names })
}

async function shownCounts(user: TestUser, id: number): Promise<{ counts: unknown[]; lists: unknown[] }> {
  const records: Body[] = []
  for (const include_subscribers of ['true', 'partial', 'false']) {
    const { state } = await user.register({ ...EVENT_TYPE_OPTIONS, include_subscribers })
    for (const list of [...CHANNEL_LISTS, 'streams']) records.push(...objectsIn(state[list]))
  }
  const { streams } = await user.call('GET', '/streams', { include_all: true })
  const { stream } = await user.call('GET', `/streams/${id}`)
  const { subscriptions } = await user.call('GET', '/users/me/subscriptions', { include_subscribers: 'true' })
  records.push(...streams, stream, ...subscriptions)
  const about = records.filter((record) => record['stream_id'] === id)
  const { subscribers } = await user.call('GET', `/streams/${id}/members`)
  const lists = [
    subscribers,
    ...about.flatMap((record) => record['subscribers'] ?? record['partial_subscribers'] ?? []),
  ]
  expect(about.length).toBeGreaterThanOrEqual(8)
  return {
    counts: [...new Set(about.map((record) => record['subscriber_count']))],
    lists: [...new Set(lists.flat())].toSorted((a, b) => Number(a) - Number(b)),
  }
}

const peerEvent = (op: 'peer_add' | 'peer_remove', id: number, ...userIds: number[]): Body => ({
  type: 'subscription',
  op,
  stream_ids: [id],
  user_ids: userIds,
})

const peerEventsIn = (events: Body[]): Body[] => events.filter(({ op }) => op === 'peer_add' || op === 'peer_remove')

it('shows a guest who cannot read a channel only the subscribers whom the guest can see elsewhere', async () => {
  const { owner, mia, bob, bot, gus, secret, user } = await createScene()
  const gil = await user('Gil', { role: 600 })
  await owner.call('PATCH', `/streams/${secret}`, { can_subscribe_group: { new: settingFor(gus.id, gil.id) } })
  // Repeats the requests alternately, because cached answers must not leak between viewers.
  for (const _ of [1, 2]) {
    expect(await shownCounts(owner, secret)).toEqual({ counts: [4], lists: [owner.id, mia.id, bob.id, bot.id] })
    expect(await shownCounts(gus, secret)).toEqual({ counts: [2], lists: [mia.id, bot.id] })
    expect(await shownCounts(gil, secret)).toEqual({ counts: [1], lists: [bot.id] })
    expect(await shownCounts(mia, secret)).toEqual({ counts: [4], lists: [owner.id, mia.id, bob.id, bot.id] })
  }
  const refused = await gus.try('GET', `/users/${bob.id}/subscriptions/${secret}`)
  expect(refused.body).toEqual((await gus.try('GET', `/users/987654/subscriptions/${secret}`)).body)
  expect(refused.body).toMatchObject({ result: 'error' })
})

it("shows a guest with limited access a public channel's subscribers only if the guest is subscribed", async () => {
  const { owner, mia, bob, gus, user } = await createScene()
  const gil = await user('Gil', { role: 600 })
  const known = { can_administer_channel_group: settingFor(gus.id) }
  await owner.subscribe(['Open'], { principals: [bob.id, gil.id], ...known })
  const open = await channelId(owner, 'Open')
  expect(await shownCounts(gus, open)).toEqual({ counts: [0], lists: [] })
  expect(await shownCounts(gil, open)).toEqual({ counts: [2], lists: [bob.id, gil.id] })
  expect(await shownCounts(mia, open)).toEqual({ counts: [2], lists: [bob.id, gil.id] })
})

it('notifies guests who cannot read a channel, but only about subscribers whom they can see', async () => {
  const { owner, mia, bob, bot, gus, secret } = await createScene()
  const look = await watch({ owner, gus }, EVENT_TYPE_OPTIONS)
  const both = { principals: [mia.id, bob.id] }
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['Secret'], ...both })
  expect(await look()).toEqual({
    owner: [peerEvent('peer_remove', secret, mia.id, bob.id)],
    gus: [peerEvent('peer_remove', secret, mia.id)],
  })
  await owner.subscribe(['Secret'], { principals: [bob.id] })
  expect(await look()).toEqual({ owner: [peerEvent('peer_add', secret, bob.id)], gus: [] })
  await owner.subscribe(['Secret'], { principals: [mia.id] })
  const came = peerEvent('peer_add', secret, mia.id)
  expect(await look()).toEqual({ owner: [came], gus: [came] })
  // The bot, which everyone sees, is deactivated with its owner.
  await owner.call('DELETE', `/users/${bob.id}`)
  expect(peerEventsIn((await look()).gus)).toEqual([peerEvent('peer_remove', secret, bot.id)])
  await owner.call('POST', `/users/${bob.id}/reactivate`)
  expect(peerEventsIn((await look()).gus)).toEqual([])
  await owner.call('DELETE', `/users/${mia.id}`)
  const ours = await channelId(owner, 'Ours')
  expect(peerEventsIn((await look()).gus)).toEqual([ours, secret].map((id) => peerEvent('peer_remove', id, mia.id)))
  await owner.call('POST', `/users/${mia.id}/reactivate`)
  expect(peerEventsIn((await look()).gus)).toEqual([peerEvent('peer_add', ours, mia.id), came])
})

it('sends peer events when a subscriber becomes visible to a guest or hidden from a guest', async () => {
  const { owner, mia, bob, bot, gus, secret, user } = await createScene()
  const look = await watch({ gus, mia }, EVENT_TYPE_OPTIONS)
  const [seen, unseen] = [peerEvent('peer_add', secret, bob.id), peerEvent('peer_remove', secret, bob.id)]
  await bob.subscribe(['Ours'])
  expect((await look()).gus).toMatchObject([
    { type: 'realm_user', op: 'add', person: { user_id: bob.id } },
    { op: 'peer_add', stream_ids: [await channelId(owner, 'Ours')] },
    seen,
  ])
  expect(await shownCounts(gus, secret)).toEqual({ counts: [3], lists: [mia.id, bob.id, bot.id] })
  await leave(bob, 'Ours')
  expect(peerEventsIn((await look()).gus).at(-1)).toEqual(unseen)
  await leave(gus, 'Ours')
  expect(peerEventsIn((await look()).gus)).toEqual([peerEvent('peer_remove', secret, mia.id)])
  await mia.subscribe(['Ours'], { principals: [gus.id] })
  expect(peerEventsIn((await look()).gus)).toEqual([peerEvent('peer_add', secret, mia.id)])
  const [allSeen, allUnseen] = (['peer_add', 'peer_remove'] as const).map((op) =>
    peerEvent(op, secret, owner.id, bob.id),
  )
  await look()
  await limitUserAccess(owner, 'role:everyone')
  const opened = await look()
  expect([peerEventsIn(opened.gus), opened.mia]).toEqual([[allSeen], []])
  await limitUserAccess(owner, 'role:members')
  const closed = await look()
  expect([peerEventsIn(closed.gus), closed.mia]).toEqual([[allUnseen], []])
  await owner.call('PATCH', `/users/${gus.id}`, { role: 400 })
  expect(peerEventsIn((await look()).gus).filter((one) => String(one['stream_ids']) === String(secret))).toEqual([
    allSeen,
  ])
  await owner.call('PATCH', `/users/${gus.id}`, { role: 600 })
  expect(peerEventsIn((await look()).gus)).toEqual([allUnseen])
  await bob.sendTo([gus.id], 'Hello')
  expect(peerEventsIn((await look()).gus)).toEqual([seen])
  const nina = await user('Nina')
  await owner.subscribe(['Secret'], { principals: [nina.id] })
  expect((await look()).gus).toEqual([])
})

it('shows a guest all subscribers of a channel while the guest is subscribed', async () => {
  const { owner, mia, bob, bot, gus, secret } = await createScene()
  const look = await watch({ gus }, { ...EVENT_TYPE_OPTIONS, include_subscribers: 'true' })
  const everybody = [owner, mia, bob, bot, gus].map(({ id }) => id).toSorted((a, b) => a - b)
  await gus.subscribe(['Secret'])
  const added = (await look()).gus.find(({ op, type }) => op === 'add' && type === 'subscription')
  expect(added).toMatchObject({ subscriptions: [{ subscriber_count: 5, subscribers: everybody }] })
  expect(await shownCounts(gus, secret)).toEqual({ counts: [5], lists: everybody })
  await leave(gus, 'Secret')
  expect(peerEventsIn((await look()).gus)).toEqual([peerEvent('peer_remove', secret, owner.id, bob.id)])
  expect(await shownCounts(gus, secret)).toEqual({ counts: [2], lists: [mia.id, bot.id] })
})

it('sends a guest only visible subscribers of a newly visible channel', async () => {
  const { owner, mia, bob, bot, gus, secret, user } = await createScene()
  const gil = await user('Gil', { role: 600 })
  const looks = await watch({ gus, gil, bob }, EVENT_TYPE_OPTIONS)
  const forgetful = { ...EVENT_TYPE_OPTIONS, client_capabilities: { ...ALL_CAPABILITIES, archived_channels: false } }
  const older = await watch({ gus }, forgetful)
  await owner.call('PATCH', `/streams/${secret}`, { can_subscribe_group: { new: settingFor(gil.id) } })
  const [created, none] = [{ op: 'create', streams: [{ stream_id: secret, subscriber_count: 0 }] }, { op: 'delete' }]
  const look = await looks()
  expect([look.gus, peerEventsIn(look.bob)]).toMatchObject([[none], []])
  expect(look.gil).toMatchObject([created, peerEvent('peer_add', secret, bot.id)])
  await owner.call('PATCH', `/streams/${secret}`, { can_subscribe_group: { new: settingFor(gus.id, bob.id) } })
  expect((await looks()).gus).toMatchObject([created, peerEvent('peer_add', secret, mia.id, bot.id)])
  await older()
  await owner.call('DELETE', `/streams/${secret}`)
  expect((await older()).gus).toMatchObject([none])
  await owner.call('PATCH', `/streams/${secret}`, { is_archived: false })
  expect(peerEventsIn((await older()).gus)).toEqual([peerEvent('peer_add', secret, mia.id, bot.id)])
})

it.each([
  ['the channel shared with the guest first', ['Ours', 'Other']],
  ['the channel shared with the guest last', ['Other', 'Ours']],
])('notifies a guest only once when a person joins several channels in one request: %s', async (_, names) => {
  const { owner, gus, user } = await createScene()
  const nina = await user('Nina')
  await owner.subscribe(['Other'], { invite_only: true, can_subscribe_group: settingFor(gus.id) })
  const other = await channelId(owner, 'Other')
  const look = await watch({ gus }, EVENT_TYPE_OPTIONS)
  const peerEvents = async (): Promise<Body[]> =>
    peerEventsIn((await look()).gus).filter((one) => String(one['stream_ids']) === String(other))
  await owner.subscribe(names, { principals: [nina.id] })
  expect(await peerEvents()).toEqual([peerEvent('peer_add', other, nina.id)])
  expect(await shownCounts(gus, other)).toEqual({ counts: [1], lists: [nina.id] })
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: names, principals: [nina.id] })
  expect(await peerEvents()).toEqual([peerEvent('peer_remove', other, nina.id)])
  expect(await shownCounts(gus, other)).toEqual({ counts: [0], lists: [] })
})
