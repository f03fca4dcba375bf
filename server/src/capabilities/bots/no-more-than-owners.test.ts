import { describe, expect, it } from 'vitest'
import { capabilities } from '../../capabilities.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import type { Samples } from '../../testing/capability-samples.ts'
import { isRequired, pathOf, sampleInput, samplesFor, sampleValues } from '../../testing/samples.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { TestUser, type Body } from '../../testing/user.ts'

const server = useTestServer()

const endpoints = capabilities.flatMap(({ routes }) => routes.map(({ endpoint }) => endpoint))

/** What would end the owner's account or key in the middle of the test. */
const ENDING = new Set(['deactivateOwnUser', 'regenerateOwnApiKey'])

interface Scene extends TestOrganization {
  readonly admin: TestUser
  readonly bot: TestUser
  readonly samples: Samples
}

/** An administrator with a bot that is one too. */
async function scene(): Promise<Scene> {
  const organization = await server().organization()
  const { owner, user } = organization
  const samples = await samplesFor(organization)
  const admin = await user('Ada Admin', { role: 200 })
  const made = await admin.call('POST', '/bots', { full_name: 'Ada Bot', short_name: 'ada' })
  await owner.call('PATCH', `/bots/${String(made['user_id'])}`, { role: 200 })
  const email = `ada-bot@${organization.host}`
  const bot = new TestUser(admin.url, admin.host, email, String(made['api_key']), Number(made['user_id']))
  return { ...organization, admin, bot, samples }
}

/** The required parameters of an endpoint, and these with each of the others. */
function inputsOf(endpoint: Endpoint, samples: Samples): Record<string, unknown>[] {
  const required = sampleInput(endpoint, samples)
  const optional = Object.entries(sampleValues(endpoint, samples)).filter(([name]) => !isRequired(endpoint, name))
  return [required, ...optional.map(([name, value]) => ({ ...required, [name]: value }))]
}

async function answerTo(user: TestUser, endpoint: Endpoint, input: Record<string, unknown>): Promise<[number, Body]> {
  const { path, query } = pathOf(endpoint, input)
  const { status, body } = await user.try(endpoint.method, path, Object.fromEntries(query))
  return [status, body]
}

describe.each([
  ['a member', 400],
  ['a guest', 600],
])('the bot of an administrator who was made %s', (_, role) => {
  it('is refused at every endpoint what its owner is refused', async () => {
    const { owner, admin, bot, samples } = await scene()
    await bot.call('PATCH', '/realm', { name: 'Before' })
    await owner.call('PATCH', `/users/${admin.id}`, { role })
    let refused = 0
    for (const endpoint of endpoints.filter(({ id }) => !ENDING.has(id))) {
      for (const input of inputsOf(endpoint, samples)) {
        const [status, body] = await answerTo(admin, endpoint, input)
        // Asked in any case, so that both have made of their own what they may.
        const [botStatus, botBody] = await answerTo(bot, endpoint, input)
        if (status < 400) continue
        refused += 1
        expect([endpoint.id, input, botStatus < 400 ? botBody : botStatus]).toEqual([endpoint.id, input, status])
        expect(body['result']).toBe('error')
      }
    }
    expect(refused).toBeGreaterThan(100)
  })

  it('sees what its owner sees', async () => {
    const { owner, admin, bot, samples } = await scene()
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

it('lets an administrator who was made a member raise nobody through a bot', async () => {
  const { owner, admin, bot } = await scene()
  await owner.call('PATCH', `/users/${admin.id}`, { role: 400 })
  for (const user of [admin, bot]) {
    const { status, body } = await user.try('PATCH', `/users/${admin.id}`, { role: 200 })
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  }
  // The bot stays what it is when its owner rises again: administrators decide what it may.
  await owner.call('PATCH', `/users/${admin.id}`, { role: 200 })
  expect((await bot.call('GET', '/users/me'))['role']).toBe(400)
})

it('gives no guest the keys of its bots', async () => {
  const { owner, admin, bot } = await scene()
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
  // To end one's own bot takes nothing from anybody.
  await admin.call('DELETE', `/bots/${bot.id}`)
})

it('answers no poll that waits with a key that was renewed', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register({ event_types: ['message'] })
  const waiting = owner.try('GET', '/events', { queue_id: queue.id, last_event_id: -1 })
  while (server().parley.queues.count().parked === 0) await new Promise(setImmediate)
  const { api_key } = await owner.call('POST', '/users/me/api_key/regenerate')
  const { status, body } = await waiting
  expect([status, body['code']]).toEqual([401, 'INVALID_API_KEY'])
  const renewed = new TestUser(owner.url, owner.host, owner.email, String(api_key), owner.id)
  await renewed.sendTo([owner.id], 'hello')
  const { events } = await renewed.call('GET', '/events', { queue_id: queue.id, last_event_id: -1 })
  expect(events).toMatchObject([{ type: 'message' }])
})
