import { expect, it } from 'vitest'
import type { EventFields } from '../../testing/contract-types.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch, type EventReader } from '../../testing/watch.ts'

const server = useTestServer()

interface Fixture extends TestOrganization {
  readonly ann: TestUser
  readonly channelId: number
  readonly look: EventReader<'owner' | 'ann'>
}

async function createFixture(): Promise<Fixture> {
  const organization = await server().organization()
  const { owner, user } = organization
  const ann = await user('Ann')
  await owner.subscribe(['desk'], { invite_only: true })
  await owner.subscribe(['club'], { principals: [owner.id, ann.id], invite_only: true })
  const channelId = (await owner.call('GET', '/get_stream_id', { stream: 'desk' }))['stream_id']
  await owner.call('PATCH', '/realm', { moderation_request_channel_id: channelId })
  return { ...organization, ann, channelId, look: await watch({ owner, ann }, { event_types: ['message'] }) }
}

async function tryReporting(user: TestUser, id: number, more: Body = {}): Promise<[number, unknown]> {
  const { status, body } = await user.try('POST', `/messages/${id}/report`, { report_type: 'spam', ...more })
  return [status, body['msg']]
}

function contentOf(events: readonly EventFields[]): string {
  return events.map(({ message }) => String(message?.content)).join()
}

it('shows a reported message, its source, and the reason for the report only to moderators', async () => {
  const { owner, ann, channelId, look } = await createFixture()
  const id = await owner.send('club', 'pl*ns', '**Buy** @**all** `now`')
  await look()
  expect(await tryReporting(ann, id, { description: 'Look: ```\n# [x](/y) @**all**' })).toEqual([200, ''])
  const { owner: told, ann: others } = await look()
  expect(others).toEqual([])
  expect(told).toMatchObject([
    {
      message: { stream_id: channelId, subject: 'message reports', sender_full_name: 'Notification Bot' },
      flags: [],
    },
  ])
  const content = contentOf(told)
  expect(content).toMatch(
    new RegExp(`data-user-id="${ann.id}">Ann</span> reported a message that .*data-user-id="${owner.id}"`),
  )
  expect(content).toContain('>#club &gt; pl*ns</a>.')
  expect(content).toContain('<strong>Reason:</strong> Spam')
  expect(content).toContain('Look: ```\n# [x](/y) @**all**')
  expect(content).toContain('**Buy** @**all** `now`')
})

it('shows a reported direct message to moderators', async () => {
  const { owner, user, ann, look } = await createFixture()
  const bob = await user('Bob')
  const id = await bob.sendTo([ann.id], 'Psst')
  await look()
  expect(await tryReporting(ann, id, { report_type: 'other', description: 'Strange' })).toEqual([200, ''])
  expect(contentOf((await look()).owner)).toMatch(/sent in a direct message\..*Other reason.*Strange.*Psst/s)
  expect(await tryReporting(owner, id)).toEqual([400, 'Invalid message(s)'])
})

it('rejects invalid reports and treats hidden messages as missing', async () => {
  const { owner, user, ann, channelId, look } = await createFixture()
  const bob = await user('Bob')
  const id = await owner.send('club', 'plans', 'Hello')
  await look()
  expect(await tryReporting(bob, id)).toEqual([400, 'Invalid message(s)'])
  expect(await tryReporting(bob, 999_999)).toEqual([400, 'Invalid message(s)'])
  expect((await tryReporting(ann, id, { report_type: 'dull' }))[0]).toBe(400)
  expect(await tryReporting(ann, id, { report_type: 'other', description: ' ' })).toEqual([
    400,
    'An explanation is required for this report type.',
  ])
  expect((await tryReporting(ann, id, { description: '😀'.repeat(1_001) }))[0]).toBe(400)
  const missing = 'Moderation request channel must be specified to enable message reporting.'
  await owner.call('PATCH', `/streams/${channelId}`, { is_private: false })
  expect(await tryReporting(ann, id)).toEqual([400, missing])
  await owner.call('PATCH', `/streams/${channelId}`, { is_private: true })
  await owner.call('PATCH', '/realm', { moderation_request_channel_id: -1 })
  expect(await tryReporting(ann, id)).toEqual([400, missing])
  expect(await look()).toEqual({ owner: [], ann: [] })
  await owner.call('PATCH', '/realm', { moderation_request_channel_id: channelId })
  expect(await tryReporting(ann, id, { description: '😀'.repeat(1_000) })).toEqual([200, ''])
})
