import { expect, it } from 'vitest'
import { makeDue, FAR_FUTURE_SECONDS } from '../../testing/age.ts'
import type { EventFields } from '../../testing/contract-types.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Answer, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { STORED_CHARACTER_LIMIT, REMINDER_LIMIT } from './contract.ts'

const server = useTestServer()

const LATER = FAR_FUTURE_SECONDS

async function createFixture(): Promise<TestOrganization & { ann: TestUser; message: number }> {
  const organization = await server().organization()
  const ann = await organization.user('Ann')
  await organization.owner.subscribe(['general'], { principals: [organization.owner.id, ann.id] })
  return { ...organization, ann, message: await organization.owner.send('general', 'plans', 'Remember me') }
}

async function createReminder(user: TestUser, message_id: number, more: Parameters = {}): Promise<number> {
  const given = { message_id, scheduled_delivery_timestamp: LATER, ...more }
  return (await user.call('POST', '/reminders', given))['reminder_id']
}

it('stores a reminder and notifies only its owner', async () => {
  const { owner, ann, message } = await createFixture()
  const look = await watch({ ann, owner })
  const id = await createReminder(ann, message, { note: 'Answer\n**soon**' })
  const { reminders } = await ann.call('GET', '/reminders')
  const [kept] = reminders
  expect(reminders).toMatchObject([
    {
      reminder_id: id,
      type: 'private',
      to: [ann.id],
      scheduled_delivery_timestamp: LATER,
      failed: false,
      reminder_target_message_id: message,
    },
  ])
  expect(kept?.['rendered_content']).toContain('#general &gt; plans')
  expect(kept?.['rendered_content']).toContain('<strong>soon</strong>')
  expect(kept?.['content']).not.toContain('Remember me')
  const { reminder_id, reminder_target_message_id: _, ...fields } = kept ?? {}
  expect((await ann.register()).state['reminders']).toEqual([{ scheduled_message_id: reminder_id, ...fields }])
  const next = await createReminder(ann, message, { scheduled_delivery_timestamp: LATER - 1 })
  const ids = async (): Promise<unknown> =>
    (await ann.call('GET', '/reminders'))['reminders'].map((one) => one['reminder_id'])
  expect(await ids()).toEqual([next, id])
  await ann.call('DELETE', `/reminders/${next}`)
  expect(await ids()).toEqual([id])
  expect(await look()).toMatchObject({
    ann: [
      { type: 'reminders', op: 'add', reminders: [kept] },
      { type: 'reminders', op: 'add', reminders: [{ reminder_id: next }] },
      { type: 'reminders', op: 'remove', reminder_id: next },
    ],
    owner: [],
  })
  expect(await owner.call('GET', '/reminders')).toMatchObject({ reminders: [] })
})

it('sends a reminder once, at the given time, and only to its owner', async () => {
  const { id, owner, ann, message } = await createFixture()
  const direct = await ann.sendTo([owner.id], `Lunch? ${'a'.repeat(600)}`)
  const [own, others] = [await ann.register(), await owner.register()]
  const reminders = [await createReminder(ann, message, { note: 'Now' }), await createReminder(ann, direct)]
  await owner.call('PATCH', `/messages/${message}`, { content: 'Remember @**all** ```\n\n```' })
  await Promise.all([own.events(), others.events()])
  await makeDue(server().database, 'reminders', id, reminders)
  const seen: EventFields[] = []
  while (seen.filter((event) => event['op'] === 'remove').length < 2) seen.push(...(await own.next()))
  expect(seen.map((event) => [event['type'], event['op']])).toEqual([
    ['message', undefined],
    ['reminders', 'remove'],
    ['message', undefined],
    ['reminders', 'remove'],
  ])
  const sent = seen.flatMap((event) => (event['type'] === 'message' ? [event['message']] : []))
  expect(sent).toMatchObject([{ sender_full_name: 'Notification Bot' }, { sender_full_name: 'Notification Bot' }])
  expect(sent[0]?.['content']).toContain('#general &gt; plans')
  expect(sent[0]?.['content']).toContain('<p>Now</p>')
  expect(sent[0]?.['content']).toMatch(/Olivia Owner<\/span>:<\/p>\n<blockquote>\n<p>Remember <span[^>]* silent/)
  expect(sent[1]?.content).toContain(`/near/${direct}`)
  expect(sent[1]?.content).toContain(`<p>Lunch? ${'a'.repeat(493)}…</p>`)
  expect(await others.events()).toEqual([])
  expect(await ann.call('GET', '/reminders')).toMatchObject({ reminders: [] })
})

it('omits the name of a channel that the owner can no longer see', async () => {
  const { id, owner, ann } = await createFixture()
  await owner.subscribe(['secret'], { invite_only: true, principals: [owner.id, ann.id] })
  const message = await owner.send('secret', 'plans', 'Remember me')
  const queue = await ann.register({ event_types: ['message'] })
  const reminder = await createReminder(ann, message)
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'], principals: [ann.id] })
  await makeDue(server().database, 'reminders', id, [reminder])
  const [event] = await queue.next()
  const { content } = event?.['message'] ?? {}
  expect(content).toContain('reminded of this message')
  expect(content).not.toContain('#secret')
  expect(content).not.toContain('Remember me')
})

it("treats hidden messages and other people's reminders as missing", async () => {
  const { owner, ann, message } = await createFixture()
  await owner.subscribe(['secret'], { invite_only: true })
  const hidden = await owner.send('secret', 'plans', 'Hidden')
  const id = await createReminder(ann, message)
  const look = await watch({ ann, owner })
  const given = { scheduled_delivery_timestamp: LATER }
  const [one, other] = [
    await ann.try('POST', '/reminders', { ...given, message_id: hidden }),
    await ann.try('POST', '/reminders', { ...given, message_id: 999_999 }),
  ]
  expect([one.status, one.body]).toEqual([400, other.body])
  expect(one.body).toMatchObject({ code: 'BAD_REQUEST', msg: 'Invalid message(s)' })
  const [foreign, absent] = [
    await owner.try('DELETE', `/reminders/${id}`),
    await owner.try('DELETE', '/reminders/999999'),
  ]
  expect([foreign.status, foreign.body]).toEqual([400, absent.body])
  expect(await look()).toEqual({ ann: [], owner: [] })
})

it('rejects past times, overlong notes, and more than 1,000 reminders', async () => {
  const { id, ann, message } = await createFixture()
  const attempt = async (more: Parameters): Promise<number> =>
    (await ann.try('POST', '/reminders', { message_id: message, scheduled_delivery_timestamp: LATER, ...more })).status
  for (const time of [0, -1, Math.floor(Date.now() / 1000)]) {
    expect(await attempt({ scheduled_delivery_timestamp: time })).toBe(400)
  }
  expect(await attempt({ note: '😀'.repeat(1_001) })).toBe(400)
  expect(await attempt({ note: '😀'.repeat(1_000) })).toBe(200)
  const first = await createReminder(ann, message)
  await server().parley.database.pool.query(
    `insert into reminders
     select copy.* from reminders original cross join generate_series(1, $3::int) as n
     cross join lateral jsonb_populate_record(original, jsonb_build_object('id', original.id + 1000000 + n)) as copy
     where original.organization_id = $1 and original.id = $2`,
    [id, first, REMINDER_LIMIT.most - 3],
  )
  expect(await attempt({})).toBe(200)
  expect(await attempt({})).toBe(400)
})

it("limits the total length of a person's reminders", async () => {
  const { ann, message } = await createFixture()
  const given = { message_id: message, scheduled_delivery_timestamp: LATER }
  const remindOfMuch = (): Promise<Answer> => ann.try('POST', '/reminders', { ...given, note: '&'.repeat(1_000) })
  let kept = 0
  let last = await remindOfMuch()
  for (; last.status === 200; last = await remindOfMuch()) kept += 1
  expect(last.body).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'You can have at most 1000000 characters of reminders.',
  })
  const { reminders } = await ann.call('GET', '/reminders')
  const texts = reminders.map(({ content, rendered_content }) => content.length + rendered_content.length)
  const all = texts.reduce((sum, one) => sum + one)
  expect(texts).toHaveLength(kept)
  expect(all).toBeLessThanOrEqual(STORED_CHARACTER_LIMIT.most)
  expect(all + Math.max(...texts)).toBeGreaterThan(STORED_CHARACTER_LIMIT.most)
})
