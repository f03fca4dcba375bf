import { afterEach, beforeEach, expect, it } from 'vitest'
import { stopClock, type HeldTime } from '../../testing/held-time.ts'
import { startTestServer, startTestServerOn, type TestServer } from '../../testing/server.ts'
import { TestUser, type TestQueue } from '../../testing/user.ts'

const IDLE_SECONDS = 600
const HOUR_SECONDS = 3_600
const SETTINGS = { PARLEY_QUEUE_IDLE_SECONDS: String(IDLE_SECONDS) }

let server: TestServer
let time: HeldTime

beforeEach(async () => {
  time = stopClock()
  server = await startTestServer(SETTINGS)
})
afterEach(async () => {
  time.release()
  await server.close()
})

async function poll(user: TestUser, { id }: TestQueue): Promise<unknown> {
  const { body } = await user.try('GET', '/events', { queue_id: id, last_event_id: -1, dont_block: true })
  return body['code'] ?? body['events']?.map((event) => event['message']?.['id'])
}

for (const [direction, by] of [
  ['forward', HOUR_SECONDS],
  ['backward', -HOUR_SECONDS],
] as const) {
  it(`keeps queues across restarts when the clock moves ${direction} by an hour`, async () => {
    const { owner } = await server.organization()
    const [again, other] = [
      await owner.register({ event_types: ['message'] }),
      await owner.register({ event_types: ['message'] }),
    ]
    const next = await owner.sendTo([owner.id], 'Still here?')
    time.setClock(by)
    await server.parley.queues.sweep()
    await server.parley.queues.sweep()
    expect(await poll(owner, again)).toEqual([next])

    const { database } = server
    await server.close()
    time.setClock(by)
    server = await startTestServerOn(database, SETTINGS)
    const there = new TestUser(server.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
    expect(await poll(there, again)).toEqual([next])
    await server.parley.queues.sweep()
    expect(await poll(there, other)).toEqual([next])
    time.pass(IDLE_SECONDS)
    await server.parley.queues.sweep()
    expect(await poll(there, other)).toEqual([next])
    // Queues can last longer by as much as the clock was set back.
    time.pass(IDLE_SECONDS + 1 + (by < 0 ? 2 * HOUR_SECONDS : 0))
    await server.parley.queues.sweep()
    expect(await poll(there, other)).toBe('BAD_EVENT_QUEUE_ID')
  })
}

it("keeps a queue when another server removes idle queues after both servers' clocks are set forward", async () => {
  const second = await startTestServerOn(server.database, SETTINGS, { shared: true })
  const { owner } = await server.organization()
  const there = new TestUser(second.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
  time.pass(3 * IDLE_SECONDS)
  const queue = await owner.register({ event_types: ['message'] })
  const id = await owner.sendTo([owner.id], 'Hello')
  time.setClock(HOUR_SECONDS)
  // The queue survives even a sweep by the other server.
  await second.parley.queues.sweep()
  await server.parley.queues.sweep()
  expect(await poll(there, queue)).toEqual([id])
  expect(await poll(owner, queue)).toEqual([id])
  await second.close()
})
