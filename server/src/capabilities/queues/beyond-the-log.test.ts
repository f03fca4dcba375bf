import { expect, it } from 'vitest'
import { startTestServer, startTestServerOn } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'

it('ends a queue whose position is beyond the end of the log', async () => {
  const first = await startTestServer({}, { shared: true })
  const second = await startTestServerOn(first.database, {}, { shared: true })
  try {
    const { owner } = await first.organization()
    const { id } = await owner.register({ event_types: ['message'] })
    // Simulates a failover to a database whose log ends before the client's start position.
    await first.parley.database.pool.query('update queues set start_position = start_position + 1 where id = $1', [id])
    const elsewhere = new TestUser(second.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
    const asked = { queue_id: id, last_event_id: -1, dont_block: true }
    expect((await elsewhere.try('GET', '/events', asked)).body['code']).toBe('BAD_EVENT_QUEUE_ID')
  } finally {
    await second.close()
    await first.close()
  }
})
