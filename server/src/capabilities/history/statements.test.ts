import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { statementsDuring } from '../../testing/statements.ts'

const server = useTestServer()

it('fetches any number of messages with the same database statements, at most seven', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const fetching = async (): Promise<string[]> =>
    statementsDuring(server().database, async () => {
      await ann.call('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0 })
    })
  await owner.send('news', 'topic 0', 'Hello')
  const ofOne = await fetching()
  for (let number = 1; number < 40; number += 1) {
    const id = await owner.send('news', `topic ${number}`, `@**Ann** ${number}`)
    await ann.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await owner.call('PATCH', `/messages/${id}`, { content: `@**Ann** ${number}, changed` })
    await owner.sendTo([ann.id], `Directly ${number}`)
  }
  expect(await fetching()).toEqual(ofOne)
  expect(ofOne.length).toBeLessThanOrEqual(7)
})
