import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestQueue, TestUser } from '../../testing/user.ts'

const server = useTestServer()

/** How many clients register side by side while others write to the log. */
const CLIENTS = 8

/** Registers clients while the log moves, so that most of their queues begin behind it. */
async function registeredUnderNoise(user: TestUser, noisy: TestUser): Promise<TestQueue[]> {
  const registered = new AbortController()
  const writing = Array.from({ length: 4 }, async () => {
    while (!registered.signal.aborted) await noisy.send('general', 'noise', 'Something else')
  })
  const queues = await Promise.all(Array.from({ length: CLIENTS }, () => user.register()))
  registered.abort()
  await Promise.all(writing)
  return queues
}

/** What a client is told of these types until it has as many as it waits for, or nothing comes any more. */
async function eventsOf(queue: TestQueue, types: readonly string[], count: number): Promise<Body[]> {
  const told: Body[] = []
  let isQuiet = false
  while (told.length < count && !isQuiet) {
    const events = await queue.events()
    isQuiet = events.length === 0
    told.push(...events.filter(({ type }) => types.includes(String(type))))
  }
  return told
}

it('tells clients that registered while others wrote of everything that is over in a moment', async () => {
  const { owner, user } = await server().organization()
  const [ann, noisy] = [await user('Ann'), await user('Noisy')]
  await owner.subscribe(['general'], { principals: [owner.id, ann.id, noisy.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  const mine = await ann.send('general', 'hello', 'Hello')
  for (let round = 0; round < 3; round += 1) {
    const queues = await registeredUnderNoise(owner, noisy)
    await ann.call('POST', '/typing', { op: 'start', to: [owner.id] })
    await ann.call('POST', '/typing', { op: 'stop', to: [owner.id] })
    await ann.call('POST', '/typing', { op: 'start', type: 'stream', stream_id, topic: 'hello' })
    await ann.call('POST', '/typing', { op: 'stop', type: 'stream', stream_id, topic: 'hello' })
    await ann.call('POST', `/messages/${mine}/typing`, { op: 'start' })
    await ann.call('POST', `/messages/${mine}/typing`, { op: 'stop' })
    const newcomer = await user(`Newcomer ${round}`)
    await newcomer.call('POST', '/users/me/presence', { status: 'active' })
    const types = ['typing', 'typing_edit_message', 'presence']
    const told = await Promise.all(queues.map((queue) => eventsOf(queue, types, 7)))
    const expected = ['typing start', 'typing stop', 'typing start', 'typing stop']
      .concat(['typing_edit_message start', 'typing_edit_message stop', 'presence'])
      .map((event) => event.split(' '))
    for (const events of told) {
      expect(events.map(({ type, op }) => (op === undefined ? [type] : [type, op]))).toEqual(expected)
    }
  }
})
