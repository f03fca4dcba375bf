import { expect, it } from 'vitest'
import { startTestServer, startTestServerOn } from '../../testing/server.ts'
import type { Body } from '../../testing/user.ts'

it('starts again for a client that goes back while an earlier poll of it is still being answered', async () => {
  const first = await startTestServer()
  const organization = await first.organization()
  const { owner } = organization
  await owner.subscribe(['general'])
  const queue = await owner.register({ event_types: ['message'] })
  const sent: number[] = []
  for (let count = 0; count < 20; count += 1) sent.push(await owner.send('general', 'back', `Message ${count}`))
  const eventIds = (await queue.events()).map((event) => Number(event['id']))
  const [halfway, newest] = [eventIds[10] ?? 0, eventIds[19] ?? 0]
  await first.close()

  // A server that knows nothing of the queue reads the log for each poll.
  const second = await startTestServerOn(first.database)
  const log = await second.parley.logs.of(organization.id)
  // Not over HTTP, where either of the two could arrive first.
  const poll = async (lastEventId: number): Promise<unknown[]> => {
    const fields = await new Promise<string>((resolve, reject) => {
      const request = { owner: { userId: owner.id }, queueId: queue.id, lastEventId, block: false }
      const answer = { success: resolve, refuse: reject, isGone: false }
      Promise.resolve(second.parley.queues.poll(log, request, answer)).catch(reject)
    })
    // The fields of an answer to `GET /events`.
    const { events } = JSON.parse(`{${fields}}`) as { events: Body[] }
    return events.map((event) => (event['message'] as Body)['id'])
  }
  // Now it knows the queue, and begins with each poll when it comes.
  expect(await poll(newest)).toEqual([])
  expect(await Promise.all([poll(halfway), poll(-1)])).toEqual([[], sent])
  // Nor does a poll get what comes after something that only a later one has had.
  expect(await Promise.all([poll(-1), poll(halfway)])).toEqual([[], sent.slice(11)])
  await second.close()
})
