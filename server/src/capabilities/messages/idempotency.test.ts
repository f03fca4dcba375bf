import { afterEach, expect, it, vi } from 'vitest'
import { blockWriter } from '../../testing/hold.ts'
import { useTestServer } from '../../testing/server.ts'
import { IDEMPOTENCY_KEY_SECONDS } from './contract/index.ts'
import { deleteExpiredSendKeys } from './jobs.ts'
import { compareNumbers, sentMessageId, sendWithKey, createTestUsers } from './testing/send-keys.ts'

const server = useTestServer()

afterEach(() => {
  vi.useRealTimers()
})

async function deleteExpiredKeys(): Promise<void> {
  const { database, logs, facts } = server().parley
  const due = await deleteExpiredSendKeys.due(database.reads, Math.floor(Date.now() / 1000), [])
  for (const { organizationId, id } of due) {
    const closing = new AbortController().signal
    await deleteExpiredSendKeys.run(
      { log: await logs.of(organizationId), reads: database.reads, server: facts, closing },
      id,
    )
  }
}

async function countKeys(organizationId: number): Promise<number> {
  const text = 'select from send_keys where organization_id = $1'
  return (await server().parley.database.pool.query(text, [organizationId])).rows.length
}

it('sends one message per idempotency key, even if the queue of the first request has ended', async () => {
  const { owner, ann, position } = await createTestUsers(server())
  const [own, anns] = [await owner.register(), await ann.register({ event_types: ['message'] })]
  const first = await sentMessageId(sendWithKey(owner, 'a', { queue_id: own.id, local_id: '1' }))
  await owner.call('DELETE', '/events', { queue_id: own.id })
  const next = await owner.register({ event_types: ['message'] })
  const before = position()
  expect(await sentMessageId(sendWithKey(owner, 'a', { queue_id: next.id, local_id: '1' }))).toBe(first)
  expect(await sentMessageId(sendWithKey(owner, 'a'))).toBe(first)
  expect(await sentMessageId(sendWithKey(owner, 'a', { read_by_sender: true }))).toBe(first)
  expect(position()).toBe(before)
  expect(await next.events()).toEqual([])
  expect(await anns.events()).toMatchObject([{ message: { id: first } }])
})

it('sends one message for concurrent requests with the same idempotency key, even across batches', async () => {
  const { organizationId, owner, ann } = await createTestUsers(server())
  const queue = await ann.register({ event_types: ['message'] })
  const sendConcurrently = async (key: string): Promise<number[]> =>
    Promise.all(Array.from({ length: 20 }, async () => sentMessageId(sendWithKey(owner, key))))
  const ids = [...new Set(await sendConcurrently('a'))]
  // Repeats the request while the first one has its message ID and waits for its turn.
  const release = await blockWriter(server().parley, { id: organizationId })
  const waiting = sendConcurrently('b')
  const other = Promise.all(
    Array.from({ length: 10 }, async (_, index) => sentMessageId(sendWithKey(owner, `other ${index}`))),
  )
  await owner.call('GET', '/users/me')
  release()
  ids.push(...new Set(await waiting), ...(await other))
  expect(ids).toHaveLength(12)
  const told = await queue.events()
  expect(told.map((event) => event['message']?.['id'])).toEqual(ids.toSorted(compareNumbers))
})

it('distinguishes idempotency keys by user, organization, and exact characters', async () => {
  const [here, there] = [await createTestUsers(server()), await createTestUsers(server())]
  const ids = [
    await sentMessageId(sendWithKey(here.owner, 'key')),
    await sentMessageId(sendWithKey(here.ann, 'key')),
    await sentMessageId(sendWithKey(here.owner, 'Key')),
    await sentMessageId(sendWithKey(here.owner, ' key')),
    await sentMessageId(sendWithKey(here.owner, 'key ')),
    // The same letter as one code point and as two.
    await sentMessageId(sendWithKey(here.owner, 'k\u00e9y')),
    await sentMessageId(sendWithKey(here.owner, 'ke\u0301y')),
  ]
  expect(new Set(ids).size).toBe(ids.length)
  const queue = await there.ann.register({ event_types: ['message'] })
  const other = await sentMessageId(sendWithKey(there.owner, 'key'))
  expect(await sentMessageId(sendWithKey(there.owner, 'key'))).toBe(other)
  expect(await queue.events()).toMatchObject([{ message: { id: other } }])
  expect(await sentMessageId(sendWithKey(here.ann, 'key'))).toBe(ids[1])
})

it('accepts idempotency keys of 1 to 100 characters', async () => {
  const { owner } = await createTestUsers(server())
  // Each emoji takes four bytes in UTF-8.
  const letters = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x20000 + index)).join('')
  const first = await sentMessageId(sendWithKey(owner, letters))
  expect(await sentMessageId(sendWithKey(owner, letters))).toBe(first)
  expect(await sentMessageId(sendWithKey(owner, '1'))).not.toBe(first)
  for (const key of ['', `${letters}x`, 'x'.repeat(101), 'a\0b', 'x'.repeat(100_000)]) {
    const { status, body } = await sendWithKey(owner, key)
    expect([key.length, status, body['code']]).toEqual([key.length, 400, 'REQUEST_VARIABLE_INVALID'])
  }
})

it('rejects a used idempotency key with different content or a different destination', async () => {
  const { owner, ann } = await createTestUsers(server())
  await owner.subscribe(['other'])
  const queue = await owner.register({ event_types: ['message'] })
  const first = await sentMessageId(sendWithKey(owner, 'a'))
  const others = [
    { content: 'Twice' },
    { content: 'Once ' },
    { topic: 'other' },
    { to: 'other' },
    { type: 'direct', to: [ann.id] },
    { widget_content: JSON.stringify({ widget_type: 'poll' }) },
  ]
  for (const other of others) {
    const { status, body } = await sendWithKey(owner, 'a', other)
    const said = [400, 'BAD_REQUEST', "This 'idempotency_key' was already used for another message."]
    expect([other, status, body['code'], body['msg']]).toEqual([other, ...said])
  }
  expect(await sentMessageId(sendWithKey(owner, 'a'))).toBe(first)
  expect(await queue.events()).toMatchObject([{ message: { id: first } }])
  // Only one of two concurrent requests succeeds.
  const both = await Promise.all(['One', 'Two'].map(async (content) => sendWithKey(owner, 'b', { content })))
  expect(both.map(({ status }) => status).toSorted(compareNumbers)).toEqual([200, 400])
})

it('recognizes the repeated key of a deleted, moved, or edited message', async () => {
  const { owner, position } = await createTestUsers(server())
  const [deleted, moved] = [
    await sentMessageId(sendWithKey(owner, 'deleted')),
    await sentMessageId(sendWithKey(owner, 'moved')),
  ]
  await owner.call('PATCH', `/messages/${moved}`, { topic: 'elsewhere', content: 'Edited' })
  await owner.call('DELETE', `/messages/${deleted}`)
  const before = position()
  expect(await sentMessageId(sendWithKey(owner, 'deleted'))).toBe(deleted)
  expect(await sentMessageId(sendWithKey(owner, 'moved'))).toBe(moved)
  expect(position()).toBe(before)
})

it('does not use up the idempotency key of a rejected message', async () => {
  const { owner, ann } = await createTestUsers(server())
  const refusals = [
    await sendWithKey(owner, 'a', { to: 'nowhere' }),
    await sendWithKey(owner, 'a', { content: ' ' }),
    await sendWithKey(owner, 'a', { queue_id: 'q' }),
    await sendWithKey(ann, 'a', { type: 'direct', to: [999_999] }),
  ]
  expect(refusals.map(({ body }) => body['code'])).toEqual([
    'STREAM_DOES_NOT_EXIST',
    'BAD_REQUEST',
    'REQUEST_VARIABLE_MISSING',
    'BAD_REQUEST',
  ])
  await owner.call('PATCH', '/realm', {
    direct_message_initiator_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
  })
  const direct = { type: 'direct', to: [owner.id] }
  expect((await sendWithKey(ann, 'b', direct)).body['code']).toBe('BAD_REQUEST')
  await owner.sendTo([ann.id], 'Go on')
  const [first, second] = [
    await sentMessageId(sendWithKey(ann, 'b', direct)),
    await sentMessageId(sendWithKey(owner, 'a')),
  ]
  expect(await sentMessageId(sendWithKey(ann, 'b', direct))).toBe(first)
  expect(await sentMessageId(sendWithKey(owner, 'a'))).toBe(second)
})

it('recognizes the repeated key of a message that would now be rejected', async () => {
  const { owner, ann } = await createTestUsers(server())
  await owner.subscribe(['secret'], { invite_only: true, principals: [owner.id, ann.id] })
  const direct = { type: 'direct', to: [owner.id] }
  const [inSecret, inGeneral, answer] = [
    await sentMessageId(sendWithKey(ann, 'a', { to: 'secret' })),
    await sentMessageId(sendWithKey(ann, 'b')),
    await sentMessageId(sendWithKey(ann, 'c', direct)),
  ]
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'], principals: [ann.id] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  await owner.call('PATCH', `/streams/${String(stream_id)}`, { new_name: 'renamed' })
  await owner.call('PATCH', '/realm', {
    direct_message_initiator_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
  })
  await owner.call('DELETE', `/messages/${answer}`)
  expect(await sentMessageId(sendWithKey(ann, 'a', { to: 'secret' }))).toBe(inSecret)
  expect(await sentMessageId(sendWithKey(ann, 'b'))).toBe(inGeneral)
  expect(await sentMessageId(sendWithKey(ann, 'c', direct))).toBe(answer)
  // Other messages are refused as usual, even with a key that was used before.
  expect((await sendWithKey(ann, 'd', { to: 'secret' })).body['code']).toBe('STREAM_DOES_NOT_EXIST')
  expect((await sendWithKey(ann, 'a', { to: 'secret', content: 'New' })).body['code']).toBe('STREAM_DOES_NOT_EXIST')
  expect((await sendWithKey(ann, 'd', direct)).body['code']).toBe('BAD_REQUEST')
})

it('recognizes repeated local IDs regardless of idempotency keys', async () => {
  const { owner, position } = await createTestUsers(server())
  const queue = await owner.register({ event_types: ['message'] })
  const local = { queue_id: queue.id, local_id: '1' }
  const first = await sentMessageId(sendWithKey(owner, 'a', local))
  const second = await sentMessageId(sendWithKey(owner, 'b', { ...local, local_id: '2' }))
  const before = position()
  expect(await owner.send('general', 'talk', 'Once', local)).toBe(first)
  // The first send needed no key, so the key is still free.
  expect(await sentMessageId(sendWithKey(owner, 'c', local))).toBe(first)
  expect(position()).toBe(before)
  expect(await sentMessageId(sendWithKey(owner, 'c'))).not.toBe(first)
  // If the key and the local ID disagree, the key wins.
  expect(await sentMessageId(sendWithKey(owner, 'b', local))).toBe(second)
  expect((await sendWithKey(owner, 'a', { ...local, content: 'New' })).body['code']).toBe('BAD_REQUEST')
  expect(await queue.events()).toMatchObject([{ local_id: '1' }, { local_id: '2' }, {}])
})

it('keeps idempotency keys for a week', async () => {
  // The server counts whole seconds.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 1000) * 1000 })
  const { organizationId, owner } = await createTestUsers(server())
  const first = await sentMessageId(sendWithKey(owner, 'a'))
  vi.setSystemTime(Date.now() + 1_000)
  const later = await sentMessageId(sendWithKey(owner, 'b'))
  vi.setSystemTime(Date.now() + (IDEMPOTENCY_KEY_SECONDS - 1) * 1_000)
  await deleteExpiredKeys()
  expect(await sentMessageId(sendWithKey(owner, 'a'))).toBe(first)
  vi.setSystemTime(Date.now() + 1_000)
  await deleteExpiredKeys()
  const again = await sentMessageId(sendWithKey(owner, 'a', { content: 'Something else' }))
  expect(again).not.toBe(first)
  expect(await sentMessageId(sendWithKey(owner, 'b'))).toBe(later)
  expect(await countKeys(organizationId)).toBe(2)
})

it('deletes many idempotency keys in batches', async () => {
  const { organizationId, owner } = await createTestUsers(server())
  await server().parley.database.pool.query(
    `insert into send_keys select $1, $2, 'key ' || n, '', n, 0 from generate_series(1, 4500) n`,
    [organizationId, owner.id],
  )
  await sentMessageId(sendWithKey(owner, 'a'))
  await deleteExpiredKeys()
  expect(await countKeys(organizationId)).toBe(1)
})
