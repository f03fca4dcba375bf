import { expect, it } from 'vitest'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { countTraffic, countTrafficDaily } from './jobs.ts'

const server = useTestServer()

const DAY_SECONDS = 86_400

async function countTrafficAfter({ id }: TestOrganization, days: number): Promise<void> {
  const log = await server().parley.logs.of(id)
  await log.write(async (tx) => countTraffic(tx, tx.now + days * DAY_SECONDS))
}

async function trafficAndActivity(user: TestUser, id: number): Promise<unknown[]> {
  const { stream } = await user.call('GET', `/streams/${id}`)
  const { stream_weekly_traffic, is_recently_active } = stream
  return [stream_weekly_traffic, is_recently_active]
}

async function channelWithMessages(messages: number): Promise<{ organization: TestOrganization; id: number }> {
  const organization = await server().organization()
  const { owner } = organization
  const { id } = await owner.call('POST', '/channels/create', { name: 'general', subscribers: [owner.id] })
  await Promise.all(
    Array.from({ length: messages }, async (_, index) => owner.send('general', `topic ${index % 3}`, 'hello')),
  )
  return { organization, id: id }
}

it("reports a channel's weekly traffic after a week, averaged over at most four weeks", async () => {
  const { organization, id } = await channelWithMessages(30)
  const { owner } = organization
  expect(await trafficAndActivity(owner, id)).toEqual([null, true])
  await countTrafficAfter(organization, 6)
  expect(await trafficAndActivity(owner, id)).toEqual([null, true])
  const look = await watch({ owner })
  await countTrafficAfter(organization, 7)
  expect(await trafficAndActivity(owner, id)).toEqual([30, true])
  await countTrafficAfter(organization, 14)
  expect(await trafficAndActivity(owner, id)).toEqual([15, true])
  await countTrafficAfter(organization, 28)
  expect(await trafficAndActivity(owner, id)).toEqual([7, true])
  await countTrafficAfter(organization, 29)
  expect(await trafficAndActivity(owner, id)).toEqual([0, true])
  const update = { type: 'stream', op: 'update', stream_id: id, name: 'general', property: 'stream_weekly_traffic' }
  expect(await look()).toEqual({ owner: [30, 15, 7, 0].map((value) => ({ ...update, value })) })
})

it('rounds weekly traffic to two digits and never to zero for an active channel', async () => {
  const [busy, quiet] = [await channelWithMessages(123), await channelWithMessages(1)]
  for (const [{ organization, id }, expected] of [
    [busy, 120],
    [quiet, 1],
  ] as const) {
    await countTrafficAfter(organization, 7)
    expect((await trafficAndActivity(organization.owner, id))[0]).toBe(expected)
  }
})

it('counts each message once, even in repeated or concurrent counts', async () => {
  const { organization, id } = await channelWithMessages(10)
  await Promise.all([countTrafficAfter(organization, 8), countTrafficAfter(organization, 8)])
  await countTrafficAfter(organization, 8)
  await countTrafficAfter(organization, 9)
  await countTrafficAfter(organization, 10)
  expect(await trafficAndActivity(organization.owner, id)).toEqual([7, true])
})

it('marks a channel inactive after 180 days without messages, until the next message', async () => {
  const { organization, id } = await channelWithMessages(1)
  const { owner } = organization
  await countTrafficAfter(organization, 179)
  expect(await trafficAndActivity(owner, id)).toEqual([0, true])
  const look = await watch({ owner }, { event_types: ['stream'] })
  await countTrafficAfter(organization, 181)
  expect(await trafficAndActivity(owner, id)).toEqual([0, false])
  await owner.send('general', 'x', 'awake')
  const update = { type: 'stream', op: 'update', stream_id: id, name: 'general', property: 'is_recently_active' }
  expect(await look()).toEqual({
    owner: [
      { ...update, value: false },
      { ...update, value: true },
    ],
  })
})

it('schedules the traffic count daily for every organization', async () => {
  const { organization } = await channelWithMessages(1)
  const { database } = server().parley
  const now = Math.floor(Date.now() / 1000)
  const isDue = async (at: number): Promise<boolean> =>
    (await countTrafficDaily.due(database.reads, at, [])).some(
      ({ organizationId }) => organizationId === organization.id,
    )
  expect(await isDue(now)).toBe(true)
  await countTrafficAfter(organization, 0)
  expect([await isDue(now), await isDue(now + DAY_SECONDS)]).toEqual([false, true])
})
