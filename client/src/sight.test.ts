import { expect, it } from 'vitest'
import type { RegisterResponse } from '../../server/src/testing/contract-types.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { ALL_CAPABILITIES, type Body, type TestUser } from '../../server/src/testing/user.ts'
import { fold } from './fold.ts'

const server = useTestServer()

const REGISTRATION_FORM = { client_capabilities: ALL_CAPABILITIES, include_subscribers: 'true' }
const SUBSCRIPTIONS_PATH = '/users/me/subscriptions'

interface Client {
  readonly user: TestUser
  readonly state: RegisterResponse
  lastEventId: number
}

async function start(user: TestUser, form: Body = REGISTRATION_FORM): Promise<Client> {
  return { user, state: await user.call('POST', '/register', form), lastEventId: -1 }
}

async function follow(client: Client): Promise<void> {
  const { events } = await client.user.call('GET', '/events', {
    queue_id: client.state['queue_id'],
    last_event_id: client.lastEventId,
    dont_block: true,
  })
  for (const event of events) {
    client.lastEventId = event.id
    fold(client.state, event, { includeSubscribers: true })
  }
}

/** Removes the registration's own fields and sorts lists. */
function toComparable(state: RegisterResponse): Body {
  const { queue_id: _, last_event_id: __, server_timestamp: ___, ...rest } = structuredClone(state)
  const { subscriptions, unsubscribed, never_subscribed: never, streams } = rest
  const lists: { readonly stream_id: number }[][] = [subscriptions, unsubscribed, never, streams]
  for (const list of lists) list.sort((a, b) => a.stream_id - b.stream_id)
  return rest
}

it('keeps client state correct after mass subscriptions, role changes, and account changes', async () => {
  const { owner, user } = await server().organization()
  const [anna, bob, carla] = [await user('Anna'), await user('Bob'), await user('Carla')]
  const [guest, admin] = [await user('Gus Guest', { role: 600 }), await user('Ada Admin', { role: 200 })]
  const bot = await user('Bert Bot', { bot: { ownerId: carla.id } })
  const staying = [owner, anna, bob, guest, admin]
  const ids = staying.map(({ id }) => id)
  const everyone = [...ids, carla.id, bot.id]
  const role = async (one: TestUser, number: number): Promise<Body> =>
    owner.call('PATCH', `/users/${one.id}`, { role: number })
  const takeOut = async (principals: number[]): Promise<Body> =>
    owner.call('DELETE', SUBSCRIPTIONS_PATH, { subscriptions: ['general', 'secret'], principals })
  const bobOnly = { direct_members: [bob.id], direct_subgroups: [] }
  const steps: Readonly<Record<string, () => Promise<Body>>> = {
    'making default channels': async () =>
      owner.subscribe(['general', 'second'], { principals: everyone, is_default_stream: true }),
    'making a private channel': async () =>
      owner.subscribe(['secret'], {
        principals: [owner.id, anna.id, bob.id, guest.id],
        invite_only: true,
        can_subscribe_group: bobOnly,
      }),
    'taking many out': async () => takeOut([anna.id, bob.id, guest.id, admin.id, carla.id]),
    'adding everybody': async () => owner.subscribe(['general', 'secret'], { principals: everyone }),
    'ending an account with a bot': async () => owner.call('DELETE', `/users/${carla.id}`),
    'removing everyone': async () => takeOut(ids),
    'resuming the account': async () => owner.call('POST', `/users/${carla.id}/reactivate`),
    'making a member a guest': async () => role(anna, 600),
    'making a guest a member': async () => role(guest, 400),
    'making an administrator a member': async () => role(admin, 400),
    'making a guest an owner': async () => role(anna, 100),
    'making an account': async () =>
      owner.call('POST', '/users', { email: 'nora@example.com', password: 'correct horse', full_name: 'Nora' }),
    'making more default channels': async () =>
      anna.subscribe(['third', 'fourth'], { principals: [...ids, carla.id], is_default_stream: true }),
  }
  const clients = await Promise.all(staying.map(async (one) => start(one)))
  for (const [name, step] of Object.entries(steps)) {
    await step()
    for (const client of clients) {
      await follow(client)
      const fresh = await client.user.call('POST', '/register', REGISTRATION_FORM)
      expect(toComparable(client.state), `${name}, as ${client.user.email} sees it`).toEqual(toComparable(fresh))
    }
  }
})

it('keeps the unread messages of an archived channel, even for clients that do not support archiving', async () => {
  const { owner, user } = await server().organization()
  const anna = await user('Anna')
  await owner.subscribe(['plans', 'general'], { principals: [owner.id, anna.id] })
  await owner.send('plans', 'x', 'hello')
  const older = { ...REGISTRATION_FORM, client_capabilities: { ...ALL_CAPABILITIES, archived_channels: false } }
  const [client, late] = [await start(anna, older), await start(anna, older)]
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'plans' })
  const check = async (one: Client, count: number): Promise<void> => {
    await follow(one)
    expect(toComparable(one.state)).toEqual(toComparable(await anna.call('POST', '/register', older)))
    expect(one.state['unread_msgs']).toMatchObject({ count })
  }
  await owner.call('DELETE', `/streams/${String(stream_id)}`)
  await anna.call('DELETE', SUBSCRIPTIONS_PATH, { subscriptions: ['general'] })
  await check(client, 1)
  await anna.call('DELETE', SUBSCRIPTIONS_PATH, { subscriptions: ['plans'] })
  await check(client, 0)
  await owner.call('PATCH', `/streams/${String(stream_id)}`, { is_archived: false })
  for (const one of [client, late]) await check(one, 0)
})
