import { afterEach, beforeEach, expect, it } from 'vitest'
import { pruneLogs } from '../../platform/log/prune.ts'
import type { AnyResponseTo } from '../../testing/contract-types.ts'
import { stopClock, type HeldTime } from '../../testing/held-time.ts'
import { startTestServer, startTestServerOn, type TestServer } from '../../testing/server.ts'
import { ALL_CAPABILITIES, TestUser, type TestQueue } from '../../testing/user.ts'
import { LONG_LIFESPAN_SECONDS } from './contract.ts'

const DAY_SECONDS = 86_400

let server: TestServer
let time: HeldTime

beforeEach(async () => {
  time = stopClock()
  server = await startTestServer()
})
afterEach(async () => {
  time.release()
  await server.close()
})

async function passTime(seconds: number): Promise<void> {
  time.pass(seconds)
  await server.parley.queues.sweep()
  await server.parley.logs.prune()
}

const LONG_LIVED_QUEUE = { client_capabilities: { ...ALL_CAPABILITIES, long_lifespan: true }, event_types: ['message'] }

type PollResponse = AnyResponseTo<'GET', '/events'>

async function poll(user: TestUser, { id, lastEventId }: TestQueue): Promise<PollResponse> {
  const asked = { queue_id: id, last_event_id: lastEventId, dont_block: true }
  return (await user.try('GET', '/events', asked)).body
}

function messageIds({ events }: PollResponse): unknown {
  return events?.map((event) => event.message?.id)
}

it('keeps a long-lived queue for two weeks, across restarts', async () => {
  const { owner, user } = await server.organization()
  const ann = await user('Ann')
  const queue = await ann.register(LONG_LIVED_QUEUE)
  const usual = await ann.register({ event_types: ['message'] })
  const daily = await ann.register({ event_types: ['message'], queue_lifespan_secs: DAY_SECONDS })
  const sent: number[] = []
  for (let day = 1; day < LONG_LIFESPAN_SECONDS / DAY_SECONDS; day += 1) {
    sent.push(await owner.sendTo([ann.id], `Day ${day}`))
    await owner.sendTo([owner.id], 'Not for Ann')
    await passTime(DAY_SECONDS)
  }
  expect(server.parley.queues.count().live).toBe(0)
  const { database } = server
  await server.close()
  time.pass(DAY_SECONDS)
  server = await startTestServerOn(database)
  const there = new TestUser(server.parley.url, ann.host, ann.email, ann.apiKey, ann.id)
  const back = await poll(there, queue)
  expect(messageIds(back)).toEqual(sent)
  for (const other of [usual, daily]) expect((await poll(there, other))['code']).toBe('BAD_EVENT_QUEUE_ID')
  // Later events are delivered too.
  queue.lastEventId = Number(back.events?.at(-1)?.id)
  const id = await there.sendTo([ann.id], 'Back')
  expect(messageIds(await poll(there, queue))).toEqual([id])
})

it('ends a long-lived queue after two idle weeks and prunes the events kept for it', async () => {
  const { id, owner } = await server.organization()
  const [queue, used] = [await owner.register(LONG_LIVED_QUEUE), await owner.register(LONG_LIVED_QUEUE)]
  const first = await owner.sendTo([owner.id], 'First')
  await passTime(LONG_LIFESPAN_SECONDS)
  expect(messageIds(await poll(owner, used))).toEqual([first])
  await passTime(1)
  expect((await poll(owner, queue))['code']).toBe('BAD_EVENT_QUEUE_ID')
  expect(messageIds(await poll(owner, used))).toEqual([first])
  await owner.call('DELETE', '/events', { queue_id: used.id })
  await passTime(1)
  const left = 'select from events where organization_id = $1'
  expect((await server.parley.database.pool.query(left, [id])).rows).toHaveLength(1)
})

it('ends long-lived queues whose events were pruned, but prunes no events of the last day', async () => {
  const { owner } = await server.organization()
  const [behind, near] = [await owner.register(LONG_LIVED_QUEUE), await owner.register(LONG_LIVED_QUEUE)]
  const send = async (): Promise<number> => owner.sendTo([owner.id], 'Hello')
  await send()
  const old = [await send(), await send(), await send()]
  near.lastEventId = Number((await near.events())[0]?.['id'])
  const later = async (seconds: number, most: number): Promise<void> => {
    time.pass(seconds)
    await server.parley.queues.sweep()
    await pruneLogs(server.parley.database.pool, [], most)
  }
  await later(2 * DAY_SECONDS, 3)
  expect((await poll(owner, behind))['code']).toBe('BAD_EVENT_QUEUE_ID')
  expect(messageIds(await poll(owner, near))).toEqual(old)
  const queue = await owner.register(LONG_LIVED_QUEUE)
  const young = [await send(), await send()]
  // By then, the queue has been evicted from memory.
  await later(120, 1)
  expect((await poll(owner, near))['code']).toBe('BAD_EVENT_QUEUE_ID')
  expect(messageIds(await poll(owner, queue))).toEqual(young)
})
