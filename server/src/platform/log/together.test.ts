import { expect, it } from 'vitest'
import { alertWordsChanged } from '../../capabilities/alert-words/contract.ts'
import { writeUser } from '../../capabilities/users/actions/index.ts'
import { usersProjection } from '../../capabilities/users/queries/index.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { startTestServerOn, useTestServer } from '../../testing/server.ts'

const server = useTestServer()

it('keeps what one action changed when another in the same transaction announces something and then fails', async () => {
  const { id, owner, user } = await server().organization()
  const ann = await user('Ann Able')
  const log = await server().parley.logs.of(id)
  const other = await startTestServerOn(server().database)
  const there = await other.parley.logs.of(id)
  const actor = { userId: owner.id, role: 100 as const, client: 'test' }
  const renamed = log.actTogether(actor, async (tx) => {
    const before = tx.organization.of(usersProjection).byId.get(ann.id)
    if (before === undefined) throw new Error('it was made above')
    await writeUser(tx, { ...before, fullName: 'Ann Other' })
  })
  const refused = log.actTogether(actor, async (tx) => {
    tx.emit(alertWordsChanged, { alert_words: [] }, { users: [owner.id] })
    return Promise.reject(new Refusal('BAD_REQUEST', 'no'))
  })
  await renamed
  await expect(refused).rejects.toThrow('no')
  await there.follower.catchUp()
  for (const { organization } of [log, there]) {
    expect(organization.of(usersProjection).byId.get(ann.id)?.fullName).toBe('Ann Other')
  }
  await other.close()
})
