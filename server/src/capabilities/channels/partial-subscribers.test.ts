import pg from 'pg'
import { expect, it } from 'vitest'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { TestUser, type Body } from '../../testing/user.ts'

const server = useTestServer()

const PARTIAL_LISTS = { include_subscribers: 'partial' }
const DAY_SECONDS = 86_400

async function queryDatabase<Row extends pg.QueryResultRow>(
  statement: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const client = new pg.Client(server().database)
  await client.connect()
  const { rows } = await client.query<Row>(statement, [...parameters])
  await client.end()
  return rows
}

/** Sets the last activity of users as if another server had recorded it. */
async function setLastActivity({ id }: TestOrganization, daysAgo: ReadonlyMap<number, number>): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  await queryDatabase(
    'insert into user_activity (organization_id, user_id, noted_at) select $1, * from unnest($2::bigint[], $3::bigint[])',
    [id, [...daysAgo.keys()], [...daysAgo.values()].map((days) => now - days * DAY_SECONDS)],
  )
}

/** Checks that both endpoints return the same lists of subscribers, and returns these lists. */
async function subscriberLists(viewer: TestUser, channel: string, wanted: Body = PARTIAL_LISTS): Promise<Body> {
  const { state } = await viewer.register({ fetch_event_types: ['subscription'], ...wanted })
  const { subscriptions } = await viewer.call('GET', '/users/me/subscriptions', wanted)
  const own = recordNamed(subscriptions, channel)
  const lists = ['subscriptions', 'unsubscribed', 'never_subscribed'].map((list) => recordNamed(state[list], channel))
  const [registered] = lists.filter((record) => record !== undefined)
  if (registered === undefined) return { absent: true }
  expect(own).toEqual(lists[0])
  const { subscribers, partial_subscribers } = registered
  return { subscribers, partial_subscribers }
}

function recordNamed(records: unknown, name: string): Body | undefined {
  return objectsIn(records).find((record) => record['name'] === name)
}

const completeList = (subscribers: readonly number[]): Body => ({
  subscribers: subscribers.toSorted((a, b) => a - b),
  partial_subscribers: undefined,
})
const partialList = (subscribers: readonly number[]): Body => ({
  subscribers: undefined,
  partial_subscribers: subscribers.toSorted((a, b) => a - b),
})

it('lists all subscribers of a channel if there are at most 249, and otherwise only active subscribers', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const people = await organization.crowd(250)
  const principals = [owner.id, ...people.slice(0, 248)]
  await owner.subscribe(['large'], { principals })
  expect(await subscriberLists(owner, 'large')).toEqual(completeList(principals))
  await owner.subscribe(['large'], { principals: people.slice(248, 249) })
  expect(await subscriberLists(owner, 'large')).toEqual(partialList([owner.id]))
  await owner.subscribe(['large'], { principals: people.slice(249) })
  expect(await subscriberLists(owner, 'large')).toEqual(partialList([owner.id]))
  const everybody = [owner.id, ...people]
  expect(await subscriberLists(owner, 'large', { include_subscribers: 'true' })).toEqual(completeList(everybody))
  const nobody = { subscribers: undefined, partial_subscribers: undefined }
  expect(await subscriberLists(owner, 'large', { include_subscribers: 'false' })).toEqual(nobody)
  const { subscriptions } = await owner.call('GET', '/users/me/subscriptions', PARTIAL_LISTS)
  expect(subscriptions).toMatchObject([{ name: 'large', subscriber_count: 251 }])
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['large'], principals: people.slice(0, 2) })
  expect(await subscriberLists(owner, 'large')).toEqual(
    completeList(everybody.filter((id) => !people.slice(0, 2).includes(id))),
  )
})

it('lists bots and people active in the last 14 days among the subscribers of a large channel', async () => {
  const organization = await server().organization()
  const { owner, user } = organization
  const people = await organization.crowd(250)
  const [before = 0, lately = 0, longAgo = 0] = people
  const bot = await user('Bert Bot', { bot: { ownerId: owner.id } })
  const [poller, robot, sender] = [await user('Polly'), await user('Rob'), await user('Senta')]
  const absent = await user('Abby')
  await setLastActivity(
    organization,
    new Map([before, lately, longAgo].map((id, index) => [id, [13, 14, 15][index] ?? 0])),
  )
  const principals = [owner.id, bot.id, poller.id, robot.id, sender.id, absent.id, ...people]
  await owner.subscribe(['large'], { principals })
  const active = [owner.id, bot.id, before, lately]
  expect(await subscriberLists(owner, 'large')).toEqual(partialList(active))
  // Presence does not include users who only poll, read, or send.
  const { queue_id } = await poller.call('POST', '/register', { event_types: ['message'] })
  await poller.call('GET', '/events', { queue_id, last_event_id: -1, dont_block: true })
  expect(await subscriberLists(owner, 'large')).toEqual(partialList([...active, poller.id]))
  await robot.call('GET', '/users/me')
  expect(await subscriberLists(owner, 'large')).toEqual(partialList([...active, poller.id, robot.id]))
  await sender.send('large', 'hello', 'Hello')
  expect(await subscriberLists(owner, 'large')).toEqual(partialList([...active, poller.id, robot.id, sender.id]))
  const wrong = new TestUser(sender.url, sender.host, absent.email, sender.apiKey, absent.id)
  expect((await wrong.try('GET', '/users/me')).status).toBe(401)
  expect(await subscriberLists(owner, 'large')).toEqual(partialList([...active, poller.id, robot.id, sender.id]))
})

it('lists all subscribers of a large channel if all of them were recently active', async () => {
  const organization = await server().organization()
  const { owner } = organization
  const people = await organization.crowd(250)
  const [last = 0, ...others] = people
  await setLastActivity(organization, new Map(others.map((id, index) => [id, index % 14])))
  await owner.subscribe(['large'], { principals: [owner.id, ...people] })
  expect(await subscriberLists(owner, 'large')).toEqual(partialList([owner.id, ...others]))
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['large'], principals: [last] })
  expect(await subscriberLists(owner, 'large')).toEqual(completeList([owner.id, ...others]))
})

it('sends partial subscriber lists only to people who can see the channel', async () => {
  const organization = await server().organization()
  const { owner, user } = organization
  const [member, guest] = [await user('Mia Member'), await user('Gus Guest', { role: 600 })]
  const people = await organization.crowd(249)
  await owner.subscribe(['public'], { principals: [owner.id, ...people, member.id, guest.id] })
  await owner.subscribe(['elsewhere'], { principals: [owner.id, ...people, member.id] })
  await owner.subscribe(['private', 'left'], { principals: [owner.id, ...people, member.id], invite_only: true })
  for (const viewer of [member, guest]) await viewer.call('GET', '/users/me')
  for (const viewer of [owner, member, guest]) {
    expect(await subscriberLists(viewer, 'public')).toEqual(partialList([owner.id, member.id, guest.id]))
  }
  for (const name of ['elsewhere', 'private']) {
    expect(await subscriberLists(member, name)).toEqual(partialList([owner.id, member.id]))
    expect(await subscriberLists(guest, name)).toEqual({ absent: true })
  }
  const subscriptions = ['public', 'elsewhere', 'private']
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions, principals: [member.id] })
  const nora = await user('Nora')
  for (const viewer of [member, nora]) {
    expect(await subscriberLists(viewer, 'public')).toEqual(partialList([owner.id, guest.id]))
    expect(await subscriberLists(viewer, 'elsewhere')).toEqual(partialList([owner.id]))
    expect(await subscriberLists(viewer, 'private')).toEqual({ absent: true })
  }
  // An owner can see a private channel without subscribing.
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
  expect(await subscriberLists(owner, 'left')).toEqual(partialList([member.id]))
})
