import { expect, onTestFinished } from 'vitest'
import type { TestOrganization, TestServer } from '../../../testing/server.ts'
import { startPushService, type PushDevice, type PushService } from '../../../testing/push-receiver.ts'
import type { Body, TestUser } from '../../../testing/user.ts'

/** Long enough for jobs, which poll every second. */
export const POLL_OPTIONS = { timeout: 20_000, interval: 50 }

export async function startTestPushService(...kind: Parameters<typeof startPushService>): Promise<PushService> {
  const started = await startPushService(...kind)
  onTestFinished(async () => started.close())
  return started
}

export interface Fixture extends TestOrganization {
  readonly server: TestServer
  readonly ann: TestUser
  readonly bob: TestUser
  readonly service: PushService
  readonly device: PushDevice
  readonly deviceId: number
}

export async function createFixtureOn(
  server: TestServer,
  ...kind: Parameters<typeof startPushService>
): Promise<Fixture> {
  const organization = await server.organization()
  const { owner, user } = organization
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  await owner.subscribe(['news', 'last'], { principals: [owner.id, ann.id, bob.id] })
  const { stream_id } = await ann.call('GET', '/get_stream_id', { stream: 'last' })
  const subscription_data = [{ stream_id, property: 'push_notifications', value: true }]
  await ann.call('POST', '/users/me/subscriptions/properties', { subscription_data })
  const service = await startTestPushService(...kind)
  const device = service.device()
  const deviceId = await subscribeDevice(ann, device)
  return { ...organization, server, ann, bob, service, device, deviceId }
}

export async function subscribeDevice(user: TestUser, device: PushDevice, more: Body = {}): Promise<number> {
  const answer = await user.call('POST', '/push_subscriptions', { ...device.subscription, ...more })
  return answer['push_subscription_id']
}

export async function listDevices(user: TestUser): Promise<Body[]> {
  return (await user.call('GET', '/push_subscriptions'))['push_subscriptions']
}

export async function storedPushes({ id, server }: Pick<Fixture, 'id' | 'server'>): Promise<Body[]> {
  const { rows: found } = await server.parley.database.pool.query<Body>(
    'select * from push_notifications where organization_id = $1 order by id',
    [id],
  )
  return found
}

export async function waitUntilPushesEnd(place: Pick<Fixture, 'id' | 'server'>): Promise<void> {
  const { consumers } = place.server.parley
  await expect.poll(() => consumers.reports().filter(({ lag }) => lag > 0), POLL_OPTIONS).toEqual([])
  await expect
    .poll(async () => (await storedPushes(place)).filter(({ due_at }) => due_at !== null), POLL_OPTIONS)
    .toEqual([])
}

export async function waitForPushes(device: PushDevice, count: number): Promise<readonly Body[]> {
  await expect.poll(() => device.pushes().length, POLL_OPTIONS).toBeGreaterThanOrEqual(count)
  return device.payloads()
}

/** Returns all pushes after the first `before`. Sends a last message, and waits for its push, which is omitted. */
export async function pushesSince(place: Fixture, before: number): Promise<string[]> {
  await place.bob.send('last', 'a', 'the last')
  await expect.poll(() => place.device.payloads().map(({ content }) => content), POLL_OPTIONS).toContain('the last')
  await waitUntilPushesEnd(place)
  return place.device
    .payloads()
    .slice(before)
    .map(({ type, content, message_id }) =>
      type === 'message' ? String(content) : `${String(type)} ${String(message_id)}`,
    )
    .filter((content) => content !== 'the last')
    .toSorted((a, b) => a.localeCompare(b))
}

export async function skipPushPauses({ id, server }: Pick<Fixture, 'id' | 'server'>): Promise<void> {
  await server.parley.database.pool.query(
    'update push_notifications set due_at = 0 where organization_id = $1 and due_at is not null and begun_until = 0',
    [id],
  )
}
