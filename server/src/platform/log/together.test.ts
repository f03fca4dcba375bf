import { expect, it } from 'vitest'
import { alertWordsChanged } from '../../capabilities/alert-words/contract.ts'
import type { Invalidation } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { SharedActorTx } from '../../kernel/transaction.ts'
import type { Subject } from './overlap.ts'
import { startTestServerOn, useTestServer } from '../../testing/server.ts'

const server = useTestServer()
const subjectOf = (thing: string): Subject => ({ kind: 'test', of: [thing] })
const invalidation: Invalidation<string> = { name: 'test' }

it('keeps the changes of an action when another action in the same transaction fails', async () => {
  const { id, owner } = await server().organization()
  const log = await server().parley.logs.of(id)
  const other = await startTestServerOn(server().database)
  const there = await other.parley.logs.of(id)
  const actor = { userId: owner.id, role: 100 as const, client: 'test' }
  const changed = log.actInSharedTransaction(actor, subjectOf('a'), async (tx) => {
    tx.invalidate(invalidation, 'Changed')
    return Promise.resolve()
  })
  const refused = log.actInSharedTransaction(actor, subjectOf('b'), async (tx) => {
    tx.emit(alertWordsChanged, { alert_words: [] }, { users: [owner.id] })
    return Promise.reject(new ApiError('BAD_REQUEST', 'no'))
  })
  await changed
  await expect(refused).rejects.toThrow('no')
  await there.follower.catchUp()
  for (const { organization } of [log, there]) {
    expect(organization.invalidatedSince(invalidation, 0)).toEqual(['Changed'])
  }
  await other.close()
})

it('lets batches of shareable actions take turns with waiting exclusive actions', async () => {
  const { id, owner } = await server().organization()
  const log = await server().parley.logs.of(id)
  const actor = { userId: owner.id, role: 100 as const, client: 'test' }
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const first = log.act(actor, async () => {
    begin()
    await released
  })
  await begun
  const ran: string[] = []
  const transactions = new Map<string, string | undefined>()
  const note = (name: string) => async (tx: SharedActorTx) => {
    ran.push(name)
    const [row] = await tx.db.rows<{ id: string }>('', 'select pg_current_xact_id()::text as id', [])
    transactions.set(name, row?.id)
  }
  const slow = async (tx: SharedActorTx): Promise<void> => {
    const until = performance.now() + 60
    while (performance.now() < until);
    await note('slow')(tx)
  }
  const all = [
    log.actInSharedTransaction(actor, subjectOf('one'), note('one')),
    log.act(actor, note('alone')),
    log.actInSharedTransaction(actor, subjectOf('two'), note('two')),
    log.act(actor, note('alone, too')),
    log.actInSharedTransaction(actor, subjectOf('slow'), slow),
    log.actInSharedTransaction(actor, subjectOf('later'), note('later')),
  ]
  release()
  await Promise.all([first, ...all])
  expect(ran).toEqual(['one', 'two', 'slow', 'alone', 'later', 'alone, too'])
  const [one, two, late] = ['one', 'two', 'later'].map((name) => transactions.get(name))
  expect(one).toBe(two)
  // A slow action delays only its own transaction.
  expect(late).not.toBe(one)
})

it('undoes only failed actions of a batch, and answers each action separately', async () => {
  const { owner, user } = await server().organization()
  const people = await Promise.all(['Ann', 'Ben', 'Cem', 'Dan'].map((name) => user(name)))
  await owner.subscribe(['news'], { principals: [owner, ...people].map(({ id }) => id) })
  const messages: number[] = []
  for (let index = 0; index < 6; index += 1) messages.push(await owner.send('news', 'hello', `Message ${index}`))
  await people[0]?.call('POST', `/messages/${messages[0]}/reactions`, { emoji_name: 'tada' })
  const queue = await owner.register({ event_types: ['reaction', 'update_message'] })
  const reacted = people.flatMap((person) =>
    messages.map(async (id) => person.try('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })),
  )
  const edited = messages.map(async (id) => owner.try('PATCH', `/messages/${id}`, { content: `Changed ${id}` }))
  const twice = messages.map(async (id) => people[1]?.try('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' }))
  const again = messages.map(async (id) => people[1]?.try('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' }))
  const refused = (await Promise.all([...reacted, ...edited, ...twice, ...again])).filter(
    (answer) => answer?.status !== 200,
  )
  // One reaction already existed, and one of each pair of hearts is a duplicate.
  expect(refused.map((answer) => answer?.body['code'])).toEqual(Array(7).fill('REACTION_ALREADY_EXISTS'))
  const events = await queue.events()
  const told = events.map(
    (event) =>
      `${event['type']} ${String(event['message_id'])} ${String(event['user_id'])} ${String(event['emoji_name'])}`,
  )
  expect(new Set(told).size).toBe(told.length)
  expect(told.length).toBe(people.length * messages.length - 1 + messages.length * 2)
  const { messages: shown } = await owner.call('GET', '/messages', { anchor: 'newest', num_before: 6, num_after: 0 })
  for (const message of shown) {
    expect(message.content).toBe(`<p>Changed ${message.id}</p>`)
    expect(message.reactions.length).toBe(people.length + 1)
  }
})
