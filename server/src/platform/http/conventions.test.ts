import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'

const server = useTestServer()

it("answers success with an empty msg and only the endpoint's fields", async () => {
  const { owner } = await server().organization()
  expect(await owner.subscribe(['general'])).toEqual({
    result: 'success',
    msg: '',
    subscribed: { [owner.id]: ['general'] },
    already_subscribed: {},
  })
  const { stream_id, ...rest } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  expect(rest).toEqual({ result: 'success', msg: '' })
  const topic = { stream_id, topic: 'hello', visibility_policy: 1 }
  expect(await owner.call('POST', '/user_topics', topic)).toEqual({ result: 'success', msg: '' })
})

it('returns times in whole seconds', async () => {
  const { owner } = await server().organization()
  const began = Math.floor(Date.now() / 1000)
  await owner.subscribe(['general'])
  const queue = await owner.register()
  const id = await owner.send('general', 'hello', 'first')
  await owner.call('PATCH', `/messages/${id}`, { content: 'second', topic: 'bye' })
  const { streams } = await owner.call('GET', '/streams')
  const { message } = await owner.call('GET', `/messages/${id}`)
  const { message_history } = await owner.call('GET', `/messages/${id}/history`)
  const events = await queue.events()
  const ended = Math.ceil(Date.now() / 1000)
  const { timestamp, last_edit_timestamp, last_moved_timestamp, edit_history = [] } = message
  const times = [
    ...streams.map((channel) => channel['date_created']),
    timestamp,
    last_edit_timestamp,
    last_moved_timestamp,
    ...[...edit_history, ...message_history].map((entry) => entry['timestamp']),
    ...events.map((event) => event['message']?.['timestamp'] ?? event['edit_timestamp'] ?? began),
  ]
  expect(edit_history).not.toHaveLength(0)
  expect(times).toHaveLength(4 + edit_history.length + message_history.length + events.length)
  for (const time of times) {
    expect(Number.isInteger(time)).toBe(true)
    expect(time).toBeGreaterThanOrEqual(began)
    expect(time).toBeLessThanOrEqual(ended)
  }
})
