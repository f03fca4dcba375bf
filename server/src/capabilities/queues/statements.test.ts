import { expect, it } from 'vitest'
import { startTestServer, startTestServerOn, useTestServer } from '../../testing/server.ts'
import { statementsDuring } from '../../testing/statements.ts'
import { TestUser } from '../../testing/user.ts'

const server = useTestServer()

it('runs the same database statements to register a queue regardless of the amount of data', async () => {
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

it('loads an organization once for concurrent requests after a restart', async () => {
  const first = await startTestServer()
  const { owner, user } = await first.organization()
  const everybody = [owner, ...(await Promise.all(['Ann', 'Ben', 'Cleo'].map((name) => user(name))))]
  await first.close()
  const second = await startTestServerOn(first.database)
  const statements = await statementsDuring(first.database, async () => {
    const back = everybody.map(
      ({ host, email, apiKey, id }) => new TestUser(second.parley.url, host, email, apiKey, id),
    )
    const answers = await Promise.all(back.map((one) => one.call('GET', '/users/me')))
    expect(answers.map(({ user_id }) => user_id)).toEqual(everybody.map(({ id }) => id))
  })
  expect(statements.filter((text) => text.includes('"string_id" = '))).toHaveLength(1)
  expect(statements.filter((text) => text.includes('from "users"'))).toHaveLength(1)
  await second.close()
})
