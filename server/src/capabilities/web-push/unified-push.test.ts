import { describe, expect, it } from 'vitest'
import { UNIFIED_PUSH_SERVICE } from '../../testing/push-receiver.ts'
import { useTestServer } from '../../testing/server.ts'
import {
  listDevices,
  skipPushPauses,
  waitForPushes,
  storedPushes,
  createFixtureOn,
  waitUntilPushesEnd,
  POLL_OPTIONS,
  type Fixture,
} from './testing/scene.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

const createFixture = async (): Promise<Fixture> => createFixtureOn(server(), UNIFIED_PUSH_SERVICE)

describe('UnifiedPush', () => {
  it('pushes to a UnifiedPush app and withdraws pushes as in a browser', async () => {
    const { ann, bob, device, ...place } = await createFixture()
    expect(device.subscription.endpoint).toMatch(/\/up[\w-]{12}\?up=1$/)
    const id = await bob.sendTo([ann.id], 'Hello **Ann**')
    expect(await waitForPushes(device, 1)).toMatchObject([{ type: 'message', message_id: id, content: 'Hello Ann' }])
    await waitUntilPushesEnd(place)
    await ann.call('POST', '/mark_all_as_read')
    expect((await waitForPushes(device, 2)).at(-1)).toEqual({ type: 'withdrawal', message_id: id })
    await waitUntilPushesEnd(place)
    await ann.call('POST', `/push_subscriptions/${place.deviceId}/test`)
    expect((await waitForPushes(device, 3)).at(-1)).toEqual({ type: 'test', language: 'en' })
    const said = device.pushes().map(({ headers }) => [headers['ttl'], headers['urgency'], headers['content-encoding']])
    expect(said).toEqual([
      ['86400', 'high', 'aes128gcm'],
      ['86400', 'normal', 'aes128gcm'],
      ['86400', 'high', 'aes128gcm'],
    ])
    // Distributors do not require a signature but can check it. Its audience is the distributor's host without a path.
    const { application_server_key } = await ann.call('GET', '/push_subscriptions')
    const { origin } = new URL(device.subscription.endpoint)
    for (const { claims, serverKey } of device.pushes()) {
      expect([claims['aud'], serverKey]).toEqual([origin, application_server_key])
    }
    expect((await listDevices(ann))[0]?.['failure']).toBeNull()
  })

  it('limits a push to 4,096 bytes even with the longest names', async () => {
    const { owner, ann, bob, device } = await createFixture()
    const long = '🥕'.repeat(60)
    await owner.subscribe([long], { principals: [owner.id, ann.id, bob.id] })
    await bob.call('PATCH', '/settings', { full_name: '🥕'.repeat(100) })
    await bob.send(long, long, `@**Ann** ${'🥕'.repeat(300)}`)
    expect(await waitForPushes(device, 1)).toMatchObject([{ channel: long, topic: long, sender: '🥕'.repeat(100) }])
    expect(device.pushes()[0]?.bytes).toBeLessThanOrEqual(4_096)
  })

  it.each([200, 201, 202, 204])('treats a push answered with status %i as delivered', async (status) => {
    const { ann, bob, service, ...place } = await createFixture()
    service.answer((response) => response.writeHead(status).end())
    await bob.sendTo([ann.id], 'hi')
    await expect.poll(() => service.attempts(), POLL_OPTIONS).toBe(1)
    await waitUntilPushesEnd(place)
    expect(service.attempts()).toBe(1)
    expect((await listDevices(ann))[0]?.['failure']).toBeNull()
  })

  it.each([404, 410])('removes a UnifiedPush device after its push service answers with status %i', async (status) => {
    const { ann, bob, service } = await createFixture()
    service.answer((response) => response.writeHead(status).end())
    await bob.sendTo([ann.id], 'hi')
    await expect.poll(async () => listDevices(ann), POLL_OPTIONS).toEqual([])
    expect(service.attempts()).toBe(1)
  })

  it.each([
    ['asks for fewer pushes', 429],
    ['has no app listening on the topic', 507],
  ])('retries a push if the distributor %s', async (_, status) => {
    const { ann, bob, device, service, ...place } = await createFixture()
    service.answer((response) => response.writeHead(status, { 'retry-after': '600' }).end('{"http":0}'))
    await bob.sendTo([ann.id], 'later')
    const due = async (): Promise<unknown> => (await storedPushes(place)).map(({ attempts }) => attempts)
    await expect.poll(due, POLL_OPTIONS).toEqual([1])
    await expect.poll(async () => Number((await storedPushes(place))[0]?.['begun_until']), POLL_OPTIONS).toBe(0)
    expect(Number((await storedPushes(place))[0]?.['due_at']) - Date.now() / 1000).toBeGreaterThan(500)
    service.answer(undefined)
    await skipPushPauses(place)
    expect(await waitForPushes(device, 1)).toMatchObject([{ content: 'later' }])
  })
})
