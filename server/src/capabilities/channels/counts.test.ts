import { expect, it } from 'vitest'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const CHANNEL_LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams']

async function countsFor(user: TestUser, name: string, id: number): Promise<Record<string, unknown>> {
  const { state } = await user.register({ event_types: ['subscription', 'stream'] })
  const { streams } = await user.call('GET', '/streams')
  const one = await user.try('GET', `/streams/${id}`)
  const { subscriptions } = await user.call('GET', '/users/me/subscriptions')
  const places: Record<string, unknown> = {
    ...Object.fromEntries(CHANNEL_LISTS.map((list) => [list, state[list] ?? []])),
    'GET /streams': streams,
    'GET /streams/{stream_id}': one.status === 200 ? [one.body['stream']] : [],
    'GET /users/me/subscriptions': subscriptions,
  }
  return Object.fromEntries(
    Object.entries(places).flatMap(([place, list]) => {
      const found = objectsIn(list).find((channel) => channel['name'] === name)
      return found === undefined ? [] : [[place, found['subscriber_count']]]
    }),
  )
}

it('shows the same subscriber count in all responses, and no count for hidden channels', async () => {
  const { owner, user } = await server().organization()
  const [ann, bob, former, member, leaver] = [
    await user('Ann'),
    await user('Bob'),
    await user('Fred Former'),
    await user('Mia Member'),
    await user('Leo Leaver'),
  ]
  const [admin, guest] = [await user('Ada Admin', { role: 200 }), await user('Gus Guest', { role: 600 })]
  const people = { ann, former, member, admin, guest }
  const principals = [owner, ann, former, leaver].map(({ id }) => id)
  await owner.subscribe(['plaza'], { principals })
  await owner.subscribe(['cabinet'], { principals, invite_only: true })
  const idOf = async (stream: string): Promise<number> =>
    (await owner.call('GET', '/get_stream_id', { stream }))['stream_id']
  const [plaza, cabinet] = [await idOf('plaza'), await idOf('cabinet')]
  await former.call('DELETE', '/users/me/subscriptions', { subscriptions: ['plaza', 'cabinet'] })

  const counts = async (name: string, id: number): Promise<Record<string, [number, unknown[]]>> => {
    const found: Record<string, [number, unknown[]]> = {}
    for (const [who, viewer] of Object.entries(people)) {
      const places = await countsFor(viewer, name, id)
      found[who] = [Object.keys(places).length, [...new Set(Object.values(places))]]
    }
    return found
  }
  const inPlaza = (count: number): unknown => ({
    ann: [expect.any(Number), [count]],
    former: [expect.any(Number), [count]],
    member: [expect.any(Number), [count]],
    admin: [expect.any(Number), [count]],
    guest: [0, []],
  })
  const inCabinet = (count: number): unknown => ({
    ann: [expect.any(Number), [count]],
    former: [0, []],
    member: [0, []],
    admin: [expect.any(Number), [count]],
    guest: [0, []],
  })
  expect(await counts('plaza', plaza)).toEqual(inPlaza(3))
  expect(await counts('cabinet', cabinet)).toEqual(inCabinet(3))

  const look = await watch(people, { event_types: ['subscription', 'stream'] })
  const types = async (): Promise<unknown> =>
    Object.fromEntries(
      Object.entries(await look()).map(([who, events]) => [
        who,
        events.map((event) => `${event['type']}/${String(event['op'])}`),
      ]),
    )
  await owner.subscribe(['cabinet'], { principals: [bob.id] })
  const added = ['subscription/peer_add']
  expect(await types()).toEqual({ ann: added, former: [], member: [], admin: added, guest: [] })
  expect(await counts('cabinet', cabinet)).toEqual(inCabinet(4))
  await owner.call('DELETE', `/users/${leaver.id}`)
  expect(await counts('cabinet', cabinet)).toEqual(inCabinet(3))
  expect(await counts('plaza', plaza)).toEqual(inPlaza(2))
  const removed = 'subscription/peer_remove'
  expect(await types()).toEqual({
    ann: [removed, removed],
    former: [removed],
    member: [removed],
    admin: [removed, removed],
    guest: [],
  })
})
