import { channels, messages, queues } from '@parley/server/contract'
import { expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { call, isInAnswer } from './index.ts'

const server = useTestServer({ PARLEY_ROOT_DOMAIN: '' })

it('tells which events an answer holds already', async () => {
  const { owner } = await server().organization('Root', { stringId: '' })
  const credentials = { url: owner.url, email: owner.email, apiKey: owner.apiKey }
  await owner.subscribe(['general'])
  const begun = await call(credentials, queues.registerQueue, { client_capabilities: { log_position: true } })
  const { queue_id: queueId, log_position: start } = begun
  if (queueId === null || start === undefined) throw new Error('it is logged in and asks for the position')
  await owner.send('general', 'hello', 'Held')
  const positions: number[] = []
  const onPosition = (position: number): unknown => positions.push(position)
  const { stream_id } = await call(credentials, channels.getStreamId, { stream: 'general' }, { onPosition })
  await call(credentials, messages.getStreamTopics, { stream_id }, { onPosition })
  await owner.send('general', 'hello', 'Later')
  const { events } = await call(credentials, queues.getEvents, { queue_id: queueId, dont_block: true }, { onPosition })
  const told = events.filter(({ type }) => type === 'message')
  expect(positions).toHaveLength(2)
  expect(told.map(({ id }) => positions.map((position) => isInAnswer(start, id, position)))).toEqual([
    [true, true],
    [false, false],
  ])
})
