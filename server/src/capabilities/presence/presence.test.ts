import pg from 'pg'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { RegisterResponse } from '../../testing/contract-types.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import { changeUserSettings } from '../users/testing/settings.ts'
import { ALL_CAPABILITIES, type Body, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

async function createFixture(): Promise<TestOrganization & { ann: TestUser; bob: TestUser }> {
  const organization = await server().organization()
  return { ...organization, ann: await organization.user('Ann'), bob: await organization.user('Bob') }
}

async function reportPresence(user: TestUser, more: Parameters = {}): Promise<Body> {
  return user.call('POST', '/users/me/presence', { status: 'active', last_update_id: -1, ...more })
}

async function backdatePresence({ id }: TestOrganization, user: TestUser, seconds: number): Promise<void> {
  const client = new pg.Client(server().database)
  await client.connect()
  await client.query(
    'update presences set active_at = greatest(0, active_at - $3), idle_at = idle_at - $3 where organization_id = $1 and user_id = $2',
    [id, user.id, seconds],
  )
  await client.end()
}

async function setUserSettings({ id }: TestOrganization, user: TestUser, settings: Parameters): Promise<void> {
  await changeUserSettings(server().parley, id, user.id, settings)
}

const PRESENCES_SCHEMA = z.record(z.string(), z.object({ active_timestamp: z.number(), idle_timestamp: z.number() }))

function presencesIn(body: Body): z.output<typeof PRESENCES_SCHEMA> {
  return PRESENCES_SCHEMA.parse(body['presences'])
}

function idsIn(body: Body): number[] {
  return Object.keys(presencesIn(body)).map(Number)
}

const DAY_SECONDS = 86_400

it("shows a person's presence to everyone in every response format", async () => {
  const { owner, ann, bob } = await createFixture()
  const now = Math.floor(Date.now() / 1000)
  const mine = await reportPresence(ann, { status: 'idle' })
  expect(mine).toMatchObject({ presences: { [ann.id]: { active_timestamp: 0 } } })
  expect(Number(mine['server_timestamp'])).toBeGreaterThanOrEqual(now)
  expect(await reportPresence(bob, { ping_only: true })).toEqual({ result: 'success', msg: '' })
  const pinged = await reportPresence(owner)
  const { presences, presence_last_update_id } = pinged
  const seen = presencesIn(pinged)
  expect(Object.keys(seen).map(Number)).toEqual([owner.id, ann.id, bob.id])
  expect(seen[bob.id]?.active_timestamp).toBeGreaterThanOrEqual(now)
  expect(seen[bob.id]?.idle_timestamp).toBe(seen[bob.id]?.active_timestamp)
  const website = (status: string): unknown => ({ client: 'website', status, pushable: false })
  const older = {
    [ann.email]: { website: website('idle'), aggregated: { client: 'website', status: 'idle' } },
    [bob.email]: { website: website('active'), aggregated: { client: 'website', status: 'active' } },
  }
  expect(await owner.call('GET', '/realm/presence')).toMatchObject({ presences: older })
  expect(await owner.call('POST', '/users/me/presence', { status: 'active' })).toMatchObject({ presences: older })
  expect((await owner.register({ slim_presence: true })).state['presences']).toEqual(presences)
  const { state } = await owner.register()
  expect(state).toMatchObject({ presences: older, presence_last_update_id })
  for (const named of [bob.id, bob.email]) {
    const { presence } = await owner.call('GET', `/users/${named}/presence`)
    const timestamp = seen[bob.id]?.active_timestamp
    expect(presence).toEqual({ website: { status: 'active', timestamp }, aggregated: { status: 'active', timestamp } })
  }
})

it('sends a presence event only when a person becomes active again', async () => {
  const organization = await createFixture()
  const { owner, ann, bob } = organization
  const [fresh, slim] = [
    { client_capabilities: ALL_CAPABILITIES, slim_presence: true },
    { client_capabilities: {}, slim_presence: true },
  ]
  const look = await watch({ owner, ann, bob }, fresh)
  const [old, between] = [await owner.register({ client_capabilities: {} }), await owner.register(slim)]
  await reportPresence(ann)
  await reportPresence(ann)
  await reportPresence(ann, { status: 'idle' })
  const presences = presencesIn(await reportPresence(ann))
  const told = { type: 'presence', presences }
  expect(await look()).toEqual({ owner: [told], ann: [told], bob: [told] })
  const timestamp = presences[ann.id]?.active_timestamp
  const older = {
    type: 'presence',
    user_id: ann.id,
    server_timestamp: timestamp,
    presence: { website: { client: 'website', status: 'active', timestamp, pushable: false } },
  }
  expect(await old.events()).toMatchObject([{ ...older, email: ann.email }])
  const [withoutAddress] = await between.events()
  expect(withoutAddress).toMatchObject(older)
  expect(withoutAddress).not.toHaveProperty('email')
  // After a minute, Ann is still active. After an hour, she becomes active again, which sends an event.
  await backdatePresence(organization, ann, 60)
  await reportPresence(ann)
  expect(await look()).toEqual({ owner: [], ann: [], bob: [] })
  await backdatePresence(organization, ann, 3_600)
  await reportPresence(ann, { status: 'idle' })
  expect(await look()).toEqual({ owner: [], ann: [], bob: [] })
  await reportPresence(ann, { status: 'idle', new_user_input: true })
  expect((await look()).bob).toMatchObject([{ type: 'presence' }])
})

it('returns only presences newer than those the client has', async () => {
  const organization = await createFixture()
  const { owner, ann, bob } = organization
  await reportPresence(ann)
  await reportPresence(bob)
  const first = await reportPresence(owner)
  expect(idsIn(first)).toEqual([owner.id, ann.id, bob.id])
  const again = await reportPresence(owner, { last_update_id: first['presence_last_update_id'] })
  expect(again).toMatchObject({ presences: {}, presence_last_update_id: first['presence_last_update_id'] })
  // A second report within a minute is not written.
  await reportPresence(bob)
  expect(idsIn(await reportPresence(owner, { last_update_id: first['presence_last_update_id'] }))).toEqual([])
  await backdatePresence(organization, bob, 60)
  await reportPresence(bob)
  const next = await reportPresence(owner, { last_update_id: first['presence_last_update_id'] })
  expect(idsIn(next)).toEqual([bob.id])
  expect(Number(next['presence_last_update_id'])).toBeGreaterThan(Number(first['presence_last_update_id']))
})

it('writes concurrent presence updates in one batch without losing any', async () => {
  const { owner, user } = await server().organization()
  const people = await Promise.all(Array.from({ length: 20 }, async (_, index) => user(`Person ${index}`)))
  await Promise.all(people.map(async (one) => reportPresence(one)))
  expect(idsIn(await reportPresence(owner))).toEqual(
    [owner.id, ...people.map(({ id }) => id)].toSorted((a, b) => a - b),
  )
})

it('returns presences of the requested number of days, by default 14', async () => {
  const organization = await createFixture()
  const { owner, ann, bob } = organization
  await reportPresence(ann)
  await reportPresence(bob)
  await backdatePresence(organization, ann, 14 * DAY_SECONDS - 600)
  await backdatePresence(organization, bob, 14 * DAY_SECONDS + 1)
  expect(idsIn(await reportPresence(owner))).toEqual([owner.id, ann.id])
  const { presences } = await owner.call('GET', '/realm/presence')
  expect(Object.keys(presences)).toEqual([owner.email, ann.email])
  expect(idsIn(await reportPresence(owner, { history_limit_days: 5 }))).toEqual([owner.id])
  expect(idsIn(await reportPresence(owner, { history_limit_days: 9_000_000_000_000 }))).toEqual([
    owner.id,
    ann.id,
    bob.id,
  ])
  const registered = async (more: Parameters): Promise<number[]> =>
    idsIn((await owner.register({ slim_presence: true, ...more })).state)
  expect(await registered({})).toEqual([owner.id, ann.id])
  expect(await registered({ presence_history_limit_days: 30 })).toEqual([owner.id, ann.id, bob.id])
})

it('returns current presences when a queue is registered, for any viewer and on any server', async () => {
  const organization = await createFixture()
  const { id, owner, ann, bob, user } = organization
  const guest = await user('Gus', { role: 600 })
  const presencesFor = async (viewer: TestUser, more: Parameters = {}): Promise<RegisterResponse> =>
    (await viewer.register({ slim_presence: true, ...more })).state
  await reportPresence(ann)
  for (const viewer of [owner, bob, guest]) expect(idsIn(await presencesFor(viewer))).toEqual([ann.id])
  await reportPresence(bob)
  for (const viewer of [owner, ann, guest]) expect(idsIn(await presencesFor(viewer))).toEqual([ann.id, bob.id])
  expect(await presencesFor(owner, { slim_presence: false })).toHaveProperty(['presences', ann.email, 'aggregated'])

  const client = new pg.Client(server().database)
  await client.connect()
  const { rows } = await client.query<{ last: string }>(
    `update presence_clocks set last_update_id = last_update_id + 1 where organization_id = $1
     returning last_update_id as last`,
    [id],
  )
  const last = Number(rows[0]?.last)
  const sooner = Math.floor(Date.now() / 1000) + 100
  await client.query('update presences set idle_at = $3, update_id = $4 where organization_id = $1 and user_id = $2', [
    id,
    ann.id,
    sooner,
    last,
  ])
  await client.end()
  expect(await presencesFor(bob)).toMatchObject({
    presences: { [ann.id]: { idle_timestamp: sooner } },
    presence_last_update_id: last,
  })

  await setUserSettings(organization, ann, { presence_enabled: false })
  for (const viewer of [owner, ann, guest]) expect(idsIn(await presencesFor(viewer))).toEqual([bob.id])
  const { realm_user_groups } = await presencesFor(owner)
  const members = realm_user_groups.find(({ name }) => name === 'role:members')
  await changeSettings(server().parley, id, { can_access_all_users_group: members?.id })
  expect(idsIn(await presencesFor(guest))).toEqual([])
  expect(idsIn(await presencesFor(ann))).toEqual([bob.id])
  await owner.call('DELETE', `/users/${bob.id}`)
  expect(idsIn(await presencesFor(ann))).toEqual([])
})

it('neither stores nor shows the presence of people who disabled it', async () => {
  const organization = await createFixture()
  const { owner, ann } = organization
  await reportPresence(ann)
  await setUserSettings(organization, ann, { presence_enabled: false })
  const look = await watch({ owner, ann })
  await backdatePresence(organization, ann, 3_600)
  expect(idsIn(await reportPresence(ann))).toEqual([])
  expect(idsIn(await reportPresence(owner))).toEqual([owner.id])
  expect((await owner.call('GET', '/realm/presence'))['presences']).not.toHaveProperty([ann.email])
  const one = await owner.try('GET', `/users/${ann.id}/presence`)
  expect([one.status, one.body['msg']]).toEqual([400, `No presence data for ${ann.id}`])
  expect((await look()).owner.filter((event) => JSON.stringify(event).includes(`"${ann.id}"`))).toEqual([])
  // When presence is turned back on, the state from before is shown.
  await setUserSettings(organization, ann, { presence_enabled: true })
  const { idle_timestamp } = presencesIn(await reportPresence(owner))[ann.id] ?? { idle_timestamp: 0 }
  expect(idle_timestamp).toBeLessThan(Date.now() / 1000 - 3_000)
})

it('refuses requests for the presence of bots and of missing or deactivated people', async () => {
  const { owner, ann, user } = await createFixture()
  const bot = await user('Bot', { bot: { ownerId: ann.id } })
  const refused = await bot.try('POST', '/users/me/presence', { status: 'active' })
  expect([refused.status, refused.body['code']]).toEqual([400, 'BAD_REQUEST'])
  for (const named of [bot.id, ann.id, 999_999, 'nobody@example.com', '9'.repeat(40)]) {
    const { status, body } = await owner.try('GET', `/users/${named}/presence`)
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  }
  await reportPresence(ann)
  await owner.call('DELETE', `/users/${ann.id}`)
  expect(idsIn(await reportPresence(owner))).toEqual([owner.id])
})

it('rejects invalid presence updates', async () => {
  const { ann } = await createFixture()
  for (const bad of [
    {},
    { status: 'away' },
    { status: 'active', last_update_id: -2 },
    { status: 'active', history_limit_days: -1 },
    { status: 'active', ping_only: 'perhaps' },
  ]) {
    expect((await ann.try('POST', '/users/me/presence', bad)).status).toBe(400)
  }
  expect(idsIn(await reportPresence(ann))).toEqual([ann.id])
})

it('shows guests only presences of people they can see, and none if presence is off', async () => {
  const organization = await createFixture()
  const { id, owner, ann, bob, user } = organization
  const guest = await user('Gus', { role: 600 })
  await owner.subscribe(['general'], { principals: [ann.id, guest.id] })
  const { realm_user_groups } = (await owner.register()).state
  const members = realm_user_groups.find(({ name }) => name === 'role:members')
  await changeSettings(server().parley, id, { can_access_all_users_group: members?.id })
  const look = await watch({ guest, owner }, { event_types: ['presence'] })
  for (const one of [ann, bob]) await reportPresence(one)
  expect(idsIn(await reportPresence(guest))).toEqual([ann.id, guest.id])
  expect(idsIn((await guest.register({ slim_presence: true })).state)).toEqual([ann.id, guest.id])
  const hidden = await guest.try('GET', `/users/${bob.id}/presence`)
  expect([hidden.status, hidden.body]).toEqual([400, (await guest.try('GET', '/users/999999/presence')).body])
  const told = await look()
  expect(told.guest.map(idsIn)).toEqual([[ann.id], [guest.id]])
  expect(told.owner.map(idsIn)).toEqual([[ann.id], [bob.id], [guest.id]])
  await changeSettings(server().parley, id, { presence_disabled: true })
  expect(idsIn(await reportPresence(owner))).toEqual([])
  expect(await look()).toEqual({ guest: [], owner: [] })
})
