import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'

const server = useTestServer()

async function flagsOf(user: TestUser, id: number): Promise<unknown> {
  const { message } = await user.call('GET', `/messages/${id}`)
  return (message as Body)['flags']
}

it('sets and takes away personal flags, and tells only the clients of that user', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const [first, second] = [await owner.send('news', 'hello', 'one'), await owner.send('news', 'hello', 'two')]
  const [own, others] = [await ann.register(), await owner.register()]
  for (const flag of ['read', 'starred', 'collapsed']) {
    const answer = await ann.call('POST', '/messages/flags', { messages: [second, first, first], op: 'add', flag })
    expect(answer['messages']).toEqual([first, second])
    expect(await own.events()).toMatchObject([
      { type: 'update_message_flags', op: 'add', operation: 'add', flag, messages: [first, second], all: false },
    ])
  }
  expect(await flagsOf(ann, first)).toEqual(['read', 'starred', 'collapsed'])
  expect(await flagsOf(owner, first)).toEqual([])
  const { state } = await ann.register()
  expect(state['starred_messages']).toEqual([first, second])

  await ann.call('POST', '/messages/flags', { messages: [first], op: 'remove', flag: 'starred' })
  await ann.call('POST', '/messages/flags', { messages: [first], op: 'remove', flag: 'read' })
  expect(await own.events()).toMatchObject([
    { op: 'remove', flag: 'starred', messages: [first] },
    {
      op: 'remove',
      flag: 'read',
      messages: [first],
      message_details: { [first]: { type: 'stream', topic: 'hello' } },
    },
  ])
  expect(await flagsOf(ann, first)).toEqual(['collapsed'])
  expect(await flagsOf(ann, second)).toEqual(['read', 'starred', 'collapsed'])
  expect(await others.events()).toEqual([])
})

it('refuses flags that the server sets, and messages that are hidden or absent alike', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const id = await owner.sendTo([owner.id], 'to myself')
  const own = await owner.sendTo([ann.id], 'to Ann')
  const queue = await ann.register()
  const attempt = async (messages: unknown, flag: string): Promise<unknown[]> => {
    const { status, body } = await ann.try('POST', '/messages/flags', { messages, op: 'add', flag })
    return [status, body]
  }
  for (const flag of ['mentioned', 'has_alert_word', 'historical', 'nonsense', '']) {
    expect((await attempt([own], flag))[0]).toBe(400)
  }
  expect(await attempt([id], 'starred')).toEqual(await attempt([999_999], 'starred'))
  // One that may not be read refuses the whole request, so that nothing is half done.
  expect((await attempt([own, id], 'starred'))[0]).toBe(400)
  expect(await queue.events()).toEqual([])
  expect(await flagsOf(ann, own)).toEqual([])
})

it('leaves read what is in a channel without a subscription, and says so', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'])
  const message = await owner.send('news', 'hello', 'one')
  const { streams } = await owner.call('GET', '/streams')
  const newsId = (streams as Body[])[0]?.['stream_id']
  const queue = await ann.register()
  const answer = await ann.call('POST', '/messages/flags', { messages: [message], op: 'remove', flag: 'read' })
  expect(answer).toMatchObject({ messages: [message], ignored_because_not_subscribed_channels: [newsId] })
  expect(await queue.events()).toEqual([])
})

it('keeps many marks that arrive together apart', async () => {
  const { owner, user } = await server().organization()
  const people = await Promise.all(['Ann', 'Ben', 'Cleo'].map((name) => user(name)))
  await owner.subscribe(['news'], { principals: people.map((one) => one.id) })
  await owner.subscribe(['news'])
  const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => owner.send('news', `t${index % 3}`, 'x')))
  await Promise.all(
    people.flatMap((one) => [
      ...ids.map((id) => one.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })),
      one.try('POST', '/messages/flags', { messages: [999_999], op: 'add', flag: 'read' }),
    ]),
  )
  for (const one of people) {
    const { state } = await one.register({ event_types: ['message', 'update_message_flags'] })
    expect((state['unread_msgs'] as Body)['count']).toBe(0)
  }
})
