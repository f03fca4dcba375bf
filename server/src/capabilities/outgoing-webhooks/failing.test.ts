import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { signIn } from '../../testing/browser.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body } from '../../testing/user.ts'
import { createSilentService } from '../../testing/web-server.ts'
import { reactivateOrganization } from '../organizations/actions/index.ts'
import { MAX_ATTEMPTS } from './actions.ts'
import { DELIVERY_LIMIT } from './contract.ts'
import { CONCURRENCY_LIMITS } from './queries.ts'
import {
  POLL_OPTIONS,
  makeOutgoingBot,
  waitForMessages,
  messagesIn,
  storedRows,
  respondWith,
  createFixtureOn,
  requestBody,
  waitForDeliveries,
  waitUntilDeliveryFails,
  waitForScheduledRetry,
  startTestWebServer,
  type ServiceHandler,
  type Fixture,
} from './testing/scene.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

const createFixture = async (answer: ServiceHandler, more?: Body): Promise<Fixture> =>
  createFixtureOn(server(), answer, more)

describe('failing outgoing webhooks', () => {
  it("retries a failing service and notifies the bot's owner once after giving up", async () => {
    const place = await createFixture((_, response) => response.writeHead(503).end('out of order'))
    const { owner, ann, bot, service } = place
    const [told, asked] = [
      await owner.register({ event_types: ['message'] }),
      await ann.register({ event_types: ['message'] }),
    ]
    const id = await ann.send('news', 'lunch', '@**helper Bot** hi')
    await expect.poll(() => service.received.length, POLL_OPTIONS).toBe(1)
    // The next attempt has a later due time.
    await waitForScheduledRetry(place)
    const [later] = await storedRows('deliveries', place)
    expect(Number(later?.['due_at'])).toBeGreaterThan(Date.now() / 1000)
    await waitUntilDeliveryFails(place)
    expect(service.received.length).toBe(MAX_ATTEMPTS)
    expect(new Set(service.received.map((one) => one.body)).size).toBe(1)
    const notices = (await waitForMessages(told, 2)).filter(({ sender_id }) => sender_id !== ann.id)
    expect(notices.length).toBe(1)
    expect(notices[0]?.['content']).toContain(`data-user-id="${bot.id}"`)
    expect(notices[0]?.['content']).toContain('status 503')
    expect(notices[0]?.['content']).toContain(`/near/${id}`)
    expect(messagesIn(await asked.events()).map(({ sender_id }) => sender_id)).toEqual([ann.id])
  })

  it("posts a service's reply to a delivery that succeeds after failed attempts", async () => {
    let asked = 0
    const place = await createFixture((received, response) => {
      asked += 1
      if (asked === 1) response.destroy()
      else if (asked === 2) response.writeHead(429).end()
      else respondWith({ content: 'At last' })(received, response)
    })
    const queue = await place.ann.register({ event_types: ['message'] })
    await place.ann.send('news', 'lunch', '@**helper Bot** hi')
    await waitUntilDeliveryFails(place)
    expect((await waitForMessages(queue, 2)).map(({ content }) => content)[1]).toBe('<p>At last</p>')
    expect(await storedRows('failures', place)).toEqual([])
  })

  it.each<[string, ServiceHandler, string]>([
    ['404', (_, response) => response.writeHead(404).end(), 'status 404'],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/' }).end(), 'status 302'],
    ['invalid JSON', (_, response) => response.end('<html>'), 'not JSON'],
    ['JSON other than an object', respondWith([1]), 'not a JSON object'],
    ['a field of a wrong type', respondWith({ content: 5 }), 'invalid field content'],
    ['a NUL character', respondWith({ content: 'a\0b' }), 'invalid field content'],
    ['overlong content', respondWith({ content: 'a'.repeat(10_001) }), 'invalid field content'],
    ['too large a response', (_, response) => response.end('a'.repeat(300_000)), 'longer than'],
    ['an invalid widget', respondWith({ content: 'a', widget_content: '{}' }), 'Invalid widget content'],
  ])('does not retry a service that answers %s', async (_, answer, reason) => {
    const place = await createFixture(answer)
    const queue = await place.owner.register({ event_types: ['message'] })
    await place.ann.send('news', 'a', '@**helper Bot** hi')
    const seen = await waitForMessages(queue, 2)
    const notice = String(seen[1]?.['content'])
    expect(notice).toContain(reason)
    expect(place.service.received.length).toBe(1)
    await waitForDeliveries(place)
  })

  it("does not name a channel or topic in a failure notice if the bot's owner cannot read it", async () => {
    const place = await createFixture((_, response) => response.writeHead(400).end())
    const { owner, ann, user } = place
    const bob = await user('Bob')
    const made = await makeOutgoingBot(bob, `http://localhost:${place.service.port}/`, {}, 'bobs')
    await owner.subscribe(['hidden name'], { principals: [owner.id, ann.id, made.bot.id], invite_only: true })
    const queue = await bob.register({ event_types: ['message'] })
    await ann.send('hidden name', 'hidden topic', '@**bobs Bot** hi')
    const [notice] = await waitForMessages(queue, 1)
    expect(notice?.['content']).toContain('status 400')
    expect(notice?.['content']).not.toContain('hidden')
    expect(notice?.['content']).not.toContain('near')
  })

  it('delivers to other bots and organizations while a service does not respond', async () => {
    const stuck = await createFixture(() => undefined)
    const { owner, ann } = stuck
    const quick = await startTestWebServer(respondWith({ content: 'Quick' }))
    const second = await makeOutgoingBot(owner, `http://localhost:${quick.port}/`, {}, 'quick')
    const elsewhere = await createFixture(respondWith({ content: 'Elsewhere' }))
    for (let count = 0; count < 3; count += 1) await ann.send('news', 'a', '@**helper Bot** hi')
    await expect.poll(() => stuck.service.received.length, POLL_OPTIONS).toBe(1)
    const [here, there] = [
      await ann.register({ event_types: ['message'] }),
      await elsewhere.ann.register({ event_types: ['message'] }),
    ]
    await ann.send('news', 'b', '@**quick Bot** hi')
    await elsewhere.ann.send('news', 'b', '@**helper Bot** hi')
    expect((await waitForMessages(here, 2))[1]).toMatchObject({ sender_id: second.bot.id })
    expect((await waitForMessages(there, 2))[1]).toMatchObject({ sender_id: elsewhere.bot.id })
    // The bot whose service does not respond receives one message at a time.
    expect(stuck.service.received.length).toBe(1)
  })

  it('delivers to other bots while many bots of one person do not respond', async () => {
    const silence = createSilentService()
    const place = await createFixture((_, response) => silence.answer(response))
    const { owner, ann, service, user } = place
    const bob = await user('Bob')
    const names = Array.from({ length: 24 }, (_, index) => `silent${index}`)
    for (const name of names) await makeOutgoingBot(bob, `http://localhost:${service.port}/`, {}, name)
    const well = await startTestWebServer(respondWith({ content: 'Well' }))
    await makeOutgoingBot(bob, `http://localhost:${well.port}/`, {}, 'bobs')
    await makeOutgoingBot(owner, `http://localhost:${well.port}/`, {}, 'owners')
    await ann.send('news', 'a', names.map((name) => `@**${name} Bot**`).join(' '))
    await expect.poll(silence.mostAtOnce, POLL_OPTIONS).toBe(CONCURRENCY_LIMITS.maxUnitsPerPersonAndHost)
    await ann.send('news', 'a', '@**bobs Bot** @**owners Bot**')
    await expect.poll(() => well.received.length, POLL_OPTIONS).toBe(2)
    expect(silence.mostAtOnce()).toBe(CONCURRENCY_LIMITS.maxUnitsPerPersonAndHost)
  })

  it("limits a bot's pending deliveries and notifies the owner when a delivery is dropped", async () => {
    const place = await createFixture((_, response) => response.writeHead(503).end())
    const { owner, ann, bot, id } = place
    await server().parley.database.pool.query(
      `insert into outgoing_webhook_deliveries (organization_id, id, bot_id, message_id, trigger, due_at)
       select $1, 1000000 + n, $2, 1, 'mention', 4000000000 from generate_series(1, $3::int) n`,
      [id, bot.id, DELIVERY_LIMIT.most - 1],
    )
    const queue = await owner.register({ event_types: ['message'] })
    await ann.send('news', 'a', '@**helper Bot** fits')
    await expect
      .poll(async () => (await storedRows('deliveries', place)).length, POLL_OPTIONS)
      .toBe(DELIVERY_LIMIT.most)
    await ann.send('news', 'a', '@**helper Bot** one more')
    const seen = await waitForMessages(queue, 3)
    expect(seen[2]?.['content']).toContain('too many messages are waiting')
    expect((await storedRows('deliveries', place)).length).toBe(DELIVERY_LIMIT.most)
  })
})

it('sends nothing while a bot is paused and tells only its owner why', async () => {
  const place = await createFixture(respondWith({ content: 'Yes' }))
  const { owner, ann, bot, service } = place
  const browser = await signIn(owner)
  await browser.call('POST', '/users/me/revoke_access')
  const [told, asked] = [
    await browser.register({ event_types: ['message'] }),
    await ann.register({ event_types: ['message'] }),
  ]
  const id = await ann.send('news', 'a', '@**helper Bot** hi')
  const notice = (await waitForMessages(told, 2))[1]
  expect(notice?.['content']).toContain(`/near/${id}`)
  expect(notice?.['content']).toContain(': it is paused until its URL is set again. You get')
  await waitForDeliveries(place)
  await browser.call('PATCH', `/bots/${bot.id}`, { service_payload_url: `http://localhost:${service.port}/hook` })
  await ann.send('news', 'b', '@**helper Bot** hi again')
  expect((await waitForMessages(asked, 3)).map(({ sender_id }) => sender_id)).toEqual([ann.id, ann.id, bot.id])
  expect(service.received.map((one) => requestBody(one)['data'])).toEqual(['@**helper Bot** hi again'])
})

describe('private webhook destinations', () => {
  it.each([
    ['an IPv4 address', '127.0.0.1'],
    ['a decimal number', '2130706433'],
    ['an IPv6 address', '[::ffff:127.0.0.1]'],
  ])('sends nothing to a private host given as %s, even if the URL is already stored', async (_, host) => {
    const place = await createFixture(respondWith({}))
    const { id, owner, ann } = place
    const inner = await startTestWebServer(respondWith({ content: 'secret' }))
    const { bot } = await makeOutgoingBot(owner, 'https://spy.example.org/', {}, 'spy')
    const change = 'update bot_services set base_url = $3 where organization_id = $1 and user_id = $2'
    await server().parley.database.pool.query(change, [id, bot.id, `http://${host}:${inner.port}/`])
    const queue = await owner.register({ event_types: ['message'] })
    await ann.send('news', 'a', '@**spy Bot** hi')
    await waitUntilDeliveryFails(place)
    expect((await waitForMessages(queue, 2))[1]?.['content']).toContain('does not lead to a server on the internet')
    expect(inner.received).toEqual([])
  })

  it('does not follow a redirect to a private host', async () => {
    const inner = await startTestWebServer(respondWith({ content: 'secret' }))
    const place = await createFixture((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${inner.port}/` }).end(),
    )
    const queue = await place.owner.register({ event_types: ['message'] })
    await place.ann.send('news', 'a', '@**helper Bot** hi')
    await waitUntilDeliveryFails(place)
    expect((await waitForMessages(queue, 2))[1]?.['content']).toContain('does not lead to a server on the internet')
    expect(inner.received).toEqual([])
  })
})

it('resumes a delivery that a crashed server started', async () => {
  const place = await createFixture(respondWith({ content: 'Done' }))
  const { ann, bot, id, service } = place
  const message = await ann.send('news', 'a', 'Nothing for a bot')
  const queue = await ann.register({ event_types: ['message'] })
  const insert = `insert into outgoing_webhook_deliveries (organization_id, id, bot_id, message_id, trigger, attempts, due_at, begun_until)
    values ($1, $2, $3, $4, 'mention', 1, $5, $5)`
  const { pool } = server().parley.database
  await pool.query(insert, [id, 900_001, bot.id, message, 4_000_000_000])
  await ann.send('news', 'a', '@**helper Bot** waits')
  await expect.poll(async () => (await storedRows('deliveries', place)).length, POLL_OPTIONS).toBe(2)
  expect(service.received).toEqual([])
  await pool.query('update outgoing_webhook_deliveries set due_at = 1, begun_until = 1 where id = 900001')
  await waitForDeliveries(place)
  expect(service.received.map((one) => requestBody(one)['data'])).toEqual([
    'Nothing for a bot',
    '@**helper Bot** waits',
  ])
  const replies = (await waitForMessages(queue, 3)).filter(({ sender_id }) => sender_id === bot.id)
  expect(replies.length).toBe(2)
})

it('gives up on a delivery after too many interrupted attempts', async () => {
  const place = await createFixture(respondWith({ content: 'Done' }))
  const { ann, bot, id, owner, service } = place
  const message = await ann.send('news', 'a', 'Nothing for a bot')
  const queue = await owner.register({ event_types: ['message'] })
  await server().parley.database.pool.query(
    `insert into outgoing_webhook_deliveries (organization_id, id, bot_id, message_id, trigger, attempts, due_at, begun_until)
     values ($1, 900002, $2, $3, 'mention', $4, 1, 1)`,
    [id, bot.id, message, MAX_ATTEMPTS],
  )
  await waitForDeliveries(place)
  expect((await waitForMessages(queue, 1))[0]?.['content']).toContain('the server was interrupted')
  expect(service.received).toEqual([])
})

it("discards a service's reply to a deactivated organization and retries delivery after reactivation", async () => {
  const held: ServerResponse[] = []
  const place = await createFixture((_, response) => void held.push(response))
  const { ann, bot, id, owner } = place
  await ann.send('news', 'a', '@**helper Bot** hi')
  await expect.poll(() => held.length, POLL_OPTIONS).toBe(1)
  await owner.call('POST', '/realm/deactivate')
  held[0]?.end(JSON.stringify({ content: 'Too late' }))
  await waitForScheduledRetry(place)
  const log = await server().parley.logs.of(id)
  await log.write(reactivateOrganization)
  await expect.poll(() => held.length, POLL_OPTIONS).toBe(2)
  held[1]?.end(JSON.stringify({ content: 'In time' }))
  await waitForDeliveries(place)
  const { messages: all } = await ann.call('GET', '/messages', { anchor: 'newest', num_before: 10, num_after: 0 })
  const said = all.filter(({ sender_id }) => sender_id === bot.id)
  expect(said.map(({ content }) => content)).toEqual(['<p>In time</p>'])
})

it('drops deliveries of a deleted bot or message', async () => {
  const place = await createFixture((_, response) => response.writeHead(503).end())
  const { owner, ann, bot, service } = place
  const gone = await ann.send('news', 'a', '@**helper Bot** one')
  await expect.poll(() => service.received.length, POLL_OPTIONS).toBe(1)
  await waitForScheduledRetry(place)
  await owner.call('DELETE', `/messages/${gone}`)
  await waitUntilDeliveryFails(place)
  await ann.send('news', 'a', '@**helper Bot** two')
  await expect.poll(() => service.received.length, POLL_OPTIONS).toBe(2)
  await waitForScheduledRetry(place)
  await owner.call('DELETE', `/bots/${bot.id}`)
  await waitUntilDeliveryFails(place)
  expect(service.received.length).toBe(2)
  expect(await storedRows('failures', place)).toEqual([])
})
