import { expect, onTestFinished } from 'vitest'
import type { EventFields } from '../../../testing/contract-types.ts'
import { parseObject } from '../../../testing/json.ts'
import type { TestOrganization, TestServer } from '../../../testing/server.ts'
import { startWebServer, type ReceivedRequest, type WebServer } from '../../../testing/web-server.ts'
import { eventsOf, type Body, type TestQueue, type TestUser } from '../../../testing/user.ts'
import { asUser } from '../../bots/testing/bots.ts'
import type { Message } from '../../messages/contract/records.ts'

/** Long enough for jobs, which poll every second. */
export const POLL_OPTIONS = { timeout: 20_000, interval: 50 }

export type ServiceHandler = Parameters<typeof startWebServer>[0]

export async function startTestWebServer(answer: ServiceHandler): Promise<WebServer> {
  const started = await startWebServer(answer)
  onTestFinished(async () => started.close())
  return started
}

export const respondWith =
  (body: unknown): ServiceHandler =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export interface Fixture extends TestOrganization {
  readonly server: TestServer
  readonly ann: TestUser
  readonly bot: TestUser
  readonly token: string
  readonly service: WebServer
}

export async function createFixtureOn(server: TestServer, answer: ServiceHandler, more: Body = {}): Promise<Fixture> {
  const organization = await server.organization()
  const { owner, user } = organization
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const service = await startTestWebServer(answer)
  const made = await makeOutgoingBot(owner, `http://localhost:${service.port}/hook`, more)
  return { ...organization, server, ann, service, ...made }
}

export async function makeOutgoingBot(
  owner: TestUser,
  payload_url: string,
  more: Body = {},
  short_name = 'helper',
): Promise<{ bot: TestUser; token: string }> {
  const given = { full_name: `${short_name} Bot`, short_name, bot_type: 3, payload_url, ...more }
  const made = await owner.call('POST', '/bots', given)
  const bot = asUser(owner, `${short_name}-bot@${owner.host}`, made)
  const [service] = made['services']
  return { bot, token: String(service?.['token']) }
}

export function requestBody(request: ReceivedRequest | undefined): Body {
  return parseObject(request?.body ?? '{}')
}

export const messagesIn = (events: readonly EventFields[]): Message[] =>
  eventsOf(events, 'message').map(({ message }) => message)

export async function waitForMessages(queue: TestQueue, count: number): Promise<Message[]> {
  const seen: Message[] = []
  await expect
    .poll(async () => {
      seen.push(...messagesIn(await queue.events()))
      return seen.length
    }, POLL_OPTIONS)
    .toBeGreaterThanOrEqual(count)
  return seen
}

type OrganizationServer = Pick<Fixture, 'id' | 'server'>

export async function storedRows(
  table: 'deliveries' | 'failures',
  { id, server }: OrganizationServer,
): Promise<Body[]> {
  const { rows: found } = await server.parley.database.pool.query<Body>(
    `select * from outgoing_webhook_${table} where organization_id = $1`,
    [id],
  )
  return found
}

export async function waitForDeliveries(place: OrganizationServer): Promise<void> {
  await expect.poll(async () => storedRows('deliveries', place), POLL_OPTIONS).toEqual([])
}

export async function waitForScheduledRetry(place: Fixture): Promise<void> {
  await expect
    .poll(async () => Number((await storedRows('deliveries', place))[0]?.['begun_until']), POLL_OPTIONS)
    .toBe(0)
}

export async function skipRetryPauses({ id, server }: Fixture): Promise<void> {
  await server.parley.database.pool.query(
    'update outgoing_webhook_deliveries set due_at = 0 where organization_id = $1 and begun_until = 0',
    [id],
  )
}

export async function waitUntilDeliveryFails(place: Fixture): Promise<void> {
  await expect.poll(async () => (await storedRows('deliveries', place)).length, POLL_OPTIONS).toBeGreaterThan(0)
  await expect
    .poll(async () => {
      await skipRetryPauses(place)
      return (await storedRows('deliveries', place)).length
    }, POLL_OPTIONS)
    .toBe(0)
}
