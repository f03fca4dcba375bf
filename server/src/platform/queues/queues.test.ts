import { expect, it } from 'vitest'
import { startTestServer, startTestServerOn } from '../../testing/server.ts'
import { TestUser, type Body } from '../../testing/user.ts'

it('starts again for a client that goes back while an earlier poll of it is still being answered', async () => {
  const first = await startTestServer()
  const { owner } = await first.organization()
  await owner.subscribe(['general'])
  const queue = await owner.register({ event_types: ['message'] })
  const sent: number[] = []
  for (let count = 0; count < 20; count += 1) sent.push(await owner.send('general', 'back', `Message ${count}`))
  const halfway = Number((await queue.events())[10]?.['id'])
  await first.close()

  // A server that knows nothing of the queue reads the log for each poll.
  const second = await startTestServerOn(first.database)
  const client = new TestUser(second.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
  const poll = async (lastEventId: number): Promise<unknown[]> => {
    const parameters = { queue_id: queue.id, last_event_id: lastEventId, dont_block: true }
    const { events } = await client.call('GET', '/events', parameters)
    return (events as Body[]).map((event) => (event['message'] as Body)['id'])
  }
  const [, again] = await Promise.all([poll(halfway), poll(-1)])
  expect(again).toEqual(sent)
  await second.close()
})
