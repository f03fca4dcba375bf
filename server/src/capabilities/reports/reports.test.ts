import pg from 'pg'
import { expect, it } from 'vitest'
import { runJob } from '../../testing/jobs.ts'
import type { EventFields } from '../../testing/contract-types.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { watch, type EventReader } from '../../testing/watch.ts'
import { REPORT_ENTRY_LIMIT, REPORT_RATE, type MessageReport } from './contract.ts'
import { deleteExpiredReports } from './jobs.ts'

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
  const { owner, user, ann, channelId, look } = await createFixture()
  const bob = await user('Bob')
  await ann.subscribe(['club'], { principals: [bob.id] })
  const id = await bob.send('club', 'pl*ns', '**Buy** @**all** `now`')
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
    new RegExp(`data-user-id="${ann.id}">Ann</span> reported a message that .*data-user-id="${bob.id}"`),
  )
  expect(content).toContain('>#club &gt; pl*ns</a>.')
  expect(content).toContain('<strong>Reason:</strong> Spam')
  expect(content).toContain('Look: ```\n# [x](/y) @**all**')
  expect(content).toContain('**Buy** @**all** `now`')
  const own = await owner.send('club', 'plans', 'By a reader of the reports')
  await look()
  expect(await tryReporting(ann, own)).toEqual([200, ''])
  expect(await look()).toEqual({ owner: [], ann: [] })
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

const REPORT_EVENTS = { client_capabilities: { message_reports: true }, event_types: ['message_reports'] }

async function openReports(user: TestUser, state = 'open'): Promise<readonly MessageReport[]> {
  return (await user.call('GET', '/message_reports', { state })).reports
}

interface ModeratorsFixture extends Fixture {
  readonly mia: TestUser
  readonly max: TestUser
  readonly bob: TestUser
}

/** Mia and Max are moderators; neither is in `club`. */
async function createModerators(): Promise<ModeratorsFixture> {
  const fixture = await createFixture()
  const [mia, max] = [await fixture.user('Mia', { role: 300 }), await fixture.user('Max', { role: 300 })]
  const bob = await fixture.user('Bob')
  await fixture.owner.subscribe(['square'], { principals: [fixture.owner.id, fixture.ann.id, bob.id] })
  return { ...fixture, mia, max, bob }
}

it('keeps a reported message as it was, and shows it to moderators who can read it', async () => {
  const { owner, ann, mia, max, bob } = await createModerators()
  const look = await watch({ owner, mia, max, ann, bob }, REPORT_EVENTS)
  const id = await bob.send('square', 'plans', 'Buy now')
  expect(await tryReporting(ann, id, { description: ' Again ' })).toEqual([200, ''])
  const report = {
    message_id: id,
    topic: 'plans',
    sender_id: bob.id,
    content: 'Buy now',
    state: 'new',
    assignee_id: null,
  }
  const told = [{ type: 'message_reports', op: 'update', report: { ...report, reasons: ['spam'], reporter_count: 1 } }]
  const seen = await look()
  expect(seen).toMatchObject({ owner: told, mia: told, max: told, ann: [], bob: [] })
  await bob.call('PATCH', `/messages/${id}`, { content: 'Hello' })
  await owner.call('DELETE', `/messages/${id}`)
  expect(await openReports(mia)).toEqual([seen.mia[0]?.['report']])
  const reportId = (await openReports(mia))[0]?.report_id ?? 0
  const { entries } = await mia.call('GET', `/message_reports/${reportId}`)
  expect(entries).toMatchObject([{ user_id: ann.id, kind: 'reported', reason: 'spam', content: 'Again' }])
  for (const user of [ann, bob]) {
    const rejected = { code: 'BAD_REQUEST', msg: 'Must be an organization moderator' }
    for (const path of ['/message_reports', `/message_reports/${reportId}`, '/message_reports/1'] as const) {
      expect((await user.try('GET', path)).body).toMatchObject(rejected)
    }
  }
})

it('hides reports from moderators who sent the message or cannot read it, as if they did not exist', async () => {
  const { owner, ann, mia, max, bob } = await createModerators()
  const look = await watch({ owner, mia, max }, REPORT_EVENTS)
  const inClub = await ann.send('club', 'plans', 'Secret')
  const byMia = await mia.send('square', 'plans', 'By a moderator')
  const direct = await bob.sendTo([ann.id], 'Psst')
  await tryReporting(owner, inClub)
  await tryReporting(ann, byMia)
  await tryReporting(ann, direct)
  const seen = await look()
  const idsOf = (events: readonly EventFields[]): unknown[] =>
    events.map(({ report }) => (report as MessageReport).message_id)
  expect(idsOf(seen.owner)).toEqual([inClub, byMia, direct])
  expect(idsOf(seen.max)).toEqual([byMia, direct])
  expect(idsOf(seen.mia)).toEqual([direct])
  const all = await openReports(owner)
  for (const user of [owner, max, mia]) {
    const listed = await openReports(user)
    for (const { report_id: id } of all) {
      const isListed = listed.some((one) => one.report_id === id)
      const change = { state: 'taken', old_state: 'taken', old_assignee_id: null }
      const answers = [
        await user.try('GET', `/message_reports/${id}`),
        await user.try('PATCH', `/message_reports/${id}`, change),
        await user.try('POST', `/message_reports/${id}/notes`, { content: ' ' }),
      ]
      const messages = answers.map(({ body }) => body['msg'])
      const answered = ['', 'Another moderator has changed this report.', 'A note cannot be empty.']
      expect(messages).toEqual(isListed ? answered : answered.map(() => 'Invalid report ID'))
    }
  }
  expect((await openReports(max)).map(({ message_id }) => message_id)).toEqual([direct, byMia])
  expect((await openReports(mia)).map(({ message_id }) => message_id)).toEqual([direct])
})

it('adds repeated reports of a message to one report, and ignores those that say nothing new', async () => {
  const { owner, ann, mia, bob, look } = await createModerators()
  await ann.subscribe(['club'], { principals: [bob.id] })
  const id = await bob.send('square', 'plans', 'Buy now')
  await look()
  for (const description of ['One', 'Two']) expect(await tryReporting(ann, id, { description })).toEqual([200, ''])
  expect((await look()).owner).toHaveLength(1)
  await tryReporting(owner, id, { report_type: 'norms' })
  const [report] = await openReports(mia)
  expect(report).toMatchObject({ reasons: ['norms', 'spam'], reporter_count: 2 })
  const path = `/message_reports/${report?.report_id ?? 0}` as const
  await mia.call('PATCH', path, { state: 'dismissed', old_state: 'new', old_assignee_id: null, note: 'Fine' })
  await tryReporting(ann, id)
  expect(await openReports(mia)).toEqual([])
  await bob.call('PATCH', `/messages/${id}`, { content: 'Buy it now!' })
  await tryReporting(ann, id)
  expect(await openReports(mia)).toMatchObject([{ state: 'new', assignee_id: null, content: 'Buy now' }])
  const { entries } = await mia.call('GET', path)
  expect(entries.map(({ kind, content, message_content: text }) => [kind, content, text])).toEqual([
    ['reported', 'One', null],
    ['reported', '', null],
    ['dismissed', 'Fine', null],
    ['reported', '', 'Buy it now!'],
  ])
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'club' })
  await owner.call('PATCH', `/messages/${id}`, { stream_id })
  await bob.call('PATCH', `/messages/${id}`, { content: 'Only for the club' })
  await tryReporting(ann, id, { description: 'Moved' })
  const { entries: later } = await mia.call('GET', path)
  expect(later.at(-1)).toMatchObject({ kind: 'reported', content: 'Moved', message_content: null })
})

it('lets one of two moderators take a report, and records each step for all of them', async () => {
  const { owner, ann, mia, max, bob } = await createModerators()
  await tryReporting(ann, await bob.send('square', 'plans', 'Buy now'))
  const [report] = await openReports(mia)
  const path = `/message_reports/${report?.report_id ?? 0}` as const
  const look = await watch({ mia, max, bob }, REPORT_EVENTS)
  const change = { state: 'taken', old_state: 'new', old_assignee_id: null }
  expect((await mia.try('PATCH', path, change)).status).toBe(200)
  expect((await max.try('PATCH', path, change)).body).toMatchObject({
    code: 'EXPECTATION_MISMATCH',
    msg: 'Another moderator has changed this report.',
  })
  const taken = { state: 'taken', old_state: 'taken', old_assignee_id: mia.id }
  const refusals: readonly (readonly [Body, string])[] = [
    [taken, 'Nothing to change'],
    [{ ...taken, assignee_id: ann.id }, 'Only a moderator who can see the report can handle it.'],
    [{ ...taken, assignee_id: 999_999 }, 'Only a moderator who can see the report can handle it.'],
    [{ ...taken, state: 'new', assignee_id: max.id }, 'A new report has no assignee.'],
  ]
  for (const [input, msg] of refusals) expect((await max.try('PATCH', path, input)).body).toMatchObject({ msg })
  await max.call('PATCH', path, { ...taken, assignee_id: max.id, note: 'Mine' })
  await mia.call('POST', `${path}/notes`, { content: 'Warned before' })
  await max.call('PATCH', path, { state: 'resolved', old_state: 'taken', old_assignee_id: max.id })
  const states = [
    ['taken', mia.id],
    ['taken', max.id],
    ['taken', max.id],
    ['resolved', max.id],
  ]
  const seen = await look()
  for (const events of [seen.mia, seen.max]) {
    const told = events.map((event) => event['report'] as MessageReport)
    expect(told.map(({ state, assignee_id: assignee }) => [state, assignee])).toEqual(states)
  }
  expect(seen.bob).toEqual([])
  expect(await openReports(max)).toEqual([])
  expect(await openReports(max, 'resolved')).toMatchObject([{ report_id: report?.report_id, state: 'resolved' }])
  const { entries } = await mia.call('GET', path)
  expect(entries.map(({ user_id, kind, content, assignee_id }) => [user_id, kind, content, assignee_id])).toEqual([
    [ann.id, 'reported', '', null],
    [mia.id, 'taken', '', mia.id],
    [max.id, 'taken', 'Mine', max.id],
    [mia.id, 'note', 'Warned before', null],
    [max.id, 'resolved', '', max.id],
  ])
  const { entries: recorded } = await owner.call('GET', '/audit_log', { kind: 'reports' })
  expect(recorded.map(({ acting_user_id: id, target, changes }) => [id, target, changes.length])).toEqual([
    [max.id, null, 1],
    [max.id, null, 1],
    [mia.id, null, 2],
  ])
})

it('limits how often a person can report messages', async () => {
  const { ann, bob } = await createModerators()
  const first = await bob.send('square', 'plans', 'Number 0')
  for (let n = 1; n < REPORT_RATE.count; n += 1) {
    expect((await tryReporting(ann, await bob.send('square', 'plans', `Number ${n}`)))[0]).toBe(200)
  }
  expect((await tryReporting(ann, first))[0]).toBe(200)
  const another = await bob.send('square', 'plans', 'Another')
  expect(await tryReporting(ann, another)).toEqual([429, 'You have reported many messages. Try again later.'])
  expect((await tryReporting(ann, first))[0]).toBe(200)
})

it('pages reports, and deletes those closed more than a year ago', async () => {
  const { ann, mia, bob, id: organizationId } = await createModerators()
  for (let n = 0; n < 3; n += 1) await tryReporting(ann, await bob.send('square', 'plans', `Number ${n}`))
  const page = await mia.call('GET', '/message_reports', { limit: 2 })
  expect([page.reports.map(({ content }) => content), page.has_older]).toEqual([['Number 2', 'Number 1'], true])
  const older = { limit: 2, before: page.reports[1]?.report_id }
  const rest = await mia.call('GET', '/message_reports', older)
  expect([rest.reports.map(({ content }) => content), rest.has_older]).toEqual([['Number 0'], false])
  const [newest, middle] = page.reports.map(({ report_id: id }) => `/message_reports/${id}` as const)
  for (const path of [newest, middle]) {
    await mia.call('PATCH', path ?? '', { state: 'resolved', old_state: 'new', old_assignee_id: null })
  }
  const client = new pg.Client(server().database)
  await client.connect()
  await client.query(
    'update message_reports set changed_at = changed_at - $3::bigint where organization_id = $1 and content <> $2',
    [organizationId, 'Number 1', 365 * 86_400 + 1],
  )
  await client.end()
  await runJob(server().parley, deleteExpiredReports)
  const left = [...(await openReports(mia)), ...(await openReports(mia, 'resolved'))]
  expect(left.map(({ content }) => content)).toEqual(['Number 0', 'Number 1'])
})

it('drops the oldest notes and steps from the full history of a report, but no reports', async () => {
  const { owner, ann, mia, max, bob, id: organizationId } = await createModerators()
  const id = await bob.send('square', 'plans', 'Buy now')
  await tryReporting(ann, id)
  const reportId = (await openReports(mia))[0]?.report_id ?? 0
  const client = new pg.Client(server().database)
  await client.connect()
  await client.query(
    `insert into message_report_entries (organization_id, id, report_id, user_id, created_at, kind, content)
     select $1, 1000000 + n, $2, $3, 0, 'note', 'Note' from generate_series(1, $4::int) n`,
    [organizationId, reportId, mia.id, REPORT_ENTRY_LIMIT.most - 2],
  )
  await client.end()
  await mia.call('POST', `/message_reports/${reportId}/notes`, { content: 'The last one' })
  await mia.call('POST', `/message_reports/${reportId}/notes`, { content: 'Another' })
  expect(await tryReporting(owner, id)).toEqual([200, ''])
  expect(await openReports(mia)).toMatchObject([{ reporter_count: 2 }])
  const close = { state: 'dismissed', old_state: 'new', old_assignee_id: null }
  await mia.call('PATCH', `/message_reports/${reportId}`, close)
  const { entries } = await mia.call('GET', `/message_reports/${reportId}`)
  expect(entries).toHaveLength(REPORT_ENTRY_LIMIT.most)
  expect(entries.map(({ kind }) => kind)).toContain('dismissed')
  expect(entries.map(({ content }) => content)).toEqual(expect.arrayContaining(['The last one', 'Another']))
  expect(await tryReporting(max, id)).toEqual([200, ''])
  expect(await openReports(mia)).toMatchObject([{ state: 'new', reporter_count: 3 }])
})
