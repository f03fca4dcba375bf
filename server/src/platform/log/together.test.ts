import { expect, it } from 'vitest'
import { alertWordsChanged } from '../../capabilities/alert-words/contract.ts'
import type { Invalidation } from '../../kernel/invalidation.ts'
import { Refusal } from '../../kernel/refusal.ts'
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
