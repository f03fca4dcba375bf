import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { startTestServer, startTestServerOn } from '../../testing/server.ts'
import { namedStatementsDuring } from '../../testing/statements.ts'

/** The fields of an answer to `GET /events`. */
const POLL_RESPONSE = z.object({
  events: z.array(z.object({ message: z.object({ id: z.number(), content: z.string() }) })),
})

function messagesIn(fields: string): { id: number; content: string }[] {
  return POLL_RESPONSE.parse(JSON.parse(`{${fields}}`)).events.map(({ message }) => message)
}

it('delivers events again from an earlier position, even while a previous long poll is pending', async () => {
  const first = await startTestServer()
  const organization = await first.organization()
  const { owner } = organization
  await owner.subscribe(['general'])
  const queue = await owner.register({ event_types: ['message'] })
  const sent: number[] = []
  for (let count = 0; count < 20; count += 1) sent.push(await owner.send('general', 'back', `Message ${count}`))
  const eventIds = (await queue.events()).map((event) => event['id'])
  const [halfway, newest] = [eventIds[10] ?? 0, eventIds[19] ?? 0]
  await first.close()

  // A server that does not hold the queue reads the log for each poll.
  const second = await startTestServerOn(first.database)
  const log = await second.parley.logs.of(organization.id)
  // Bypasses HTTP, where the polls could arrive in any order.
  const poll = async (lastEventId: number): Promise<unknown[]> => {
    const fields = await new Promise<string>((resolve, reject) => {
      const request = { owner: { userId: owner.id }, queueId: queue.id, lastEventId, block: false }
      const answer = { success: resolve, refuse: reject, isGone: false }
      Promise.resolve(second.parley.queues.poll(log, request, answer)).catch(reject)
    })
    return messagesIn(fields).map(({ id }) => id)
  }
  expect(await poll(newest)).toEqual([])
  expect(await Promise.all([poll(halfway), poll(-1)])).toEqual([[], sent])
  // The earlier poll gets no events: the later poll has moved the queue.
  expect(await Promise.all([poll(-1), poll(halfway)])).toEqual([[], sent.slice(11)])
  await second.close()
})

it('reads the log once for queues at the same position, and filters events per user', async () => {
  const first = await startTestServer()
  const { id, owner, user } = await first.organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['general'], { principals: [owner.id, ann.id, ben.id] })
  const registered = [owner, ann, ben, owner, ann, ben].map(async (person, index) => {
    const queue = await person.register({ event_types: ['message'], apply_markdown: index < 3 })
    return { owner: { userId: person.id }, queueId: queue.id, lastEventId: -1, block: false }
  })
  const requests = await Promise.all(registered)
  await owner.send('general', 'all', '*All*')
  await ann.sendTo([ben.id], '*Two*')
  await first.close()

  const second = await startTestServerOn(first.database)
  const log = await second.parley.logs.of(id)
  const contents = async (request: (typeof requests)[number]): Promise<unknown[]> => {
    const fields = await new Promise<string>((resolve, reject) => {
      const answer = { success: resolve, refuse: reject, isGone: false }
      Promise.resolve(second.parley.queues.poll(log, request, answer)).catch(reject)
    })
    return messagesIn(fields).map(({ content }) => content)
  }
  let told: unknown[] = []
  const statements = await namedStatementsDuring(first.database, async () => {
    told = await Promise.all(requests.map(contents))
  })
  const [all, two] = ['<p><em>All</em></p>', '<p><em>Two</em></p>']
  expect(told).toEqual([[all], [all, two], [all, two], ['*All*'], ['*All*', '*Two*'], ['*All*', '*Two*']])
  // One queue is read before the other queues, which are read together.
  expect(statements.filter(({ name }) => name === 'events_between').length).toBeLessThanOrEqual(2)
  await second.close()
})
