import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effort } from '../../testing/effort.ts'
import { useTestServer } from '../../testing/server.ts'
import { compareNumbers, sentMessageId, sendWithKey, createTestUsers } from './testing/send-keys.ts'

const server = useTestServer()

/** Steps of a client with an outbox: sends with keys, repeatedly and concurrently, while messages are deleted. */
const clientStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ sends: fc.array(fc.nat(5), { minLength: 1, maxLength: 4 }), by: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ deletes: fc.nat(5), by: fc.nat(1) }) },
)

it('sends one message per idempotency key in any order of requests', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(clientStep, { maxLength: 25 }), async (steps) => {
      const { owner, ann } = await createTestUsers(server())
      const people = [owner, ann]
      const queue = await owner.register({ event_types: ['message'] })
      const known = new Map<string, number>()
      for (const { by, ...what } of steps) {
        const user = people[by] ?? owner
        if ('deletes' in what) {
          const id = known.get(`${user.id} ${what.deletes}`)
          if (id !== undefined) await owner.try('DELETE', `/messages/${id}`)
          continue
        }
        const answers = await Promise.all(what.sends.map(async (key) => sentMessageId(sendWithKey(user, `${key}`))))
        for (const [index, key] of what.sends.entries()) {
          const name = `${user.id} ${key}`
          known.set(name, known.get(name) ?? answers[index] ?? 0)
          expect(answers[index]).toBe(known.get(name))
        }
      }
      const told = (await queue.events()).map((event) => event['message']?.['id'])
      expect(told).toEqual([...known.values()].toSorted(compareNumbers))
    }),
    { numRuns: effort(20) },
  )
})
