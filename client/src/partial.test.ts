import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import type { RegisterResponse } from '../../server/src/testing/contract-types.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { ALL_CAPABILITIES, type Body, type TestUser } from '../../server/src/testing/user.ts'
import { fold } from './fold.ts'

const server = useTestServer()

const REGISTRATION_FORM = {
  client_capabilities: ALL_CAPABILITIES,
  event_types: ['stream', 'subscription', 'realm', 'realm_user'],
}
const SUBSCRIPTIONS_PATH = '/users/me/subscriptions'
const SUBSCRIPTION_LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const

/** Registers with partial or full subscriber lists. */
async function register(user: TestUser, include_subscribers = 'partial'): Promise<RegisterResponse> {
  return user.call('POST', '/register', { ...REGISTRATION_FORM, include_subscribers })
}

interface SubscriberList {
  readonly subscribers?: readonly number[] | undefined
  readonly partial_subscribers?: readonly number[] | undefined
}

/** Separates subscriber lists, keyed by list and channel, from the rest of the state. */
function separateLists(state: RegisterResponse): { known: Map<string, SubscriberList>; rest: Map<string, unknown> } {
  const [known, rest] = [new Map<string, SubscriberList>(), new Map<string, unknown>()]
  for (const list of SUBSCRIPTION_LISTS) {
    const records: readonly (SubscriberList & { readonly stream_id: number })[] = state[list]
    for (const record of records) {
      const { subscribers, partial_subscribers, ...others } = record
      const place = `${list} ${record.stream_id}`
      known.set(place, {
        ...(subscribers && { subscribers }),
        ...(partial_subscribers && { partial_subscribers }),
      })
      rest.set(place, others)
    }
  }
  return { known, rest }
}

/**
 * Finds channels whose subscriber list is neither complete nor a subset that includes everyone in a fresh partial list.
 */
function wrongLists(folded: RegisterResponse, fresh: RegisterResponse, whole: RegisterResponse): string[] {
  const [have, part, all] = [folded, fresh, whole].map((state) => separateLists(state).known)
  return [...(have ?? [])].flatMap(([place, { subscribers, partial_subscribers: some }]) => {
    const everybody = all?.get(place)?.subscribers ?? []
    // A fresh registration lists all subscribers below 250; this client was not notified of all of them.
    const { partial_subscribers: needed = [] } = part?.get(place) ?? {}
    const isRight =
      some === undefined
        ? isDeepStrictEqual(subscribers, everybody)
        : subscribers === undefined &&
          isDeepStrictEqual(
            some,
            everybody.filter((id) => some.includes(id)),
          ) &&
          needed.every((id) => some.includes(id))
    return isRight ? [] : [`${place}: ${JSON.stringify({ subscribers, some, needed, everybody })}`]
  })
}

it('adds and removes people in partial subscriber lists as they join and leave', async () => {
  const { owner, user } = await server().organization()
  const [anna, bob, carla] = [await user('Anna'), await user('Bob'), await user('Carla')]
  const guest = await user('Gus Guest', { role: 600 })
  const bot = await user('Bert Bot', { bot: { ownerId: carla.id } })
  const crowd = await Promise.all(Array.from({ length: 255 }, async (_, index) => user(`Person ${index}`)))
  const ids = crowd.map(({ id }) => id)
  await owner.subscribe(['large', 'other'], { principals: [owner.id, anna.id, bob.id, guest.id, bot.id, ...ids] })
  await owner.subscribe(['private'], { principals: [owner.id, anna.id, bot.id, ...ids], invite_only: true })
  const watching = [owner, anna, bob, guest]
  // Makes all watchers active before any watcher registers.
  for (const one of [...watching, carla]) await one.call('GET', '/users/me')
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'private' })
  const change = async (parameters: Body): Promise<Body> => owner.call('PATCH', `/streams/${stream_id}`, parameters)
  const takeOut = async (principals: number[]): Promise<Body> =>
    owner.call('DELETE', SUBSCRIPTIONS_PATH, { subscriptions: ['large', 'private'], principals })
  const add = async (principals: number[]): Promise<Body> => owner.subscribe(['large', 'private'], { principals })
  const steps: Readonly<Record<string, () => Promise<Body>>> = {
    'removing unlisted people': async () => takeOut(ids.slice(0, 2)),
    'adding active and inactive people': async () => add([carla.id, ...ids.slice(0, 2)]),
    'removing listed people': async () => takeOut([carla.id, bot.id]),
    'adding the listed people again': async () => add([carla.id, bot.id]),
    'ending an account with a bot': async () => owner.call('DELETE', `/users/${carla.id}`),
    'resuming the account': async () => owner.call('POST', `/users/${carla.id}/reactivate`),
    'leaving, and others coming meanwhile': async () => {
      await anna.call('DELETE', SUBSCRIPTIONS_PATH, { subscriptions: ['large', 'private'] })
      return add([bob.id])
    },
    'coming back': async () => add([anna.id]),
    'opening a private channel': async () => change({ is_private: false }),
    'making the channel private again': async () => change({ is_private: true, history_public_to_subscribers: true }),
    'letting a guest in': async () => add([guest.id]),
    'making a member an administrator': async () => owner.call('PATCH', `/users/${bob.id}`, { role: 200 }),
    'becoming small': async () => takeOut(ids.slice(0, 200)),
    'growing again': async () => add(ids.slice(0, 200)),
    'growing beside': async () => owner.subscribe(['other'], { principals: [carla.id] }),
  }
  const clients = await Promise.all(
    watching.map(async (one) => ({ user: one, state: await register(one), lastEventId: -1 })),
  )
  for (const { state } of clients.slice(0, 2)) {
    const lists: readonly SubscriberList[] = state.subscriptions
    expect(lists.every((record) => record.partial_subscribers !== undefined)).toBe(true)
  }
  for (const [name, step] of Object.entries(steps)) {
    await step()
    for (const client of clients) {
      const { queue_id } = client.state
      const place = { queue_id, last_event_id: client.lastEventId, dont_block: true }
      const { events } = await client.user.call('GET', '/events', place)
      for (const event of events) {
        client.lastEventId = event.id
        fold(client.state, event, { includeSubscribers: true })
      }
      const fresh = await register(client.user)
      const seen = `${name}, as ${client.user.email} sees it`
      expect({ seen, rest: separateLists(client.state).rest }).toEqual({ seen, rest: separateLists(fresh).rest })
      const wrong = wrongLists(client.state, fresh, await register(client.user, 'true'))
      expect({ seen, wrong }).toEqual({ seen, wrong: [] })
    }
  }
})
