import { expect, it } from 'vitest'
import { CLOSE_AT_ONCE, messageContents, isOpen, createOrganizationOn, whileClosing } from '../../testing/closing.ts'
import { stopClock } from '../../testing/held-time.ts'
import { startTestServer, startTestServerOn, type TestServer } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'

function userAt({ parley }: TestServer, { host, email, apiKey, id }: TestUser): TestUser {
  return new TestUser(parley.url, host, email, apiKey, id)
}

it('keeps an organization loaded for the configured idle time', async () => {
  const time = stopClock()
  const patient = await startTestServer({ PARLEY_ORGANIZATION_IDLE_SECONDS: '300' })
  try {
    const organization = await createOrganizationOn(patient)
    time.pass(299)
    await patient.parley.logs.closeUnused()
    expect(isOpen(patient, organization)).toBe(true)
    await organization.owner.call('GET', '/users')
    time.pass(299)
    await patient.parley.logs.closeUnused()
    expect(isOpen(patient, organization)).toBe(true)
    await expect
      .poll(async () => {
        time.pass(301)
        await patient.parley.logs.closeUnused()
        return isOpen(patient, organization)
      })
      .toBe(false)
  } finally {
    time.release()
    await patient.close()
  }
})

it('loses no events or revocations between two nodes that keep unloading organizations', async () => {
  const nodes = [await startTestServer(CLOSE_AT_ONCE, { shared: true })]
  try {
    const [first] = nodes
    if (first === undefined) throw new Error('the first server runs')
    const second = await startTestServerOn(first.database, CLOSE_AT_ONCE, { shared: true })
    nodes.push(second)
    const organization = await createOrganizationOn(first)
    const { owner, user } = organization
    const there = userAt(second, owner)
    const queue = await there.register({ event_types: ['message'], apply_markdown: false })
    const [seen, refused]: [unknown[], unknown[]] = [[], []]
    const closings = await whileClosing(nodes, async () => {
      for (let index = 0; index < 25; index += 1) {
        await owner.send('general', 'talk', `Message ${index}`)
        const member = await user(`Member ${index}`)
        const elsewhere = userAt(second, member)
        await elsewhere.call('GET', '/users/me')
        await owner.call('DELETE', `/users/${member.id}`)
        refused.push((await elsewhere.try('GET', '/users/me')).body['code'])
        seen.push(...messageContents(await queue.events()))
      }
      await expect
        .poll(async () => {
          seen.push(...messageContents(await queue.events()))
          return seen.length
        })
        .toBe(25)
    })
    expect(closings).toBeGreaterThan(10)
    expect(refused).toEqual(refused.map(() => 'USER_DEACTIVATED'))
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `Message ${index}`))
  } finally {
    for (const node of nodes.toReversed()) await node.close()
  }
})
