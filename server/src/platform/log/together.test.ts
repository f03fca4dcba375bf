import { expect, it } from 'vitest'
import { alertWordsChanged } from '../../capabilities/alert-words/contract.ts'
import type { Invalidation } from '../../kernel/invalidation.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { SharedActorTx } from '../../kernel/transaction.ts'
import { startTestServerOn, useTestServer } from '../../testing/server.ts'

const server = useTestServer()
const invalidation: Invalidation<string> = { name: 'test' }

it('keeps what one action changed when another in the same transaction announces something and then fails', async () => {
  const { id, owner } = await server().organization()
  const log = await server().parley.logs.of(id)
  const other = await startTestServerOn(server().database)
  const there = await other.parley.logs.of(id)
  const actor = { userId: owner.id, role: 100 as const, client: 'test' }
  const changed = log.actTogether(actor, async (tx) => {
    tx.invalidate(invalidation, 'Changed')
    return Promise.resolve()
  })
  const refused = log.actTogether(actor, async (tx) => {
    tx.emit(alertWordsChanged, { alert_words: [] }, { users: [owner.id] })
    return Promise.reject(new Refusal('BAD_REQUEST', 'no'))
  })
  await changed
  await expect(refused).rejects.toThrow('no')
  await there.follower.catchUp()
  for (const { organization } of [log, there]) {
    expect(organization.invalidatedSince(invalidation, 0)).toEqual(['Changed'])
  }
  await other.close()
})

it('lets those that may share a transaction share it, whatever waits between them, in turns with others', async () => {
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
  const transactions = new Map<string, object>()
  const note = (name: string) => async (tx: SharedActorTx) => {
    ran.push(name)
    transactions.set(name, tx.db)
    return Promise.resolve()
  }
  const slow = async (tx: SharedActorTx): Promise<void> => {
    await note('slow')(tx)
    const until = performance.now() + 60
    while (performance.now() < until);
  }
  const all = [
    log.actTogether(actor, note('one')),
    log.act(actor, note('alone')),
    log.actTogether(actor, note('two')),
    log.act(actor, note('alone, too')),
    log.actTogether(actor, slow),
    log.actTogether(actor, note('later')),
  ]
  release()
  await Promise.all([first, ...all])
  expect(ran).toEqual(['one', 'two', 'slow', 'alone', 'later', 'alone, too'])
  const [one, two, late] = ['one', 'two', 'later'].map((name) => transactions.get(name))
  expect(one).toBe(two)
  // What is slow holds up only what shares its transaction.
  expect(late).not.toBe(one)
})
