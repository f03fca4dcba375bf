import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { textWith } from '../../testing/expected.ts'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Body, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { expectFull } from '../../testing/full.ts'
import { STORED_CHARACTER_LIMIT, SCHEDULED_MESSAGE_LIMIT } from './contract.ts'

const server = useTestServer()

const FAR_FUTURE = 4_000_000_000
const MESSAGES_PATH = '/scheduled_messages'

async function channelId(owner: TestUser, name: string): Promise<number> {
  return (await owner.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

async function createFixture(): Promise<TestOrganization & { general: number; ann: TestUser }> {
  const organization = await server().organization()
  const ann = await organization.user('Ann')
  await organization.owner.subscribe(['general'], { principals: [organization.owner.id, ann.id] })
  return { ...organization, ann, general: await channelId(organization.owner, 'general') }
}

async function scheduleMessage(user: TestUser, parameters: Parameters): Promise<number> {
  const given = { type: 'channel', topic: 'plans', content: 'Hello', scheduled_delivery_timestamp: FAR_FUTURE }
  return (await user.call('POST', MESSAGES_PATH, { ...given, ...parameters }))['scheduled_message_id']
}

async function expectRefused(user: TestUser, method: string, path: string, parameters: Parameters): Promise<Body> {
  const { status, body } = await user.try(method, path, parameters)
  expect(status).toBe(400)
  return body
}

it('stores scheduled messages and notifies only their sender of changes', async () => {
  const { owner, ann, general } = await createFixture()
  const look = await watch({ ann, owner })
  const id = await scheduleMessage(ann, { to: general, content: '**Hello**  ' })
  const kept = {
    scheduled_message_id: id,
    type: 'stream',
    to: general,
    topic: 'plans',
    content: '**Hello**',
    rendered_content: '<p><strong>Hello</strong></p>',
    scheduled_delivery_timestamp: FAR_FUTURE,
    failed: false,
  }
  expect(await ann.call('GET', MESSAGES_PATH)).toMatchObject({ scheduled_messages: [kept] })
  expect((await ann.register()).state['scheduled_messages']).toEqual([kept])
  expect(await owner.call('GET', MESSAGES_PATH)).toMatchObject({ scheduled_messages: [] })
  await ann.call('PATCH', `${MESSAGES_PATH}/${id}`, { content: 'Bye', scheduled_delivery_timestamp: FAR_FUTURE + 1 })
  const changed = {
    ...kept,
    content: 'Bye',
    rendered_content: '<p>Bye</p>',
    scheduled_delivery_timestamp: FAR_FUTURE + 1,
  }
  expect((await ann.call('GET', MESSAGES_PATH))['scheduled_messages']).toEqual([changed])
  await ann.call('DELETE', `${MESSAGES_PATH}/${id}`)
  expect((await ann.call('GET', MESSAGES_PATH))['scheduled_messages']).toEqual([])
  expect(await look()).toEqual({
    ann: [
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [kept] },
      { type: 'scheduled_messages', op: 'update', scheduled_message: changed },
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ],
    owner: [],
  })
})

it('lists scheduled messages by delivery time', async () => {
  const { ann, general } = await createFixture()
  const late = await scheduleMessage(ann, { to: general, scheduled_delivery_timestamp: FAR_FUTURE + 2 })
  const early = await scheduleMessage(ann, { to: general })
  const { scheduled_messages } = await ann.call('GET', MESSAGES_PATH)
  expect(scheduled_messages.map((one) => one['scheduled_message_id'])).toEqual([early, late])
})

it('lists the recipients of a scheduled direct message without the sender', async () => {
  const { owner, ann } = await createFixture()
  for (const [type, to, shown] of [
    ['direct', [owner.id], [owner.id]],
    ['private', [ann.id, owner.id, owner.id], [owner.id]],
    ['direct', owner.id, [owner.id]],
    ['direct', [ann.id], [ann.id]],
  ] as const) {
    const id = await scheduleMessage(ann, { type, to, topic: 'ignored' })
    const { scheduled_messages } = await ann.call('GET', MESSAGES_PATH)
    const [kept] = scheduled_messages.filter((one) => one['scheduled_message_id'] === id)
    expect(kept).toMatchObject({ type: 'private', to: shown })
    expect(kept).not.toHaveProperty('topic')
  }
})

it('changes a scheduled direct message into a channel message and back', async () => {
  const { owner, ann, general } = await createFixture()
  const id = await scheduleMessage(ann, { type: 'direct', to: [owner.id] })
  const path = `${MESSAGES_PATH}/${id}`
  expect((await expectRefused(ann, 'PATCH', path, { type: 'channel' }))['code']).toBe('BAD_REQUEST')
  expect((await expectRefused(ann, 'PATCH', path, { type: 'channel', to: general }))['code']).toBe('BAD_REQUEST')
  await ann.call('PATCH', path, { type: 'stream', to: [general], topic: 'moved' })
  const firstScheduled = async (): Promise<Body | undefined> =>
    (await ann.call('GET', MESSAGES_PATH))['scheduled_messages'][0]
  expect(await firstScheduled()).toMatchObject({ type: 'stream', to: general, topic: 'moved' })
  await ann.call('PATCH', path, { topic: 'again' })
  expect(await firstScheduled()).toMatchObject({ to: general, topic: 'again', content: 'Hello' })
  await ann.call('PATCH', path, { type: 'direct', to: [ann.id] })
  expect(await firstScheduled()).toMatchObject({ type: 'private', to: [ann.id] })
  expect(await firstScheduled()).not.toHaveProperty('topic')
})

it('stores every name of the empty topic as empty, and sends older clients a name', async () => {
  const { ann, general } = await createFixture()
  const old = await ann.register({ client_capabilities: {} })
  for (const topic of ['', '(no topic)', 'general chat']) await scheduleMessage(ann, { to: general, topic })
  const { scheduled_messages } = await ann.call('GET', MESSAGES_PATH)
  expect(scheduled_messages.map((one) => one['topic'])).toEqual(['', '', ''])
  const topics = (list: unknown): unknown[] => objectsIn(list).map((one) => one['topic'])
  const events = await old.events()
  expect(events.flatMap((event) => topics(event['scheduled_messages']))).toEqual(Array(3).fill('general chat'))
  const fresh = await ann.register({ client_capabilities: {} })
  expect(topics(fresh.state['scheduled_messages'])).toEqual(Array(3).fill('general chat'))
  await ann.call('PATCH', `${MESSAGES_PATH}/${Number(scheduled_messages[0]?.['scheduled_message_id'])}`, {
    content: 'x',
  })
  expect(await old.events()).toMatchObject([{ op: 'update', scheduled_message: { topic: 'general chat' } }])
})

it("treats another person's scheduled message as missing", async () => {
  const { owner, ann, general } = await createFixture()
  const id = await scheduleMessage(ann, { to: general })
  const look = await watch({ ann, owner })
  for (const [method, parameters] of [
    ['PATCH', { content: 'Yours' }],
    ['PATCH', { content: ' ' }],
    ['PATCH', { to: 999_999 }],
    ['DELETE', {}],
  ] as const) {
    const hidden = await owner.try(method, `${MESSAGES_PATH}/${id}`, parameters)
    const absent = await owner.try(method, `${MESSAGES_PATH}/999999`, parameters)
    expect([hidden.status, hidden.body]).toEqual([400, absent.body])
    expect(hidden.body).toMatchObject({ code: 'BAD_REQUEST', msg: 'Scheduled message does not exist' })
  }
  expect((await ann.call('GET', MESSAGES_PATH))['scheduled_messages']).toMatchObject([{ content: 'Hello' }])
  expect(await look()).toEqual({ ann: [], owner: [] })
})

it('treats a hidden channel of a scheduled message as missing', async () => {
  const { owner, ann, general } = await createFixture()
  await owner.subscribe(['secret'], { invite_only: true })
  const secret = await channelId(owner, 'secret')
  const id = await scheduleMessage(ann, { to: general })
  const look = await watch({ ann, owner })
  for (const [method, path] of [
    ['POST', MESSAGES_PATH],
    ['PATCH', `${MESSAGES_PATH}/${id}`],
  ] as const) {
    const attempt = async (to: number): Promise<Body> => {
      const given = method === 'POST' ? { type: 'channel', content: 'x', scheduled_delivery_timestamp: FAR_FUTURE } : {}
      return expectRefused(ann, method, path, { ...given, to, topic: 'plans' })
    }
    const [hidden, absent] = [await attempt(secret), await attempt(999_999)]
    expect(hidden).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream_id: secret })
    expect(absent).toEqual(JSON.parse(JSON.stringify(hidden).replaceAll(String(secret), '999999')))
  }
  expect(await look()).toEqual({ ann: [], owner: [] })
})

it('refuses to schedule messages that cannot be sent or whose time has passed', async () => {
  const { owner, ann, general } = await createFixture()
  await owner.subscribe(['announce'], { principals: [ann.id], can_send_message_group: singleMemberGroup(owner) })
  const announce = await channelId(owner, 'announce')
  const id = await scheduleMessage(ann, { to: general })
  const look = await watch({ ann, owner })
  const good = { type: 'channel', to: general, topic: 'plans', content: 'x', scheduled_delivery_timestamp: FAR_FUTURE }
  const now = Math.floor(Date.now() / 1000)
  for (const bad of [
    { to: announce },
    { content: ' \n ' },
    { scheduled_delivery_timestamp: now },
    { scheduled_delivery_timestamp: 0 },
    { scheduled_delivery_timestamp: -5 },
    { topic: 'a\u0007' },
    { type: 'direct', to: [999_999] },
    { to: [general, announce] },
  ] satisfies Parameters[]) {
    expect((await expectRefused(ann, 'POST', MESSAGES_PATH, { ...good, ...bad }))['code']).toBe('BAD_REQUEST')
    expect((await expectRefused(ann, 'PATCH', `${MESSAGES_PATH}/${id}`, bad))['code']).toBe('BAD_REQUEST')
  }
  for (const bad of [{ to: [] }, { to: 'general' }, { scheduled_delivery_timestamp: 1.5 }, { type: 'group' }]) {
    const { code } = await expectRefused(ann, 'POST', MESSAGES_PATH, { ...good, ...bad })
    expect(code).toMatch(/^REQUEST_VARIABLE_INVALID$|^INVALID_JSON$/)
  }
  const { topic: _, ...withoutTopic } = good
  expect(await expectRefused(ann, 'POST', MESSAGES_PATH, withoutTopic)).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'topic',
  })
  expect((await expectRefused(ann, 'PATCH', `${MESSAGES_PATH}/${id}`, {}))['code']).toBe('BAD_REQUEST')
  expect((await ann.call('GET', MESSAGES_PATH))['scheduled_messages']).toMatchObject([
    { content: 'Hello', topic: 'plans' },
  ])
  expect(await look()).toEqual({ ann: [], owner: [] })
})

it('refuses to schedule a message that would start a conversation without permission', async () => {
  const { owner, ann, general, user } = await createFixture()
  const bob = await user('Bob')
  await owner.call('PATCH', '/realm', { direct_message_initiator_group: { new: singleMemberGroup(owner) } })
  await owner.sendTo([bob.id], 'Hello')
  const id = await scheduleMessage(ann, { to: general })
  const own = await scheduleMessage(ann, { type: 'direct', to: [ann.id] })
  const look = await watch({ ann, owner, bob })
  const direct = { type: 'direct', to: [bob.id], content: 'x', scheduled_delivery_timestamp: FAR_FUTURE }
  const refusal = {
    code: 'BAD_REQUEST',
    msg: textWith('initiate direct message conversations'),
  }
  expect(await expectRefused(ann, 'POST', MESSAGES_PATH, direct)).toMatchObject(refusal)
  expect(await expectRefused(ann, 'PATCH', `${MESSAGES_PATH}/${id}`, { type: 'direct', to: [bob.id] })).toMatchObject(
    refusal,
  )
  expect(await expectRefused(ann, 'PATCH', `${MESSAGES_PATH}/${own}`, { to: [bob.id, ann.id] })).toMatchObject(refusal)
  expect(await look()).toEqual({ ann: [], owner: [], bob: [] })
  await scheduleMessage(bob, { type: 'direct', to: [owner.id] })
  await scheduleMessage(owner, { type: 'direct', to: [ann.id] })
})

it("limits a scheduled message's content and topic in code points", async () => {
  const { ann, general } = await createFixture()
  const attempt = async (parameters: Parameters): Promise<number> => {
    const good = { type: 'channel', to: general, topic: 'x', content: 'x', scheduled_delivery_timestamp: FAR_FUTURE }
    return (await ann.try('POST', MESSAGES_PATH, { ...good, ...parameters })).status
  }
  expect(await attempt({ content: '😀'.repeat(10_000), topic: '😀'.repeat(60) })).toBe(200)
  expect(await attempt({ content: '😀'.repeat(10_001) })).toBe(400)
  expect(await attempt({ topic: '😀'.repeat(61) })).toBe(400)
})

it('limits each person to 1,000 scheduled messages', async () => {
  const { owner, ann, general } = await createFixture()
  const first = await scheduleMessage(ann, { to: general })
  await sql`
    insert into scheduled_messages
    select copy.* from scheduled_messages original cross join generate_series(1, 998) as n
    cross join lateral jsonb_populate_record(original, jsonb_build_object('id', original.id + 1000000 + n)) as copy
    where original.id = ${first} and original.user_id = ${ann.id}`.execute(server().parley.database.kysely)
  await scheduleMessage(ann, { to: general })
  const body = await expectRefused(ann, 'POST', MESSAGES_PATH, {
    type: 'channel',
    to: general,
    topic: 'plans',
    content: 'x',
    scheduled_delivery_timestamp: FAR_FUTURE,
  })
  expect(body['code']).toBe('BAD_REQUEST')
  await scheduleMessage(owner, { to: general })
})

it('schedules a new message even if the request contains a legacy scheduled_message_id', async () => {
  const { ann, general } = await createFixture()
  const scheduled_message_id = await scheduleMessage(ann, { to: general })
  const again = await ann.call('POST', MESSAGES_PATH, {
    type: 'channel',
    to: general,
    topic: 'plans',
    content: 'Another',
    scheduled_delivery_timestamp: FAR_FUTURE,
    scheduled_message_id,
  })
  expect(again['ignored_parameters_unsupported']).toEqual(['scheduled_message_id'])
  expect(again['scheduled_message_id']).not.toBe(scheduled_message_id)
  expect((await ann.call('GET', MESSAGES_PATH))['scheduled_messages']).toMatchObject([
    { content: 'Hello' },
    { content: 'Another' },
  ])
})

function singleMemberGroup({ id }: TestUser): Parameters {
  return { direct_members: [id], direct_subgroups: [] }
}

it('accepts the topic of a scheduled message as `subject` on creation and change', async () => {
  const { ann, general } = await createFixture()
  const given = { type: 'stream', to: general, content: 'Hello', scheduled_delivery_timestamp: FAR_FUTURE }
  const made = await ann.call('POST', MESSAGES_PATH, { ...given, subject: 'older' })
  const topics = async (): Promise<unknown[]> =>
    (await ann.call('GET', MESSAGES_PATH))['scheduled_messages'].map(({ topic }) => topic)
  expect(await topics()).toEqual(['older'])
  await ann.call('PATCH', `${MESSAGES_PATH}/${String(made['scheduled_message_id'])}`, { subject: 'newer' })
  expect(await topics()).toEqual(['newer'])
  const both = await expectRefused(ann, 'POST', MESSAGES_PATH, { ...given, subject: 'one', topic: 'other' })
  expect(both['code']).toBe('REQUEST_CONFUSING_VAR')
})

it("limits the total length of a person's scheduled messages", async () => {
  const { ann, general } = await createFixture()
  // Each `&` is one character of text and five of HTML.
  const long = { to: general, content: '&'.repeat(10_000) }
  const most = Math.floor(STORED_CHARACTER_LIMIT.most / (6 * 10_000 + '<p></p>'.length))
  for (let count = 0; count < most; count += 1) await scheduleMessage(ann, long)
  const id = await scheduleMessage(ann, { to: general, content: 'short' })
  const queue = await ann.register()
  const given = { type: 'channel', topic: 'plans', scheduled_delivery_timestamp: FAR_FUTURE }
  expect(await expectRefused(ann, 'POST', MESSAGES_PATH, { ...given, ...long })).toMatchObject({
    code: 'BAD_REQUEST',
    msg: 'You can have at most 1000000 characters of scheduled messages.',
  })
  await expectRefused(ann, 'PATCH', `${MESSAGES_PATH}/${id}`, { content: long.content })
  expect((await ann.call('GET', MESSAGES_PATH))['scheduled_messages']).toHaveLength(most + 1)
  expect(await queue.events()).toEqual([])
})

it('refuses more scheduled messages than the limit per person', async () => {
  await expectFull(SCHEDULED_MESSAGE_LIMIT, {
    fill: [
      `insert into scheduled_messages (organization_id, id, user_id, member_ids, topic, content, rendered_content,
         delivery_at, read_by_sender, client, failed)
       select $1, 1000000 + n, $2, array[$2::bigint], '', 'x', '', ${FAR_FUTURE}, true, '', false
       from generate_series(1, $3::int) n`,
    ],
    make: async (owner) =>
      owner.try('POST', MESSAGES_PATH, {
        type: 'direct',
        to: [owner.id],
        content: 'One more',
        scheduled_delivery_timestamp: FAR_FUTURE,
      }),
    refusal: 'You can have at most 1000 scheduled messages.',
  })
})
