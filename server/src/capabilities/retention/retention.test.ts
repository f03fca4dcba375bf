import pg from 'pg'
import { expect, it } from 'vitest'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { changeSettings } from '../organizations/testing/settings.ts'
import type { TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { deleteExpiredMessages } from './jobs.ts'

const server = useTestServer()

async function createFixture(): Promise<TestOrganization & { ann: TestUser; bob: TestUser }> {
  const organization = await server().organization()
  const { owner, user } = organization
  const [ann, bob] = [await user('Ann'), await user('Bob')]
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  return { ...organization, ann, bob }
}

async function backdateMessages({ id }: TestOrganization, messageIds: readonly number[], days: number): Promise<void> {
  const client = new pg.Client(server().database)
  await client.connect()
  await client.query(
    'update messages set date_sent = date_sent - $3::bigint where organization_id = $1 and id = any($2)',
    [id, messageIds, Math.round(days * 86_400)],
  )
  await client.end()
}

async function runDeletion({ id }: TestOrganization): Promise<void> {
  const { logs, database, facts } = server().parley
  const { reads } = database
  const due = await deleteExpiredMessages.due(reads, Math.floor(Date.now() / 1000), [])
  const context = { log: await logs.of(id), reads, server: facts, closing: new AbortController().signal }
  for (const one of due) if (one.organizationId === id) await deleteExpiredMessages.run(context, one.id)
}

async function remainingIds(user: TestUser): Promise<number[]> {
  const { messages } = await user.call('GET', '/messages', { anchor: 'newest', num_before: 500, num_after: 0 })
  return messages.map((message) => message['id'])
}

it("deletes messages older than the organization's retention period and notifies their readers", async () => {
  const organization = await createFixture()
  const { id, owner, ann, bob } = organization
  const old = [await ann.send('general', 'plans', 'Old'), await ann.sendTo([owner.id], 'Old')]
  const young = [await ann.send('general', 'plans', 'Young'), await ann.sendTo([owner.id], 'Young')]
  await owner.call('POST', `/messages/${old[0]}/reactions`, { emoji_name: 'tada' })
  await owner.call('POST', '/messages/flags', { messages: old, op: 'add', flag: 'starred' })
  await backdateMessages(organization, old, 7.01)
  await backdateMessages(organization, young, 6.99)
  const look = await watch({ owner, ann, bob }, { event_types: ['delete_message'] })
  await runDeletion(organization)
  expect(await remainingIds(owner)).toEqual([...old, ...young].toSorted((a, b) => a - b))
  await changeSettings(server().parley, id, { message_retention_days: 7 })
  await runDeletion(organization)
  expect(await remainingIds(owner)).toEqual(young)
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  const told = [
    { type: 'delete_message', message_type: 'stream', stream_id, topic: 'plans', message_ids: [old[0]] },
    { type: 'delete_message', message_type: 'private', message_ids: [old[1]] },
  ]
  const seen = await look()
  expect(seen.owner).toHaveLength(2)
  expect(seen.owner).toEqual(expect.arrayContaining(told))
  expect(seen.ann).toEqual(seen.owner)
  expect(seen.bob).toEqual([])
  const { state } = await owner.register()
  expect(state['starred_messages']).toEqual([])
  await runDeletion(organization)
  expect(await look()).toEqual({ owner: [], ann: [], bob: [] })
})

it('notifies people who block a sender only of messages that they received', async () => {
  const organization = await createFixture()
  const { id, ann, bob } = organization
  const before = await bob.sendTo([ann.id], 'Before the block')
  await ann.call('POST', `/users/me/blocked_users/${bob.id}`)
  const withheld = await bob.sendTo([ann.id], 'Withheld')
  await backdateMessages(organization, [before, withheld], 8)
  await changeSettings(server().parley, id, { message_retention_days: 7 })
  const look = await watch({ ann, bob }, { event_types: ['delete_message'] })
  await runDeletion(organization)
  expect(await look()).toMatchObject({ ann: [{ message_ids: [before] }], bob: [{ message_ids: [before, withheld] }] })
})

it("applies a channel's own retention period instead of the organization's", async () => {
  const organization = await createFixture()
  const { id, owner } = organization
  await owner.subscribe(['for ever'], { message_retention_days: 'unlimited' })
  await owner.subscribe(['short'], { message_retention_days: 2 })
  const forEver = await owner.send('for ever', 'plans', 'Old')
  const short = await owner.send('short', 'plans', 'Old')
  const usual = await owner.send('general', 'plans', 'Old')
  await backdateMessages(organization, [forEver, short, usual], 5)
  await runDeletion(organization)
  expect(await remainingIds(owner)).toEqual([forEver, usual])
  await changeSettings(server().parley, id, { message_retention_days: 4 })
  await runDeletion(organization)
  expect(await remainingIds(owner)).toEqual([forEver])
})

it('deletes messages in batches and notifies only people who could read them', async () => {
  const organization = await createFixture()
  const { owner, bob } = organization
  await owner.subscribe(['secret'], {
    invite_only: true,
    history_public_to_subscribers: false,
    message_retention_days: 3,
  })
  const sent = await Promise.all(
    Array.from({ length: 230 }, async (_, index) => owner.send('secret', 'plans', `Number ${index}`)),
  )
  await owner.subscribe(['secret'], { principals: [bob.id] })
  const last = await owner.send('secret', 'plans', 'For Bob too')
  await backdateMessages(organization, [...sent, last], 4)
  const look = await watch({ owner, bob }, { event_types: ['delete_message'] })
  await runDeletion(organization)
  expect(await remainingIds(owner)).toEqual([])
  const told = await look()
  expect(told.owner.flatMap((event) => event['message_ids'])).toHaveLength(231)
  expect(told.bob.map((event) => event['message_ids'])).toEqual([[last]])
})
