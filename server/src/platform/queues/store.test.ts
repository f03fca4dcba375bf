import { expect, it } from 'vitest'
import { namedStatementsDuring } from '../../testing/statements.ts'
import { useTestServer } from '../../testing/server.ts'
import { queueReader } from './store.ts'

const server = useTestServer()

it('batches queue lookups and returns queues only to their owner', async () => {
  const { id, owner, user } = await server().organization()
  const ann = await user('Ann')
  const [first, second, third] = [await owner.register(), await owner.register(), await ann.register()]
  const { database, parley } = server()
  const read = queueReader(parley.database.reads)
  let found: unknown[] = []
  const statements = await namedStatementsDuring(database, async () => {
    found = await Promise.all([
      read(id, owner.id, first.id),
      read(id, owner.id, second.id),
      read(id, owner.id, third.id),
      read(id, ann.id, third.id),
      read(id, ann.id, 'absent'),
    ])
  })
  expect(found).toEqual([
    expect.objectContaining({ id: first.id, userId: owner.id }),
    expect.objectContaining({ id: second.id, userId: owner.id }),
    undefined,
    expect.objectContaining({ id: third.id, userId: ann.id }),
    undefined,
  ])
  expect(statements.map(({ name }) => name)).toEqual(['queues_by_id', 'queues_by_id'])
})

it('finds a queue even if the database rejects another lookup in the same batch', async () => {
  const { id, owner } = await server().organization()
  const { id: queueId } = await owner.register()
  const read = queueReader(server().parley.database.reads)
  const [, refused, found] = await Promise.allSettled([
    read(id, owner.id, queueId),
    read(id, owner.id, 'no text of the database: \0'),
    read(id, owner.id, queueId),
  ])
  expect(refused.status).toBe('rejected')
  expect(found).toMatchObject({ status: 'fulfilled', value: { id: queueId } })
})
