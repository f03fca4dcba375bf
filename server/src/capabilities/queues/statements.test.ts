import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { statementsDuring } from '../../testing/statements.ts'

const server = useTestServer()

it('registers with the same statements, however much there is to show', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const lives = async (number: number): Promise<void> => {
    const ben = await user(`Ben ${number}`)
    await owner.subscribe([`channel ${number}`], { principals: [ann.id, ben.id] })
    const id = await ben.send(`channel ${number}`, `topic ${number}`, '@**Ann** look')
    await ben.sendTo([ann.id, owner.id], 'Hello')
    await ann.call('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [id] })
    await ann.call('POST', '/drafts', {
      drafts: [{ type: 'private', to: [owner.id], topic: '', content: `Draft ${number}` }],
    })
  }
  const registering = async (): Promise<string[]> => statementsDuring(server().database, () => ann.register())
  await lives(0)
  const ofLittle = await registering()
  for (let number = 1; number < 10; number += 1) await lives(number)
  expect((await registering()).toSorted()).toEqual(ofLittle.toSorted())
})
