import pg from 'pg'
import { expect, it } from 'vitest'
import { QUEUE_LIMIT } from '../../platform/queues/store.ts'
import { stopClock } from '../../testing/held-time.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestQueue, TestUser } from '../../testing/user.ts'

const server = useTestServer()

const MAX_QUEUES = QUEUE_LIMIT.most

async function pollErrorCode(user: TestUser, queueId: string): Promise<unknown> {
  const poll = { queue_id: queueId, last_event_id: -1, dont_block: true }
  return (await user.try('GET', '/events', poll)).body['code']
}

async function backdateQueue(queue: TestQueue, seconds: number): Promise<void> {
  const client = new pg.Client(server().database)
  await client.connect()
  await client.query('update queues set last_used_at = last_used_at - $2 where id = $1', [queue.id, seconds])
  await client.end()
}

it('ends only the least recently used queue of a person with too many queues', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const other = await ann.register({ event_types: ['message'] })
  const queues: TestQueue[] = []
  for (let count = 0; count < MAX_QUEUES; count += 1) queues.push(await owner.register({ event_types: ['message'] }))
  const oldest = queues[17]
  if (oldest === undefined) throw new Error('it was registered')
  await backdateQueue(oldest, 100)
  // A queue with a waiting poll is in use, even if its recorded last use is old.
  const used = queues[3]
  if (used === undefined) throw new Error('it was registered')
  await backdateQueue(used, 200)
  const waiting = used.next()
  while (server().parley.queues.count().parked === 0) await new Promise(setImmediate)
  const next = await owner.register({ event_types: ['message'] })
  const id = await owner.sendTo([owner.id], 'hello')
  expect(await waiting).toMatchObject([{ message: { id } }])
  const ended: string[] = []
  for (const queue of queues) if ((await pollErrorCode(owner, queue.id)) !== undefined) ended.push(queue.id)
  expect(ended).toEqual([oldest.id])
  expect([await pollErrorCode(owner, next.id), await pollErrorCode(ann, other.id)]).toEqual([undefined, undefined])
  await Promise.all(Array.from({ length: 20 }, async () => owner.register({ event_types: ['message'] })))
  const { rows } = await server().parley.database.pool.query<{ count: number }>(
    'select count(*)::int as count from queues where user_id = $1',
    [owner.id],
  )
  expect(rows).toEqual([{ count: MAX_QUEUES }])
})

it('delivers more events than a queue buffers in memory', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register({ event_types: ['message'] })
  const sent: number[] = []
  for (let count = 0; count < 80; count += 1) sent.push(await owner.sendTo([owner.id], 'x'.repeat(9_000)))
  const told: unknown[] = []
  while (told.length < sent.length) {
    const events = await queue.events()
    expect(events.length).toBeGreaterThan(0)
    expect(JSON.stringify(events).length).toBeLessThan(600_000)
    told.push(...events.map(({ message }) => message?.['id']))
  }
  expect(told).toEqual(sent)
})

it('evicts events of an idle client from memory and still delivers them', async () => {
  const { owner } = await server().organization()
  const queue = await owner.register({ event_types: ['message'] })
  const ids = [await owner.sendTo([owner.id], 'one'), await owner.sendTo([owner.id], 'two')]
  const before = server().parley.queues.count().bufferedEvents
  expect(before).toBeGreaterThan(0)
  const time = stopClock()
  time.pass(120)
  await server().parley.queues.sweep()
  time.release()
  expect(server().parley.queues.count().bufferedEvents).toBe(0)
  expect((await queue.events()).map(({ message }) => message?.['id'])).toEqual(ids)
})
