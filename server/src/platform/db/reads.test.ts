import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'

const server = useTestServer()
const WAIT_FOR_LOCK = 'select pg_advisory_xact_lock_shared(4711)'

/** Blocks statements that run `WAIT_FOR_LOCK` until the returned function is called. */
async function holdLock(): Promise<() => Promise<void>> {
  const connection = await server().parley.database.connection()
  await connection.rows('', 'select pg_advisory_lock(4711)', [])
  return async () => {
    await connection.rows('', 'select pg_advisory_unlock(4711)', [])
    connection.release(true)
  }
}

it('answers reads while a slow statement runs', async () => {
  const { reads } = server().parley.database
  const release = await holdLock()
  const slow = reads.rows('', WAIT_FOR_LOCK, [])
  let answered = 0
  const others: Promise<unknown>[] = []
  // The first reads can be queued behind the slow statement on its connection.
  await expect
    .poll(() => {
      others.push(reads.rows('', 'select 1', []).then(() => (answered += 1)))
      return answered
    })
    .toBeGreaterThan(3)
  await release()
  await Promise.all([slow, ...others])
  expect(answered).toBe(others.length)
})

it('runs one slow read per account at a time, in parallel with reads of other accounts', async () => {
  const { reads } = server().parley.database
  const release = await holdLock()
  const [ann, bob] = [reads.aside('Ann'), reads.aside('Bob')]
  const slow = ann.rows('', WAIT_FOR_LOCK, [])
  let isAnswered = false
  const next = ann.rows('', 'select 1', []).then(() => (isAnswered = true))
  expect(await bob.rows('', 'select 2 as two', [])).toEqual([{ two: 2 }])
  expect(isAnswered).toBe(false)
  await release()
  await Promise.all([slow, next])
  await expect(ann.rows('', 'select nothing', [])).rejects.toThrow('nothing')
  expect(await ann.rows('', 'select 1 as one', [])).toEqual([{ one: 1 }])
})
