import { expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { namedStatementsDuring } from '../../testing/statements.ts'
import type { TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { copyMessage } from '../history/testing/copied-messages.ts'

const server = useTestServer()

const CAPABLE = { client_capabilities: { blocked_users: true } }

function blockPath({ id }: { id: number }): string {
  return `/users/me/blocked_users/${id}`
}

async function createPeople(): Promise<TestOrganization & Readonly<Record<'ann' | 'ben' | 'carl', TestUser>>> {
  const organization = await server().organization()
  const { user } = organization
  return { ...organization, ann: await user('Ann'), ben: await user('Ben'), carl: await user('Carl') }
}

async function readContents(user: TestUser, narrow: readonly object[]): Promise<unknown[]> {
  const window = { anchor: 'newest', num_before: 99, num_after: 0, narrow, apply_markdown: false }
  const { messages } = await user.call('GET', '/messages', window)
  return messages.map(({ content }) => content)
}

it('blocks and unblocks people and notifies only capable clients of the blocker', async () => {
  const { ann, ben, carl } = await createPeople()
  const [own, old, bens] = [await ann.register(CAPABLE), await ann.register(), await ben.register(CAPABLE)]
  expect([own.state.blocked_users, old.state.blocked_users]).toEqual([[], undefined])
  await ann.call('POST', `/users/me/muted_users/${carl.id}`)
  await ann.call('POST', blockPath(ben))
  await ann.call('POST', blockPath(carl))
  expect((await ann.register(CAPABLE)).state).toMatchObject({
    blocked_users: [carl.id, ben.id],
    muted_users: [{ id: carl.id }, { id: ben.id }],
  })
  await ann.call('DELETE', blockPath(carl), { keep_muted: true })
  await ann.call('DELETE', `/users/me/muted_users/${ben.id}`)
  const muted = (...people: TestUser[]) => ({ type: 'muted_users', muted_users: people.map(({ id }) => ({ id })) })
  const blocked = (...people: TestUser[]) => ({ type: 'blocked_users', blocked_users: people.map(({ id }) => id) })
  expect(await own.events()).toMatchObject([
    muted(carl),
    blocked(ben),
    muted(carl, ben),
    blocked(carl, ben),
    blocked(ben),
    blocked(),
    muted(carl),
  ])
  expect(await old.events()).toMatchObject([muted(carl), muted(carl, ben), muted(carl)])
  expect(await bens.events()).toEqual([])
  await ann.call('POST', blockPath(ben))
  await ann.call('DELETE', blockPath(ben))
  expect((await ann.register(CAPABLE)).state).toMatchObject({ blocked_users: [], muted_users: [{ id: carl.id }] })
})

it('rejects blocking oneself, a missing person, a blocked person, and those who moderate', async () => {
  const { owner, user, ann, ben } = await createPeople()
  const moderator = await user('Mo', { role: ROLE.moderator })
  const { cross_realm_bots } = (await ann.register()).state
  await ann.call('POST', blockPath(ben))
  for (const [method, id, msg] of [
    ['POST', ann.id, 'Cannot block self'],
    ['POST', 999_999, 'No such user'],
    ['POST', ben.id, 'User already blocked'],
    ['POST', moderator.id, 'Moderators cannot be blocked.'],
    ['POST', owner.id, 'Moderators cannot be blocked.'],
    ['POST', cross_realm_bots[0]?.user_id ?? 0, 'The notification bot cannot be blocked.'],
    ['DELETE', owner.id, 'User is not blocked'],
    ['DELETE', 999_999, 'No such user'],
  ] as const) {
    const { status, body } = await ann.try(method, blockPath({ id }))
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', msg])
  }
})

it('shows direct messages of a blocked person only to their author, even after the block', async () => {
  const { ann, ben, carl } = await createPeople()
  await ben.sendTo([ann.id], 'Before the block')
  await ann.call('POST', blockPath(ben))
  const look = await watch({ ann, ben }, { event_types: ['message', 'update_message', 'reaction', 'delete_message'] })
  const id = await ben.sendTo([ann.id], 'Secretly rude')
  await ben.call('PATCH', `/messages/${id}`, { content: 'Secretly ruder' })
  await ben.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  const seen = await look()
  expect(seen.ben.map(({ type }) => type)).toEqual(['message', 'update_message', 'reaction'])
  expect(seen.ann).toEqual([])
  const dm = [{ operator: 'dm', operand: [ben.id] }]
  for (const narrow of [dm, [], [{ operator: 'is', operand: 'dm' }], [{ operator: 'sender', operand: ben.id }]]) {
    expect(await readContents(ann, narrow)).toEqual(['Before the block'])
  }
  expect(await readContents(ann, [{ operator: 'search', operand: 'ruder' }])).toEqual([])
  expect(await readContents(ben, [{ operator: 'dm', operand: [ann.id] }])).toEqual([
    'Before the block',
    'Secretly ruder',
  ])
  for (const path of [`/messages/${id}`, `/messages/${id}/history`, `/messages/${id}/read_receipts`]) {
    expect([path, (await ann.try('GET', path)).body['msg']]).toEqual([path, 'Invalid message(s)'])
  }
  const { state } = await ann.register()
  expect(state.unread_msgs).toMatchObject({ count: 1, pms: [{ unread_message_ids: [expect.any(Number)] }] })
  expect(state.max_message_id).toBeLessThan(id)
  expect(state.recent_private_conversations[0]?.max_message_id).toBeLessThan(id)
  const { conversations } = await ann.call('GET', '/recent', { muted: true })
  expect(conversations).toMatchObject([{ max_message_id: state.max_message_id, snippet: 'Before the block' }])
  await ann.call('DELETE', blockPath(ben))
  await ben.sendTo([ann.id], 'After the block')
  expect(await readContents(ann, dm)).toEqual(['Before the block', 'After the block'])
  await ben.call('DELETE', `/messages/${id}`)
  expect((await look()).ann.map(({ type }) => type)).toEqual(['message'])
  expect(await readContents(carl, [])).toEqual([])
})

const MANY_MESSAGES = 2_000

/** Withholds many copies of a message. Its organization can send no more messages. */
async function withholdCopies(id: number): Promise<void> {
  const { pool } = server().parley.database
  await copyMessage(pool, id, { from: 1, to: MANY_MESSAGES })
  await pool.query(
    'update messages set withheld_from = (select withheld_from from messages where id = $1) where id > $1',
    [id],
  )
  await pool.query('update topics set max_id = max_id + $2 where max_id = $1', [id, MANY_MESSAGES])
  await pool.query(
    'update topic_reads set read = read + int8multirange(int8range($1, $1 + $2 + 1)) where read @> $1::bigint',
    [id, MANY_MESSAGES],
  )
  await pool.query('analyze messages')
}

/** Counts the rows that the nodes of a statement's plan read. */
async function countRowsRead({ text, values = [] }: { text: string; values?: readonly unknown[] }): Promise<number> {
  const { pool } = server().parley.database
  const { rows } = await pool.query<object>(`explain (analyze, format json) ${text}`, [...values])
  const counts = JSON.stringify(rows).matchAll(
    /"Actual Rows":(?<read>[\d.]+),"Actual Loops":(?<loops>\d+)|"Rows Removed by Filter":(?<removed>\d+)/g,
  )
  return [...counts]
    .map(({ groups: { read = 0, loops = 0, removed = 0 } = {} }) => Number(read) * Number(loops) + Number(removed))
    .reduce((sum, count) => sum + count, 0)
}

it('reads few rows for lists of conversations however many messages are withheld', async () => {
  const { ann, ben, carl } = await createPeople()
  await carl.sendTo([ann.id], 'Hello')
  const before = await ben.sendTo([ann.id], 'Before the block')
  await ann.call('POST', blockPath(ben))
  const withheld = await ben.sendTo([ann.id], 'Withheld')
  await withholdCopies(withheld)
  const statements = await namedStatementsDuring(server().database, async () => {
    const { max_message_id: max } = (await ann.register()).state
    const { conversations } = await ann.call('GET', '/recent', { muted: true })
    expect([max, conversations[0]?.max_message_id]).toEqual([before, before])
    expect((await ben.register()).state.max_message_id).toBe(withheld + MANY_MESSAGES)
  })
  const reading = statements.filter(({ text }) => text.includes('withheld'))
  expect(reading.length).toBeGreaterThanOrEqual(5)
  for (const statement of reading) {
    const count = await countRowsRead(statement)
    expect([statement.name, count < MANY_MESSAGES / 10]).toEqual([statement.name, true])
  }
})

it('withholds messages in groups whose other members are only the blocked person and bots', async () => {
  const { user, ann, ben, carl } = await createPeople()
  const [bot, other] = [
    await user('Bot', { bot: { ownerId: ben.id } }),
    await user('Other', { bot: { ownerId: carl.id } }),
  ]
  await ann.sendTo([ben.id, bot.id], 'Before the block')
  await ann.call('POST', blockPath(ben))
  const look = await watch({ ann, ben, bot, other }, { event_types: ['message', 'reaction', 'delete_message'] })
  const fromBen = await ben.sendTo([ann.id, bot.id], 'Rude')
  await ben.call('POST', `/messages/${fromBen}/reactions`, { emoji_name: 'tada' })
  const fromBot = await bot.sendTo([ann.id, ben.id, other.id], 'Rude')
  await bot.sendTo([ann.id, other.id], 'Rude')
  await ben.call('DELETE', `/messages/${fromBen}`)
  const seen = await look()
  const typesFor = (events: readonly { type: string }[]): string[] => events.map(({ type }) => type)
  expect(seen.ann).toEqual([])
  expect(typesFor(seen.ben)).toEqual(['message', 'reaction', 'message', 'delete_message'])
  expect(typesFor(seen.bot)).toEqual(['message', 'reaction', 'message', 'message', 'delete_message'])
  expect(typesFor(seen.other)).toEqual(['message', 'message'])
  expect(await readContents(ann, [])).toEqual(['Before the block'])
  expect(await readContents(bot, [])).toEqual(['Before the block', 'Rude', 'Rude'])
  expect((await ann.try('GET', `/messages/${fromBot}`)).status).toBe(400)
  expect((await ann.register()).state.recent_private_conversations).toMatchObject([{ user_ids: [ben.id, bot.id] }])
  for (const to of [
    [ben.id, bot.id],
    [bot.id, other.id],
  ]) {
    const { body } = await ann.try('POST', '/messages', { type: 'direct', to, content: 'Hello' })
    expect(body['msg']).toBe('You blocked this person. Unblock them to send direct messages.')
  }
  await ben.sendTo([ann.id, bot.id, carl.id], 'Hello, all')
  expect((await look()).ann).toMatchObject([{ message: { content: '<p>Hello, all</p>' } }])
  expect(await readContents(other, [])).toEqual(['Rude', 'Rude'])
})

it('lists no conversation that a blocked person started', async () => {
  const { ann, ben } = await createPeople()
  await ann.call('POST', blockPath(ben))
  await ben.sendTo([ann.id], 'Hello?')
  const { state } = await ann.register()
  expect([state.recent_private_conversations, state.max_message_id, state.unread_msgs.count]).toEqual([[], -1, 0])
  expect((await ann.call('GET', '/recent', { muted: true })).conversations).toEqual([])
  expect((await ben.register()).state.recent_private_conversations).toMatchObject([{ user_ids: [ann.id] }])
})

it('keeps mentions, typing, and reactions of a blocked person and their bots from the blocker', async () => {
  const { owner, user, ann, ben, carl } = await createPeople()
  const bot = await user('Bot', { bot: { ownerId: ben.id } })
  await owner.subscribe(['den'], { principals: [owner.id, ann.id, ben.id, carl.id, bot.id] })
  const group = [ann.id, ben.id, carl.id]
  const hello = await carl.send('den', 'plans', 'Hello')
  await ann.call('POST', blockPath(ben))
  const look = await watch({ ann, carl }, { event_types: ['message', 'reaction', 'typing'] })
  await bot.sendTo([ann.id], 'From the bot')
  for (const [author, text] of [
    [ben, '@**Ann**'],
    [bot, '@**Ann**'],
  ] as const) {
    await author.send('den', 'plans', text)
    await author.call('POST', `/messages/${hello}/reactions`, { emoji_name: 'tada' })
    await author.call('POST', '/typing', { type: 'direct', op: 'start', to: group })
  }
  await carl.call('POST', `/messages/${hello}/reactions`, { emoji_name: 'heart' })
  const seen = await look()
  expect(seen.carl.map(({ type }) => type)).toEqual([
    'message',
    'reaction',
    'typing',
    'message',
    'reaction',
    'typing',
    'reaction',
  ])
  expect(seen.ann).toMatchObject([
    { type: 'message', flags: ['read'], message: { sender_id: ben.id } },
    { type: 'message', flags: ['read'], message: { sender_id: bot.id } },
    { type: 'reaction', user_id: carl.id },
  ])
  const reactorsFor = async (reader: TestUser): Promise<unknown[]> =>
    ((await reader.call('GET', `/messages/${hello}`)).message?.reactions ?? []).map(({ user_id }) => user_id)
  expect(await reactorsFor(carl)).toEqual([ben.id, bot.id, carl.id])
  expect(await reactorsFor(ann)).toEqual([carl.id])
})

it('refuses direct messages of the blocker to the blocked person, but not in groups', async () => {
  const { ann, ben, carl } = await createPeople()
  await ann.call('POST', blockPath(ben))
  const refused = [400, 'You blocked this person. Unblock them to send direct messages.']
  const direct = { type: 'direct', to: [ben.id] }
  for (const [path, input] of [
    ['/messages', { ...direct, content: 'Hello' }],
    ['/typing', { ...direct, op: 'start' }],
    ['/scheduled_messages', { ...direct, content: 'Hello', scheduled_delivery_timestamp: 4_000_000_000 }],
  ] as const) {
    const { status, body } = await ann.try('POST', path, input)
    expect([path, status, body['msg']]).toEqual([path, ...refused])
  }
  const look = await watch({ ben }, { event_types: ['message'] })
  await ann.sendTo([ben.id, carl.id], 'Hello, all')
  expect((await look()).ben).toMatchObject([{ message: { content: '<p>Hello, all</p>' } }])
})

it('lets no one who may only reply write first because of messages that they never received', async () => {
  const { owner, ann, ben } = await createPeople()
  await ann.call('POST', blockPath(ben))
  await ben.sendTo([ann.id], 'Hello?')
  await ann.call('DELETE', blockPath(ben))
  const trySending = async (from: TestUser, to: TestUser): Promise<unknown> =>
    (await from.try('POST', '/messages', { type: 'direct', to: [to.id], content: 'Hello' })).body['msg']
  await owner.call('PATCH', '/realm', { newcomer_messages: 1 })
  expect(await trySending(ann, ben)).toBe(
    'New members can send direct messages only to people who wrote to them first.',
  )
  const initiators = { new: { direct_members: [owner.id], direct_subgroups: [] } }
  await owner.call('PATCH', '/realm', { newcomer_messages: 0, direct_message_initiator_group: initiators })
  const refused = 'You do not have permission to initiate direct message conversations.'
  expect(await trySending(ann, ben)).toBe(refused)
  expect((await ann.try('POST', '/typing', { type: 'direct', op: 'start', to: [ben.id] })).body['msg']).toBe(refused)
  expect(await trySending(ben, ann)).toBe('')
  expect(await trySending(ann, ben)).toBe('')
})

it('lets blocked people reach the blocker once they moderate', async () => {
  const { owner, ann, ben } = await createPeople()
  await ann.call('POST', blockPath(ben))
  await owner.call('PATCH', `/users/${ben.id}`, { role: ROLE.moderator })
  const look = await watch({ ann }, { event_types: ['message'] })
  await ben.sendTo([ann.id], 'Please read the rules')
  expect((await look()).ann).toMatchObject([{ message: { content: '<p>Please read the rules</p>' } }])
})

it('shows the blocker in receipts once they have read a later message', async () => {
  const { owner, ann, ben, carl } = await createPeople()
  await owner.subscribe(['den'], { principals: [owner.id, ann.id, ben.id, carl.id] })
  await owner.call('PATCH', '/realm', { enable_read_receipts: true })
  await ann.call('POST', blockPath(ben))
  const readers = async (id: number): Promise<unknown> =>
    (await ben.call('GET', `/messages/${id}/read_receipts`)).user_ids
  const read = async (id: number): Promise<unknown> =>
    ann.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  const [inChannel, withheld] = [await ben.send('den', 'plans', 'Hello'), await ben.sendTo([ann.id], 'Hello')]
  await ben.send('den', 'plans', 'Anyone?')
  expect([await readers(inChannel), await readers(withheld)]).toEqual([[], []])
  await read(await carl.send('den', 'plans', 'Hi'))
  expect(await readers(inChannel)).toEqual([ann.id])
  await ann.call('DELETE', blockPath(ben))
  const direct = await ben.sendTo([ann.id], 'Hello again')
  expect(await readers(withheld)).toEqual([])
  await read(direct)
  expect([await readers(direct), await readers(withheld)]).toEqual([[ann.id], [ann.id]])
})
