import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'

const server = useTestServer()

it('delivers a channel message to its subscribers and to nobody else', async () => {
  const { owner, user } = await server().organization()
  const reader = await user('Rita Reader')
  const outsider = await user('Otto Outsider')
  await owner.subscribe(['general'], { principals: [owner.id, reader.id] })
  const [readerQueue, outsiderQueue] = [await reader.register(), await outsider.register()]
  const id = await owner.send('general', 'hello', 'Hello **world**')
  const events = await readerQueue.events()
  expect(events).toMatchObject([
    {
      type: 'message',
      flags: [],
      message: { id, content: '<p>Hello <strong>world</strong></p>', subject: 'hello', display_recipient: 'general' },
    },
    { type: 'stream', op: 'update', property: 'first_message_id', value: id },
  ])
  expect(await outsiderQueue.events()).toMatchObject([{ type: 'stream', op: 'update' }])
  expect(await readerQueue.events()).toEqual([])
})

it('lists messages of a channel around an anchor with the flags of the reader', async () => {
  const { owner, user } = await server().organization()
  const reader = await user('Rita Reader')
  await owner.subscribe(['general'], { principals: [owner.id, reader.id] })
  const ids: number[] = []
  for (let index = 0; index < 5; index += 1) ids.push(await owner.send('general', 'hello', `Message ${index}`))
  const { messages, found_oldest, found_newest } = await reader.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 3,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: 'general' }],
  })
  expect((messages as { id: number }[]).map((message) => message.id)).toEqual(ids.slice(2))
  expect([found_oldest, found_newest]).toEqual([false, true])
})

it('sends a direct message to exactly the people named', async () => {
  const { owner, user } = await server().organization()
  const [friend, other] = [await user('Fred Friend'), await user('Otto Other')]
  const [friendQueue, otherQueue, ownQueue] = [await friend.register(), await other.register(), await owner.register()]
  const id = await owner.sendTo([friend.id], 'psst')
  expect(await friendQueue.events()).toMatchObject([{ type: 'message', message: { id, type: 'private' } }])
  expect(await ownQueue.events()).toMatchObject([{ type: 'message', message: { id } }])
  expect(await otherQueue.events()).toEqual([])
})

it('wakes a parked poll', async () => {
  const { owner, user } = await server().organization()
  const friend = await user('Fred Friend')
  const queue = await friend.register({ event_types: ['message'] })
  const waiting = queue.next()
  const id = await owner.sendTo([friend.id], 'psst')
  expect(await waiting).toMatchObject([{ type: 'message', message: { id } }])
})
