import { expect, it } from 'vitest'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const server = useTestServer()

const EVENT_TYPES = ['stream', 'subscription']
const REGISTRATION = { event_types: EVENT_TYPES, fetch_event_types: EVENT_TYPES }

async function firstMessagesIn(user: TestUser, streamId: unknown): Promise<unknown[]> {
  const { state } = await user.register(REGISTRATION)
  const { streams } = await user.call('GET', '/streams', { include_all: true })
  const { stream } = await user.call('GET', `/streams/${String(streamId)}`)
  const { subscriptions } = await user.call('GET', '/users/me/subscriptions')
  const lists = [state['streams'], state['subscriptions'], state['unsubscribed'], state['never_subscribed'], streams]
  const records = [...lists, subscriptions, [stream]].flat()
  const shown = records.filter((record) => record['stream_id'] === streamId).map((one) => one['first_message_id'])
  return [...new Set(shown)]
}

function updatesIn(events: readonly Body[]): unknown[] {
  return events.flatMap((event) => {
    if (event['property'] === 'first_message_id') return [event['value']]
    const records = event['op'] === 'create' ? event['streams'] : event['op'] === 'add' ? event['subscriptions'] : []
    return objectsIn(records).map((record) => record['first_message_id'])
  })
}

it('shows the first message of protected history only to people who can read it', async () => {
  const { owner, user } = await server().organization()
  const [ann, late, admin] = [await user('Ann'), await user('Late'), await user('Ada', { role: 200 })]
  await owner.subscribe(['club'], { principals: [owner.id, ann.id], invite_only: true })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'club' })
  const look = await watch({ ann, late, admin }, REGISTRATION)
  const updatesByUser = async (): Promise<Record<string, unknown[]>> => {
    const events = await look()
    return { ann: updatesIn(events.ann), late: updatesIn(events.late), admin: updatesIn(events.admin) }
  }
  const first = await owner.send('club', 'plans', 'one')
  expect(await updatesByUser()).toEqual({ ann: [first], late: [], admin: [] })
  await owner.subscribe(['club'], { principals: [late.id] })
  expect(await updatesByUser()).toEqual({ ann: [], late: [null, null], admin: [] })
  const second = await owner.send('club', 'plans', 'two')
  expect(await updatesByUser()).toEqual({ ann: [], late: [], admin: [] })
  for (const [reader, shown] of [
    [ann, first],
    [late, null],
    [admin, null],
  ] as const) {
    expect(await firstMessagesIn(reader, stream_id)).toEqual([shown])
  }
  await owner.subscribe(['club'], { principals: [admin.id] })
  expect(await updatesByUser()).toEqual({ ann: [], late: [], admin: [null] })
  await owner.call('DELETE', `/messages/${first}`)
  expect(await updatesByUser()).toEqual({ ann: [second], late: [second], admin: [] })
  const third = await owner.send('club', 'plans', 'three')
  await owner.call('DELETE', `/messages/${second}`)
  expect(await updatesByUser()).toEqual({ ann: [third], late: [third], admin: [third] })
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'], principals: [admin.id] })
  expect(await updatesByUser()).toEqual({ ann: [], late: [], admin: [null] })
  expect(await firstMessagesIn(admin, stream_id)).toEqual([null])
  await owner.subscribe(['club'], { principals: [admin.id] })
  expect(await updatesByUser()).toEqual({ ann: [], late: [], admin: [third, third] })
})

it('updates the first message ID when people gain or lose access to the history', async () => {
  const { owner, user } = await server().organization()
  const [late, keeper, guest] = [await user('Late'), await user('Kay'), await user('Gus', { role: 600 })]
  await owner.subscribe(['club'], { invite_only: true })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'club' })
  const first = await owner.send('club', 'plans', 'one')
  await owner.subscribe(['club'], { principals: [late.id] })
  const group = { name: 'keepers', description: '', members: [keeper.id] }
  const { group_id } = await owner.call('POST', '/user_groups/create', group)
  const can_administer_channel_group = { new: { direct_members: [keeper.id, guest.id], direct_subgroups: [] } }
  await owner.call('PATCH', `/streams/${String(stream_id)}`, { can_administer_channel_group })
  const people = { late, keeper, guest }
  const look = await watch(people, REGISTRATION)
  const change = async (changes: Body, expected: Record<keyof typeof people, unknown[]>): Promise<void> => {
    await owner.call('PATCH', `/streams/${String(stream_id)}`, changes)
    const events = await look()
    expect({ late: updatesIn(events.late), keeper: updatesIn(events.keeper), guest: updatesIn(events.guest) }).toEqual(
      expected,
    )
  }
  await change({ history_public_to_subscribers: true }, { late: [first], keeper: [], guest: [] })
  await change({ can_subscribe_group: { new: group_id } }, { late: [], keeper: [first], guest: [] })
  await change({ history_public_to_subscribers: false }, { late: [null], keeper: [null], guest: [] })
  await change({ is_private: false }, { late: [first], keeper: [first], guest: [] })
  expect(await firstMessagesIn(guest, stream_id)).toEqual([null])
  await owner.call('PATCH', `/users/${guest.id}`, { role: 400 })
  expect(updatesIn((await look()).guest)).toEqual([first])
  await change({ is_private: true }, { late: [null], keeper: [null], guest: [null] })
  for (const reader of [late, keeper, guest]) expect(await firstMessagesIn(reader, stream_id)).toEqual([null])
})
