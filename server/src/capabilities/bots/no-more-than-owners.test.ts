import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'
import { administratorsBot } from './testing/administrators-bot.ts'

const server = useTestServer()

describe.each([
  ['a member', 400],
  ['a guest', 600],
])('the bot of an administrator demoted to %s', (_, role) => {
  it('shows a bot whose owner was demoted from administrator only what the owner can see', async () => {
    const { owner, admin, bot, samples } = await administratorsBot(server())
    await owner.call('PATCH', `/users/${admin.id}`, { role })
    for (const [path, name, parameters] of [
      ['/streams', 'streams', {}],
      ['/streams', 'streams', { include_public: true, include_subscribed: true, include_owner_subscribed: true }],
      [
        '/messages',
        'messages',
        { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['channel', samples.stream_id]] },
      ],
      [`/users/me/${samples.stream_id}/topics`, 'topics', {}],
    ] as const) {
      const [own, bots] = [await admin.try('GET', path, parameters), await bot.try('GET', path, parameters)]
      expect([path, bots.status, bots.body[name]]).toEqual([path, own.status, own.body[name]])
    }
  })
})

it('does not let a demoted administrator raise roles through a bot', async () => {
  const { owner, admin, bot } = await administratorsBot(server())
  await owner.call('PATCH', `/users/${admin.id}`, { role: 400 })
  for (const user of [admin, bot]) {
    const { status, body } = await user.try('PATCH', `/users/${admin.id}`, { role: 200 })
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  }
  // The bot keeps its role when its owner is promoted again.
  await owner.call('PATCH', `/users/${admin.id}`, { role: 200 })
  expect((await bot.call('GET', '/users/me'))['role']).toBe(400)
})

it('does not show guests the API keys of their bots', async () => {
  const { owner, admin, bot } = await administratorsBot(server())
  await owner.call('PATCH', `/users/${admin.id}`, { role: 600 })
  expect((await admin.call('GET', '/bots'))['bots']).toEqual([])
  for (const [method, path] of [
    ['GET', `/bots/${bot.id}/api_key`],
    ['POST', `/bots/${bot.id}/api_key/regenerate`],
    ['PATCH', `/bots/${bot.id}`],
  ] as const) {
    const { status, body } = await admin.try(method, path)
    expect([path, status, body['msg']]).toEqual([path, 400, 'Insufficient permission'])
  }
  expect((await admin.register()).state['realm_bots']).toEqual([])
  await admin.call('DELETE', `/bots/${bot.id}`)
})

it("rejects a bot's waiting poll when the bot's API key is replaced", async () => {
  const { owner } = await server().organization()
  const queue = await owner.register({ event_types: ['message'] })
  const waiting = owner.try('GET', '/events', { queue_id: queue.id, last_event_id: -1 })
  while (server().parley.queues.count().parked === 0) await new Promise(setImmediate)
  const { api_key } = await owner.call('POST', '/users/me/api_key/regenerate')
  const { status, body } = await waiting
  expect([status, body['code']]).toEqual([401, 'INVALID_API_KEY'])
  const renewed = new TestUser(owner.url, owner.host, owner.email, api_key, owner.id)
  await renewed.sendTo([owner.id], 'hello')
  const { events } = await renewed.call('GET', '/events', { queue_id: queue.id, last_event_id: -1 })
  expect(events).toMatchObject([{ type: 'message' }])
})
