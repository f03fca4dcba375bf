import { expect } from 'vitest'
import type { TestOrganization, TestServer } from '../../../testing/server.ts'
import type { TestUser } from '../../../testing/user.ts'

export async function createTeam(
  server: TestServer,
): Promise<TestOrganization & Record<'ann' | 'bob' | 'otto', TestUser>> {
  const organization = await server.organization()
  const [ann, bob, otto] = [
    await organization.user('Ann'),
    await organization.user('Bob'),
    await organization.user('Otto'),
  ]
  await organization.owner.subscribe(['team'], { principals: [organization.owner.id, ann.id, bob.id] })
  // A channel's first message has effects that these tests do not cover.
  await organization.owner.send('team', 'hello', 'First')
  return { ...organization, ann, bob, otto }
}

/** Flags in each user's message event, undefined for users who get no event. Also checks that later reads agree. */
export async function flagsInEvents(
  users: readonly TestUser[],
  send: () => Promise<number>,
): Promise<(readonly string[] | undefined)[]> {
  const queues = []
  for (const user of users) queues.push(await user.register({ event_types: ['message'] }))
  const id = await send()
  const all: (readonly string[] | undefined)[] = []
  for (const queue of queues) {
    const events = await queue.events()
    expect(events.map(({ message }) => message?.id)).toEqual(events.length === 0 ? [] : [id])
    all.push(events[0]?.flags)
  }
  const arrived = users.flatMap((user, index) => (all[index] === undefined ? [] : [{ user, flags: all[index] }]))
  for (const { user, flags } of arrived) expect(await flagsOnRead(user, id)).toEqual(flags)
  return all
}

export async function flagsOnRead(user: TestUser, id: number): Promise<readonly string[]> {
  const { message } = await user.call('GET', `/messages/${id}`)
  const { messages } = await user.call('GET', '/messages', { message_ids: [id] })
  const { flags } = message
  expect(messages.map((one) => one.flags)).toEqual([flags])
  return flags
}
