import { expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { makeDue, FAR_FUTURE_SECONDS } from '../../testing/age.ts'
import { sendFiles, upload } from '../../testing/files.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import type { Answer, Parameters, TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { makeBot } from '../bots/testing/bots.ts'

const server = useTestServer()

interface Fixture extends TestOrganization {
  readonly ann: TestUser
  readonly ben: TestUser
  readonly general: number
}

const NO_LINKS = 'New members cannot post links yet.'
const NO_MENTIONS = 'New members cannot mention groups or everyone yet.'
const NO_UPLOADS = 'New members cannot upload files yet.'
const NO_STRANGERS = 'New members can send direct messages only to people who wrote to them first.'
const NOT_ADDED = 'New members can add only people who wrote to them first.'

async function createFixture(settings: Parameters = { newcomer_messages: 3 }): Promise<Fixture> {
  const organization = await server().organization()
  const [ann, ben] = [await organization.user('Ann'), await organization.user('Ben')]
  const { owner } = organization
  await owner.subscribe(['general', 'other'], { principals: [owner.id, ann.id, ben.id] })
  await owner.call('PATCH', '/realm', settings)
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  return { ...organization, ann, ben, general: stream_id }
}

const said = ({ status, body }: Answer): unknown => (status === 200 ? 'done' : body['msg'])

const trySend = async (user: TestUser, content: string, more: Parameters = {}): Promise<unknown> =>
  said(await user.try('POST', '/messages', { type: 'channel', to: 'general', topic: 'talk', content, ...more }))

it('lets new members post links, mention groups, and upload files only after their first public messages', async () => {
  const { ann, owner, general } = await createFixture()
  const link = 'See https://example.com/offer'
  await owner.call('POST', '/user_groups/create', { name: 'team', description: '', members: [owner.id] })
  expect([await trySend(ann, link), await trySend(ann, '@*team* hi'), await trySend(ann, '@**all**')]).toEqual([
    NO_LINKS,
    NO_MENTIONS,
    NO_MENTIONS,
  ])
  expect(said(await sendFiles(ann, '/user_uploads', [{ name: 'note.txt', content: 'Hello' }]))).toBe(NO_UPLOADS)
  for (const content of ['`https://example.com`', `#**general** @**Ann**`, `[here](/#narrow/channel/${general})`]) {
    expect([content, await trySend(ann, content)]).toEqual([content, 'done'])
  }
  expect(await trySend(ann, link)).toBe('done')
  expect(await trySend(ann, '@**all**')).toBe('done')
  await upload(ann, 'note.txt', 'Hello')
  await owner.call('PATCH', '/realm', { newcomer_messages: 100 })
  expect(await trySend(ann, link)).toBe(NO_LINKS)
  await owner.call('PATCH', '/realm', { newcomer_limit_links: false })
  expect(await trySend(ann, link)).toBe('done')
  await owner.call('PATCH', '/realm', { newcomer_limit_links: true, newcomer_messages: 0, newcomer_days: 1 })
  expect(await trySend(ann, link)).toBe(NO_LINKS)
})

it('counts no messages that only some people see', async () => {
  const { ann } = await createFixture({ newcomer_messages: 1 })
  await ann.subscribe(['mine'], { invite_only: true })
  await ann.send('mine', 'talk', 'One')
  await ann.sendTo([ann.id], 'Two')
  expect(await trySend(ann, 'https://example.com')).toBe(NO_LINKS)
  expect(await trySend(ann, 'Three')).toBe('done')
  expect(await trySend(ann, 'https://example.com')).toBe('done')
})

it('lets no edit, move, schedule, poll, topic, profile, group, or bot go around the limits', async () => {
  const fixture = await createFixture({ newcomer_messages: 50 })
  const { ann, owner, general } = fixture
  const address = 'https://example.com'
  const id = await ann.send('general', 'talk', 'Hello')
  const bot = await makeBot(ann, 'Helper')
  const widget_content = JSON.stringify({ widget_type: 'poll', extra_data: { question: address, options: [] } })
  const poll = await ann.send('general', 'talk', '/poll Lunch?')
  const hook = await ann.call('POST', '/bots', {
    full_name: 'Hook',
    short_name: 'hook',
    bot_type: 3,
    payload_url: 'https://example.com/hook',
  })
  const { group_id } = await ann.call('POST', '/user_groups/create', { name: 'ours', description: '', members: [] })
  const field = await owner.call('POST', '/realm/profile_fields', { name: 'About', field_type: 2 })
  const scheduled = {
    type: 'channel',
    to: general,
    topic: 'talk',
    scheduled_delivery_timestamp: FAR_FUTURE_SECONDS,
  }
  const tries: Readonly<Record<string, Promise<Answer>>> = {
    edit: ann.try('PATCH', `/messages/${id}`, { content: address }),
    rename: ann.try('PATCH', `/messages/${id}`, { topic: 'buy at example.com' }),
    schedule: ann.try('POST', '/scheduled_messages', { ...scheduled, content: address }),
    topic: ann.try('POST', '/messages', { type: 'channel', to: 'general', topic: address, content: 'Hi' }),
    widget: ann.try('POST', '/messages', { type: 'channel', to: 'general', topic: 'a', content: 'Hi', widget_content }),
    option: ann.try('POST', '/submessage', {
      message_id: poll,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'new_option', idx: 1, option: address }),
    }),
    bot: bot.try('POST', '/messages', { type: 'channel', to: 'general', topic: 'talk', content: address }),
    status: ann.try('POST', '/users/me/status', { status_text: address }),
    profile: ann.try('PATCH', '/users/me/profile_data', { data: [{ id: field.id, value: address }] }),
    name: ann.try('PATCH', '/settings', { full_name: 'www.example.com' }),
    channel: ann.try('POST', '/channels/create', { name: 'shop', description: address, subscribers: [ann.id] }),
    botName: ann.try('POST', '/bots', { full_name: address, short_name: 'shop', bot_type: 1 }),
    botRename: ann.try('PATCH', `/bots/${bot.id}`, { full_name: 'www.example.com' }),
    command: ann.try('PUT', `/bots/${hook.user_id}/commands`, {
      commands: [{ name: 'shop', description: address, argument_hint: '' }],
    }),
    groupName: ann.try('POST', '/user_groups/create', { name: 'example.com', description: '', members: [] }),
    groupDescription: ann.try('POST', '/user_groups/create', { name: 'shop', description: address, members: [] }),
    groupRename: ann.try('PATCH', `/user_groups/${group_id}`, { name: 'example.com' }),
    groupText: ann.try('PATCH', `/user_groups/${group_id}`, { description: address }),
    header: ann.try('POST', `/streams/${general}/links`, { title: 'Shop', url: address }),
  }
  for (const [what, answer] of Object.entries(tries)) expect([what, said(await answer)]).toEqual([what, NO_LINKS])
  await owner.call('PATCH', '/realm', { newcomer_messages: 0 })
  const made = await ann.call('POST', '/scheduled_messages', { ...scheduled, content: address })
  await owner.call('PATCH', '/realm', { newcomer_messages: 50 })
  const queue = await ann.register({ event_types: ['scheduled_messages'] })
  await makeDue(server().database, 'scheduled_messages', fixture.id, [made['scheduled_message_id']])
  expect(await queue.next()).toMatchObject([{ op: 'update', scheduled_message: { failed: true } }])
})

it('lets new members send direct messages to bots, to themselves, and to people who wrote first', async () => {
  const { ann, ben, owner } = await createFixture()
  const bots = [await makeBot(ann, 'Mine'), await makeBot(ben, 'Other')]
  const direct = async (from: TestUser, to: readonly number[]): Promise<unknown> =>
    said(await from.try('POST', '/messages', { type: 'direct', to, content: 'Hello' }))
  for (const to of [[ben.id], [ben.id, owner.id], [bots[0]?.id ?? 0, ben.id]]) {
    expect([to, await direct(ann, to)]).toEqual([to, NO_STRANGERS])
  }
  expect(await direct(bots[0] ?? ann, [ben.id])).toBe(NO_STRANGERS)
  expect(await direct(bots[0] ?? ann, [ann.id])).toBe('done')
  for (const to of [[ann.id], ...bots.map(({ id }) => [id])]) expect([to, await direct(ann, to)]).toEqual([to, 'done'])
  const scheduled = { type: 'direct', to: [ben.id], content: 'Hi', scheduled_delivery_timestamp: FAR_FUTURE_SECONDS }
  expect(said(await ann.try('POST', '/scheduled_messages', scheduled))).toBe(NO_STRANGERS)
  await owner.sendTo([ann.id], 'Welcome')
  expect(await direct(ann, [owner.id])).toBe('done')
  await owner.sendTo([ann.id, ben.id], 'Welcome')
  expect([await direct(ann, [owner.id, ben.id]), await direct(ann, [ben.id])]).toEqual(['done', NO_STRANGERS])
})

it('lets new members add only bots and people who wrote to them first to channels', async () => {
  const { ann, ben, owner } = await createFixture()
  const [bot, other] = [await makeBot(ann, 'Mine'), await makeBot(ben, 'Other')]
  await owner.sendTo([ann.id, ben.id], 'Welcome')
  await ann.subscribe(['mine'], { invite_only: true, principals: [ann.id, bot.id, other.id] })
  const look = await watch({ ben, owner }, { event_types: ['message', 'stream', 'subscription'] })
  const add = async (from: TestUser, name: string, ...principals: number[]): Promise<unknown> =>
    said(await from.try('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals }))
  const create = async (...subscribers: number[]): Promise<unknown> =>
    said(await ann.try('POST', '/channels/create', { name: 'new', invite_only: true, subscribers }))
  expect([await add(ann, 'mine', ben.id), await add(bot, 'other', owner.id, ben.id)]).toEqual([NOT_ADDED, NOT_ADDED])
  expect([await add(ann, 'new', ann.id, ben.id), await create(ann.id, ben.id)]).toEqual([NOT_ADDED, NOT_ADDED])
  expect(await look()).toEqual({ ben: [], owner: [] })
  expect(await add(bot, 'other', ann.id)).toBe('done')
  await owner.sendTo([ann.id], 'Welcome')
  expect([await add(ann, 'mine', owner.id), await add(ann, 'mine', owner.id, ben.id)]).toEqual(['done', NOT_ADDED])
  expect((await look()).ben).toEqual([])
  await owner.call('PATCH', '/realm', { newcomer_limit_direct_messages: false })
  expect([await add(ann, 'mine', ben.id), await create(ann.id, ben.id)]).toEqual(['done', 'done'])
})

it('limits neither moderators nor their bots, and spares invited people if the organization wants that', async () => {
  const { ann, ben, owner, id } = await createFixture()
  const link = 'https://example.com'
  await owner.call('PATCH', `/users/${ben.id}`, { role: ROLE.moderator })
  expect([await trySend(ben, link), await trySend(await makeBot(ben, 'Mine'), link)]).toEqual(['done', 'done'])
  await server().parley.database.pool.query('insert into invited_people values ($1, $2)', [id, ann.id])
  expect(await trySend(ann, link)).toBe(NO_LINKS)
  await owner.call('PATCH', '/realm', { newcomer_limits_for_invited: false })
  expect(await trySend(ann, link)).toBe('done')
  expect(await trySend(await makeBot(ann, 'Hers'), link)).toBe('done')
})
