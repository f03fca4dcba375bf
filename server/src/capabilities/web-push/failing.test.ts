import { describe, expect, it } from 'vitest'
import { startTestServer, startTestServerOn, useTestServer } from '../../testing/server.ts'
import { createSilentService, startWebServer } from '../../testing/web-server.ts'
import { PUSH_SUBSCRIPTION_LIMIT, PUSHED_CONVERSATION_LIMIT } from './contract.ts'
import { MAX_ATTEMPTS } from './jobs.ts'
import { CONCURRENCY_LIMITS } from './queries.ts'
import {
  listDevices,
  skipPushPauses,
  waitForPushes,
  startTestPushService,
  storedPushes,
  createFixtureOn,
  waitUntilPushesEnd,
  POLL_OPTIONS,
  subscribeDevice,
  type Fixture,
} from './testing/scene.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

const createFixture = async (): Promise<Fixture> => createFixtureOn(server())

const failureOf = async ({ ann }: Fixture): Promise<unknown> => (await listDevices(ann))[0]?.['failure']

async function waitForAttempts(place: Fixture, attempts: number): Promise<void> {
  await expect
    .poll(
      async () => (await storedPushes(place)).map(({ attempts: tried, begun_until }) => [tried, Number(begun_until)]),
      POLL_OPTIONS,
    )
    .toEqual([[attempts, 0]])
}

describe('failing push services', () => {
  it('retries a push a few times, and then reports the failure until a push succeeds', async () => {
    const place = await createFixture()
    const { ann, bob, service, device } = place
    service.answer((response) => response.writeHead(503).end('out of order'))
    await bob.sendTo([ann.id], 'lost')
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      await waitForAttempts(place, attempt)
      expect(Number((await storedPushes(place))[0]?.['due_at'])).toBeGreaterThan(Date.now() / 1000)
      await skipPushPauses(place)
    }
    await waitUntilPushesEnd(place)
    expect(service.attempts()).toBe(MAX_ATTEMPTS)
    await expect.poll(async () => failureOf(place), POLL_OPTIONS).toBe('the push service answered with the status 503')
    service.answer(undefined)
    await bob.sendTo([ann.id], 'found')
    expect(await waitForPushes(device, 1)).toMatchObject([{ content: 'found' }])
    await expect.poll(async () => failureOf(place), POLL_OPTIONS).toBeNull()
  })

  it('pushes once after failed attempts, and drops messages read between the attempts', async () => {
    const place = await createFixture()
    const { ann, bob, service, device } = place
    service.answer((response) => response.destroy())
    await bob.sendTo([ann.id], 'late')
    await waitForAttempts(place, 1)
    service.answer(undefined)
    await skipPushPauses(place)
    expect(await waitForPushes(device, 1)).toMatchObject([{ content: 'late' }])
    await waitUntilPushesEnd(place)
    service.answer((response) => response.writeHead(429, { 'retry-after': '1800' }).end())
    const read = await bob.sendTo([ann.id], 'read')
    await waitForAttempts(place, 1)
    const pause = Number((await storedPushes(place))[0]?.['due_at']) - Date.now() / 1000
    expect(pause).toBeGreaterThan(1_700)
    expect(pause).toBeLessThan(1_801)
    // Another message in the conversation does not shorten the pause.
    await bob.sendTo([ann.id], 'read too')
    await expect.poll(async () => Number((await storedPushes(place))[0]?.['message_id'])).toBeGreaterThan(read)
    expect(Number((await storedPushes(place))[0]?.['due_at'])).toBeGreaterThan(Date.now() / 1000)
    service.answer(undefined)
    await ann.call('POST', '/mark_all_as_read')
    await skipPushPauses(place)
    await waitUntilPushesEnd(place)
    expect(device.payloads().map(({ type }) => type)).toEqual(['message', 'withdrawal'])
  })

  it.each([400, 401, 403, 413])('does not retry a push after status %i', async (status) => {
    const place = await createFixture()
    place.service.answer((response) => response.writeHead(status).end())
    await place.bob.sendTo([place.ann.id], 'refused')
    await expect.poll(async () => failureOf(place), POLL_OPTIONS).toContain(`status ${status}`)
    await waitUntilPushesEnd(place)
    expect(place.service.attempts()).toBe(1)
  })

  it('pushes to other devices while one push service does not respond', async () => {
    const stuck = await createFixture()
    const other = await createFixture()
    const second = other.service.device()
    await subscribeDevice(stuck.ann, second)
    stuck.service.answer(() => undefined)
    await stuck.bob.sendTo([stuck.ann.id], 'here')
    await other.bob.sendTo([other.ann.id], 'there')
    expect(await waitForPushes(second, 1)).toMatchObject([{ content: 'here' }])
    expect(await waitForPushes(other.device, 1)).toMatchObject([{ content: 'there' }])
  })

  it('pushes to other people while many devices of one person do not respond', async () => {
    const place = await createFixture()
    const { owner, ann, bob, service } = place
    const silence = createSilentService()
    service.answer(silence.answer)
    for (let count = 1; count < PUSH_SUBSCRIPTION_LIMIT.most - 1; count += 1)
      await subscribeDevice(ann, service.device())
    const well = await startTestPushService()
    const [own, bobs] = [well.device(), well.device()]
    await subscribeDevice(ann, own)
    await subscribeDevice(bob, bobs)
    for (let count = 0; count < 8; count += 1) await bob.send('last', `topic ${count}`, 'hi')
    await expect.poll(silence.mostAtOnce, POLL_OPTIONS).toBe(CONCURRENCY_LIMITS.maxUnitsPerPersonAndHost)
    await owner.sendTo([bob.id], 'to Bob')
    expect(await waitForPushes(bobs, 1)).toMatchObject([{ content: 'to Bob' }])
    await waitForPushes(own, 8)
    expect(silence.mostAtOnce()).toBe(CONCURRENCY_LIMITS.maxUnitsPerPersonAndHost)
  })
})

it('gives up on a push that cannot be encrypted', async () => {
  const place = await createFixture()
  const { ann, bob, deviceId, id, service } = place
  const { pool } = server().parley.database
  await pool.query(`update push_subscriptions set p256dh = '' where organization_id = $1 and id = $2`, [id, deviceId])
  await bob.sendTo([ann.id], 'lost')
  await expect.poll(async () => (await storedPushes(place)).length, POLL_OPTIONS).toBe(1)
  const again = 'update push_notifications set due_at = 0, begun_until = 0 where organization_id = $1'
  const makePushesDue = async (): Promise<number | null> => (await pool.query(again, [id])).rowCount
  await expect.poll(makePushesDue, POLL_OPTIONS).toBe(0)
  expect(service.attempts()).toBe(0)
})

describe('private push hosts', () => {
  it.each([
    ['an IPv4 address', '127.0.0.1'],
    ['a decimal number', '2130706433'],
    ['an IPv6 address', '[::ffff:127.0.0.1]'],
  ])('does not push to a private host given as %s', async (_, host) => {
    const place = await createFixture()
    const inner = await startWebServer((_request, response) => response.writeHead(201).end())
    try {
      const { subscription } = place.service.device()
      const endpoint = `http://${host}:${inner.port}/`
      await place.owner.call('POST', '/push_subscriptions', { ...subscription, endpoint })
      await place.bob.sendTo([place.owner.id], 'hi')
      await waitForAttempts(place, 1)
      expect(inner.received).toEqual([])
    } finally {
      await inner.close()
    }
  })

  it('does not follow a redirect to a private host', async () => {
    const place = await createFixture()
    const inner = await startWebServer((_request, response) => response.writeHead(201).end())
    try {
      place.service.answer((response) => response.writeHead(307, { location: `http://127.0.0.1:${inner.port}/` }).end())
      await place.bob.sendTo([place.ann.id], 'hi')
      await waitForAttempts(place, 1)
      expect(inner.received).toEqual([])
    } finally {
      await inner.close()
    }
  })
})

describe('pushes across server restarts', () => {
  it('pushes pending messages once after a restart', async () => {
    const first = await startTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })
    const place = await createFixtureOn(first)
    const { ann, bob, service, device } = place
    await bob.sendTo([ann.id], 'arrived')
    await waitForPushes(device, 1)
    await waitUntilPushesEnd(place)
    service.answer(() => undefined)
    await bob.send('news', 'a', '@**Ann** on its way')
    await expect.poll(() => service.attempts(), POLL_OPTIONS).toBe(2)
    await first.parley.close()
    service.answer(undefined)
    const second = await startTestServerOn(first.database, { PARLEY_OUTSIDE_ALLOW: 'localhost' })
    try {
      await expect.poll(() => device.pushes().length, POLL_OPTIONS).toBe(2)
      await waitUntilPushesEnd({ id: place.id, server: second })
      expect(device.payloads().map(({ content }) => content)).toEqual(['arrived', '@Ann on its way'])
    } finally {
      await second.close()
    }
  })

  it('resumes the pushes of a crashed server', async () => {
    const place = await createFixture()
    const { ann, bob, device } = place
    await bob.sendTo([ann.id], 'one')
    await waitForPushes(device, 1)
    await waitUntilPushesEnd(place)
    const { pool } = server().parley.database
    // Simulates a server that died after starting the push.
    await pool.query(
      `update push_notifications set attempts = 1, due_at = 4000000000, begun_until = 4000000000 where organization_id = $1`,
      [place.id],
    )
    const newer = await bob.sendTo([ann.id], 'two')
    await expect.poll(async () => Number((await storedPushes(place))[0]?.['message_id']), POLL_OPTIONS).toBe(newer)
    expect(device.pushes().length).toBe(1)
    await pool.query('update push_notifications set begun_until = 1 where organization_id = $1', [place.id])
    expect((await waitForPushes(device, 2))[1]).toMatchObject({ content: 'two' })
    await waitUntilPushesEnd(place)
    expect(device.pushes().length).toBe(2)
  })
})

it('records only the newest conversations that were pushed to a device', async () => {
  const place = await createFixture()
  const { ann, bob, deviceId, device, id } = place
  await server().parley.database.pool.query(
    `insert into push_notifications (organization_id, id, subscription_id, topic_id, message_id, shown_id)
     select $1, 1000000 + n, $2, 1000000 + n, n, n from generate_series(1, $3::int) n`,
    [id, deviceId, PUSHED_CONVERSATION_LIMIT.most],
  )
  await bob.sendTo([ann.id], 'one more')
  await waitForPushes(device, 1)
  const kept = await storedPushes(place)
  expect(kept).toHaveLength(PUSHED_CONVERSATION_LIMIT.most)
  expect(kept.map(({ message_id }) => Number(message_id)).toSorted((a, b) => a - b)[0]).toBe(2)
})
