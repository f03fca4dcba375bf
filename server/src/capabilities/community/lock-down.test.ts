import { expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { blockWriter } from '../../testing/hold.ts'
import { useMailServer } from '../../testing/mail-server.ts'
import { useTestServer } from '../../testing/server.ts'
import { ALL_CAPABILITIES, type Answer, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { makeBot } from '../bots/testing/bots.ts'
import { callFromBrowser, createLinkToken, invitePerson, join, newAddress } from '../invitations/testing/joining.ts'
import { changeLockDown } from './actions.ts'
import { MAX_LOCK_DOWN_SECONDS, MIN_LOCK_DOWN_SECONDS } from './contract.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })

const FOR_COMMUNITIES = {
  event_types: ['lock_down'],
  client_capabilities: { ...ALL_CAPABILITIES, community: true },
}

const LOCKED = 'The organization is locked down: for now, only established members can post in public channels.'
const NOT_ADDED = 'The organization is locked down: for now, you can add only people who wrote to you first.'
const CLOSED = 'This organization does not accept new members at the moment. Try again later.'

const said = ({ status, body }: Answer): unknown => (status === 200 ? 'done' : body['msg'])

const trySend = async (user: TestUser, to: string): Promise<unknown> =>
  said(await user.try('POST', '/messages', { type: 'channel', to, topic: 'talk', content: 'Hello' }))

it('counts nobody who has just joined as established if the organization does not limit new members', async () => {
  const { owner, user } = await server().organization()
  const [ann, moderator] = [await user('Ann'), await user('Mod', { role: ROLE.moderator })]
  await owner.subscribe(['general'], { principals: [owner, ann, moderator].map(({ id }) => id) })
  await moderator.call('POST', '/lock_down')
  expect([await trySend(ann, 'general'), await trySend(moderator, 'general')]).toEqual([LOCKED, 'done'])
  await moderator.call('DELETE', '/lock_down')
  expect(await trySend(ann, 'general')).toBe('done')
})

it('lets only established members post in public channels, and tells everyone until when', async () => {
  const { owner, user } = await server().organization()
  const [ann, young, guest, moderator] = [
    await user('Ann'),
    await user('Young'),
    await user('Guest', { role: ROLE.guest }),
    await user('Mod', { role: ROLE.moderator }),
  ]
  const people = [owner, ann, young, guest, moderator]
  const principals = people.map(({ id }) => id)
  await owner.subscribe(['general', 'side'], { principals })
  await owner.subscribe(['inner'], { principals, invite_only: true })
  await owner.call('PATCH', '/realm', { newcomer_messages: 1 })
  await ann.send('general', 'talk', 'Hello')
  const early = await young.send('inner', 'talk', 'Hello')
  const look = await watch({ ann, guest }, FOR_COMMUNITIES)
  const lookOlder = await watch({ ann }, { event_types: ['lock_down'] })
  const { ends_at } = await moderator.call('POST', '/lock_down')
  expect(ends_at - Date.now() / 1000).toBeGreaterThan(3_500)
  const outcomes = []
  for (const one of people) outcomes.push([await trySend(one, 'general'), await trySend(one, 'inner')])
  expect(outcomes).toEqual([
    ['done', 'done'],
    ['done', 'done'],
    [LOCKED, 'done'],
    [LOCKED, 'done'],
    ['done', 'done'],
  ])
  const { stream_id: general } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  await owner.call('PATCH', '/realm', { new_stream_announcements_stream_id: general })
  const create = async (creator: TestUser, more: Parameters): Promise<unknown> =>
    said(await creator.try('POST', '/channels/create', { name: 'new', subscribers: [creator.id], ...more }))
  expect(await create(young, { invite_only: true, subscribers: [young.id, ann.id] })).toBe(NOT_ADDED)
  expect(await create(young, { announce: true })).toBe(LOCKED)
  expect(await create(young, { invite_only: true })).toBe('done')
  expect(await create(ann, { name: 'other', announce: true, subscribers: [ann.id, young.id] })).toBe('done')
  expect(await trySend(await makeBot(young, 'Helper'), 'general')).toBe(LOCKED)
  expect(said(await young.try('PATCH', `/messages/${early}`, { stream_id: general }))).toBe(LOCKED)
  const { state } = await young.register(FOR_COMMUNITIES)
  expect(state).toMatchObject({ lock_down: ends_at })
  await moderator.call('DELETE', '/lock_down')
  expect(await trySend(young, 'general')).toBe('done')
  const events = [ends_at, null].map((end) => ({ type: 'lock_down', op: 'update', ends_at: end }))
  expect(await look()).toEqual({ ann: events, guest: events })
  expect(await lookOlder()).toEqual({ ann: [] })
  const { entries } = await owner.call('GET', '/audit_log', { kind: 'settings', user_id: moderator.id })
  expect(entries).toMatchObject([
    { action: 'lock_down_ended', changes: [{ property: 'lock_down_ends_at', from: ends_at, to: null }] },
    { action: 'locked_down', changes: [{ property: 'lock_down_ends_at', from: null, to: ends_at }] },
  ])
})

it('refuses what was sent or edited before the lock-down but not yet stored', async () => {
  const organization = await server().organization()
  const { owner, user } = organization
  const [ann, moderator] = [await user('Ann'), await user('Mod', { role: ROLE.moderator })]
  await owner.subscribe(['general'], { principals: [owner, ann, moderator].map(({ id }) => id) })
  const id = await ann.send('general', 'talk', 'Hello')
  const release = await blockWriter(server().parley, organization, async (tx) => changeLockDown(tx, tx.now + 3_600))
  const sending = trySend(ann, 'general')
  const editing = ann.try('PATCH', `/messages/${id}`, { content: 'Spam' })
  const byModerator = trySend(moderator, 'general')
  // Once a later request has been answered, these wait for the lock.
  await ann.call('GET', '/users/me')
  release()
  expect([await sending, said(await editing), await byModerator]).toEqual([LOCKED, LOCKED, 'done'])
})

it('stops registrations and joining by link, but not by personal invitations, which only moderators send', async () => {
  const { owner, user } = await server().organization()
  const [ann, moderator] = [await user('Ann'), await user('Mod', { role: ROLE.moderator })]
  await owner.call('PATCH', '/realm', { invite_required: false })
  const [link, personal] = [await createLinkToken(owner), await invitePerson(mails, owner)]
  await owner.call('POST', '/lock_down')
  for (const token of [undefined, link]) {
    const asked = await callFromBrowser(owner, '/registrations', { email: newAddress(), ...(token && { token }) })
    expect([token, said(asked)]).toEqual([token, CLOSED])
  }
  expect(await owner.call('GET', '/join/organization')).toMatchObject({ can_register: false })
  const invite = { invitee_emails: newAddress(), stream_ids: [], notify_referrer_on_join: false }
  expect(said(await ann.try('POST', '/invites', invite))).toBe(
    'The organization is locked down: for now, only moderators can invite people.',
  )
  expect(said(await moderator.try('POST', '/invites', invite))).toBe('done')
  await owner.call('PATCH', '/realm', { newcomer_days: 1 })
  expect(said(await join(owner, personal, { full_name: 'www.example.com' }))).toBe('Names cannot contain links.')
  expect((await join(owner, personal)).status).toBe(200)
  await owner.call('DELETE', '/lock_down')
  expect(said(await callFromBrowser(owner, '/registrations', { email: newAddress() }))).toBe('done')
})

it('ends by itself, and lets only moderators start and end it', async () => {
  const { owner, user, id } = await server().organization()
  const [ann, moderator] = [await user('Ann'), await user('Mod', { role: ROLE.moderator })]
  for (const method of ['POST', 'DELETE']) {
    expect(said(await ann.try(method, '/lock_down'))).toBe('Must be an organization moderator')
  }
  expect(said(await owner.try('DELETE', '/lock_down'))).toBe('The organization is not locked down.')
  for (const seconds of [MIN_LOCK_DOWN_SECONDS - 1, MAX_LOCK_DOWN_SECONDS + 1]) {
    expect((await moderator.try('POST', '/lock_down', { seconds })).status).toBe(400)
  }
  const queue = await ann.register(FOR_COMMUNITIES)
  await moderator.call('POST', '/lock_down', { seconds: MIN_LOCK_DOWN_SECONDS })
  expect(await queue.next()).toMatchObject([{ type: 'lock_down' }])
  await moderator.call('POST', '/lock_down', { seconds: MAX_LOCK_DOWN_SECONDS })
  expect(await queue.next()).toMatchObject([{ type: 'lock_down' }])
  const log = await server().parley.logs.of(id)
  await log.write(async (tx) => changeLockDown(tx, tx.now - 1))
  await expect.poll(async () => (await owner.register(FOR_COMMUNITIES)).state).toMatchObject({ lock_down: null })
  const { entries } = await owner.call('GET', '/audit_log', { kind: 'settings' })
  expect(entries[0]).toMatchObject({ acting_user_id: null, action: 'lock_down_ended' })
})
