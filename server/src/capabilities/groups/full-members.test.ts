import { afterEach, expect, it, vi } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { promoteFullMembers } from './jobs.ts'

const server = useTestServer()

afterEach(() => {
  vi.restoreAllMocks()
})

const DAY_SECONDS = 86_400

/** Runs the promotion job as if this many seconds had passed. */
async function runPromotion(organizationId: number, seconds: number): Promise<void> {
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + seconds * 1000)
  await promoteFullMembers(await server().parley.logs.of(organizationId))
  vi.restoreAllMocks()
}

async function fullMembers(user: TestUser): Promise<Body> {
  const { user_groups } = await user.call('GET', '/user_groups')
  return user_groups.find((group) => group.name === 'role:fullmembers') ?? {}
}

it('promotes a member to full member after the waiting period', async () => {
  const { id, owner, user } = await server().organization()
  await changeSettings(server().parley, id, { waiting_period_threshold: 3 })
  const [mia, moe] = [await user('Mia'), await user('Moe', { role: 300 })]
  const group = await fullMembers(owner)
  expect(group['members']).toEqual([])
  await owner.subscribe(['Seasoned'], { invite_only: true, can_subscribe_group: group['id'] })
  const isIn = async (person: TestUser): Promise<unknown> =>
    (await owner.call('GET', `/user_groups/${String(group['id'])}/members/${person.id}`))['is_user_group_member']
  expect([await isIn(mia), await isIn(moe)]).toEqual([false, true])
  const look = await watch({ owner, mia })
  await runPromotion(id, 3 * DAY_SECONDS - 5)
  expect(await look()).toEqual({ owner: [], mia: [] })
  expect(await mia.try('GET', '/get_stream_id', { stream: 'Seasoned' })).toMatchObject({ status: 400 })
  await runPromotion(id, 3 * DAY_SECONDS + 5)
  await runPromotion(id, 4 * DAY_SECONDS)
  const told = { type: 'user_group', op: 'add_members', group_id: group['id'], user_ids: [mia.id] }
  expect(await look()).toMatchObject({
    owner: [told],
    mia: [
      told,
      { type: 'stream', op: 'create', streams: [{ name: 'Seasoned' }] },
      { type: 'subscription', op: 'peer_add', user_ids: [owner.id] },
    ],
  })
  expect(await isIn(mia)).toBe(true)
  await mia.call('GET', '/get_stream_id', { stream: 'Seasoned' })
})

it('counts the waiting period for full members from joining, regardless of role changes', async () => {
  const { id, owner, user } = await server().organization()
  await changeSettings(server().parley, id, { waiting_period_threshold: 3 })
  const [gus, moe] = [await user('Gus', { role: 600 }), await user('Moe', { role: 300 })]
  await owner.call('PATCH', `/users/${moe.id}`, { role: 400 })
  await runPromotion(id, 5 * DAY_SECONDS)
  expect(await fullMembers(owner)).toMatchObject({ members: [moe.id] })
  await owner.call('PATCH', `/users/${gus.id}`, { role: 400 })
  expect(await fullMembers(owner)).toMatchObject({ members: [moe.id] })
  await runPromotion(id, 5 * DAY_SECONDS)
  expect(await fullMembers(owner)).toMatchObject({ members: [gus.id, moe.id] })
})

it('makes a deactivated account a full member only after it is reactivated', async () => {
  const { id, owner, user } = await server().organization()
  const mia = await user('Mia')
  await owner.call('DELETE', `/users/${mia.id}`)
  await changeSettings(server().parley, id, { waiting_period_threshold: 3 })
  await runPromotion(id, 5 * DAY_SECONDS)
  expect(await fullMembers(owner)).toMatchObject({ members: [] })
  await owner.call('POST', `/users/${mia.id}/reactivate`)
  expect(await fullMembers(owner)).toMatchObject({ members: [] })
  await runPromotion(id, 5 * DAY_SECONDS)
  expect(await fullMembers(owner)).toMatchObject({ members: [mia.id] })
})

it('immediately applies a longer or shorter waiting period for full members', async () => {
  const { owner, user } = await server().organization()
  const mia = await user('Mia')
  const { id: groupId } = await fullMembers(owner)
  const look = await watch({ mia }, { event_types: ['user_group'] })
  for (const days of [7, 7, 0]) await owner.call('PATCH', '/realm', { waiting_period_threshold: days })
  const told = { type: 'user_group', group_id: groupId, user_ids: [mia.id] }
  expect(await look()).toEqual({
    mia: [
      { ...told, op: 'remove_members' },
      { ...told, op: 'add_members' },
    ],
  })
})
