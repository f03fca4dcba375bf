import { expect, it } from 'vitest'
import { ROLE, type Role } from '../../kernel/actor.ts'
import { browserOf } from '../../testing/browser.ts'
import { runJob } from '../../testing/jobs.ts'
import { namedStatementsDuring } from '../../testing/statements.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, type Answer, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { copyMessage } from '../history/testing/copied-messages.ts'
import { hashNewPassword, setPassword } from '../authentication/actions/index.ts'
import { knownUser } from '../users/rules/index.ts'
import { endExpiredBans } from './jobs.ts'
import { SENT_MESSAGES_PER_PAGE } from './queries.ts'

const server = useTestServer()

const PASSWORD = 'correct horse'
const DAY_SECONDS = 86_400
const CAPABLE = { client_capabilities: { bans: true } }
const BAN_EVENTS = { ...CAPABLE, event_types: ['bans', 'realm_user'] }

function refusal({ status, body }: Answer): unknown[] {
  return [status, body['msg']]
}

async function login(user: TestUser, password = PASSWORD): Promise<Answer> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  return callApi(user.url, user.host, 'POST', '/login', { username: user.email, password }, { headers })
}

async function givePassword({ id }: TestOrganization, user: TestUser): Promise<void> {
  const hash = await hashNewPassword(PASSWORD)
  const log = await server().parley.logs.of(id)
  await log.write(async (tx) => setPassword(tx, knownUser(tx.organization, user.id), hash))
}

async function endBanNow({ id }: TestOrganization, user: TestUser): Promise<void> {
  const values = [id, user.id]
  await server().parley.database.pool.query(
    'update bans set ends_at = 1 where organization_id = $1 and user_id = $2',
    values,
  )
}

it('lets only moderators and above ban people whose role is below theirs', async () => {
  const { owner, user } = await server().organization()
  const roles = Object.values(ROLE)
  const people = new Map<Role, TestUser>(
    await Promise.all(
      roles.map(async (role): Promise<[Role, TestUser]> => [role, await user(`Actor ${role}`, { role })]),
    ),
  )
  const bot = await user('Bot', { bot: { ownerId: owner.id } })
  for (const [actorRole, actor] of people) {
    for (const role of roles) {
      const target = await user(`Target ${role}`, { role })
      const isAllowed = actorRole <= ROLE.moderator && role > actorRole
      const given = await actor.try('POST', `/users/${target.id}/ban`, { reason: 'Spam' })
      expect([actorRole, role, given.status]).toEqual([actorRole, role, isAllowed ? 200 : 400])
      const lifted = await actor.try('DELETE', `/users/${target.id}/ban`)
      expect([actorRole, role, lifted.status]).toEqual([actorRole, role, isAllowed ? 200 : 400])
    }
    expect((await actor.try('GET', '/bans')).status).toBe(actorRole <= ROLE.moderator ? 200 : 400)
    expect((await actor.try('POST', `/users/${bot.id}/ban`, { reason: 'Spam' })).status).toBe(400)
  }
})

it('ends all access of a banned person and their bots, and shows the ban only to moderators', async () => {
  const organization = await server().organization()
  const { owner, user } = organization
  const [mo, sam, member] = [await user('Mo', { role: ROLE.moderator }), await user('Sam'), await user('Mia')]
  const bot = await user('Bot', { bot: { ownerId: sam.id } })
  await givePassword(organization, sam)
  const browser = browserOf(sam, await login(sam))
  const queue = await sam.register()
  const look = await watch({ owner, mo, member }, BAN_EVENTS)
  const lookOld = await watch({ mo }, { event_types: ['bans'] })
  await mo.call('POST', `/users/${sam.id}/ban`, { reason: 'Spam in *general*', duration_seconds: DAY_SECONDS })
  const gone = [sam, bot].map(({ id }) => ({ type: 'realm_user', person: { user_id: id, is_active: false } }))
  const banned = [...gone, { type: 'bans', op: 'add', user_id: sam.id }]
  expect(await look()).toMatchObject({ owner: banned, mo: banned, member: gone })
  expect((await lookOld()).mo).toEqual([])
  const { bans } = await owner.call('GET', '/bans')
  expect(bans).toMatchObject([{ user_id: sam.id, reason: 'Spam in *general*', banned_by: mo.id }])
  expect((bans[0]?.ends_at ?? 0) - (bans[0]?.banned_at ?? 0)).toBe(DAY_SECONDS)
  for (const account of [sam, bot])
    expect((await account.try('GET', '/users/me')).body['code']).toBe('USER_DEACTIVATED')
  expect((await browser.try('GET', '/users/me')).status).toBe(401)
  expect((await sam.try('GET', '/events', { queue_id: queue.id, last_event_id: -1 })).status).toBe(401)
  expect(
    refusal(await owner.try('POST', '/users', { email: sam.email, full_name: 'Sam 2', password: PASSWORD })),
  ).toEqual([400, `Email '${sam.email}' already in use`])
  const { entries } = await owner.call('GET', '/audit_log', { user_id: sam.id })
  expect(entries.find(({ action }) => action === 'banned')).toMatchObject({
    acting_user_id: mo.id,
    target: { id: sam.id },
    changes: [
      { property: 'ban_reason', to: 'Spam in *general*' },
      { property: 'banned_until', to: bans[0]?.ends_at },
    ],
  })
})

it('tells a banned person the reason and end only with the right password', async () => {
  const organization = await server().organization()
  const { owner, user } = organization
  const sam = await user('Sam')
  await givePassword(organization, sam)
  await owner.call('POST', `/users/${sam.id}/ban`, { reason: 'Spam', duration_seconds: DAY_SECONDS })
  expect(refusal(await login(sam, 'wrong horse'))).toEqual([401, 'Your username or password is incorrect'])
  const { status, body } = await login(sam)
  expect([status, body['code']]).toEqual([401, 'USER_DEACTIVATED'])
  expect(body['msg']).toMatch(/^You are banned until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Reason: Spam$/)
  await owner.call('DELETE', `/users/${sam.id}/ban`)
  expect((await login(sam)).status).toBe(200)
  await owner.call('POST', `/users/${sam.id}/ban`, { reason: 'Again' })
  expect(refusal(await login(sam))).toEqual([401, 'You are banned. Reason: Again'])
})

it('ends a ban when its time is over, but not if the account was deactivated meanwhile', async () => {
  const organization = await server().organization()
  const { owner, user } = organization
  const [sam, tom, una] = [await user('Sam'), await user('Tom'), await user('Una')]
  for (const { id } of [sam, tom, una]) {
    await owner.call('POST', `/users/${id}/ban`, { reason: 'Spam', duration_seconds: DAY_SECONDS })
  }
  await owner.call('DELETE', `/users/${tom.id}`)
  const look = await watch({ owner }, BAN_EVENTS)
  await endBanNow(organization, sam)
  await runJob(server().parley, endExpiredBans)
  await runJob(server().parley, endExpiredBans)
  const log = await server().parley.logs.of(organization.id)
  expect([sam, tom, una].map(({ id }) => knownUser(log.organization, id).isActive)).toEqual([true, false, false])
  expect((await look()).owner).toMatchObject([
    { type: 'bans', op: 'remove', user_id: sam.id },
    { type: 'realm_user', person: { user_id: sam.id, is_active: true } },
  ])
  expect((await owner.call('GET', '/bans')).bans).toMatchObject([{ user_id: una.id }])
  await owner.call('POST', `/users/${una.id}/reactivate`)
  expect((await owner.call('GET', '/bans')).bans).toEqual([])
})

it('lists bans in pages, the most recent first', async () => {
  const { id, owner, user } = await server().organization()
  const people = await Promise.all(Array.from({ length: 5 }, async (_, n) => user(`Person ${n}`)))
  for (const person of people) await owner.call('POST', `/users/${person.id}/ban`, { reason: 'Spam' })
  // Three at once.
  await server().parley.database.pool.query(
    `update bans set banned_at = least(number, 3) from (
       select user_id as id, row_number() over (order by user_id) as number from bans where organization_id = $1) numbered
     where organization_id = $1 and user_id = id`,
    [id],
  )
  const newestFirst = people.map((person) => person.id).toSorted((a, b) => b - a)
  const listed: number[] = []
  let place = {}
  for (const hasOlder of [true, true, false]) {
    const { bans, has_older } = await owner.call('GET', '/bans', { limit: 2, ...place })
    expect(has_older).toBe(hasOlder)
    listed.push(...bans.map(({ user_id: userId }) => userId))
    place = { before: bans.at(-1)?.banned_at, before_user_id: bans.at(-1)?.user_id }
  }
  expect(listed).toEqual(newestFirst)
  expect((await owner.call('GET', '/bans', { before: 3 })).bans).toHaveLength(2)
})

it('keeps peers of a banned administrator from ending the ban', async () => {
  const { owner, user } = await server().organization()
  const [ada, abe] = [await user('Ada', { role: ROLE.administrator }), await user('Abe', { role: ROLE.administrator })]
  await owner.call('POST', `/users/${abe.id}/ban`, { reason: 'Spam' })
  for (const [method, path, input] of [
    ['DELETE', `/users/${abe.id}/ban`],
    ['POST', `/users/${abe.id}/reactivate`],
    ['DELETE', `/users/${abe.id}`],
    ['PATCH', `/users/${abe.id}`, { role: ROLE.member }],
  ] as const) {
    expect([method, path, (await ada.try(method, path, input)).status]).toEqual([method, path, 400])
  }
  expect((await owner.call('GET', '/bans')).bans).toMatchObject([{ user_id: abe.id }])
  await owner.call('POST', `/users/${abe.id}/reactivate`)
  await owner.call('DELETE', `/users/${abe.id}`)
  await ada.call('POST', `/users/${abe.id}/reactivate`)
})

it('deletes what a banned person and their bots wrote shortly before the ban, without searching in transactions', async () => {
  const { owner, user } = await server().organization()
  const [mo, sam] = [await user('Mo', { role: ROLE.moderator }), await user('Sam')]
  const bot = await user('Bot', { bot: { ownerId: sam.id } })
  await owner.subscribe(['den'], { principals: [owner.id, sam.id, bot.id] })
  await owner.subscribe(['club'], { principals: [owner.id, sam.id], invite_only: true })
  const own = await owner.send('den', 'plans', 'Hello')
  const [spam, hidden] = [await sam.send('den', 'plans', 'Buy'), await sam.send('club', 'plans', 'Buy')]
  const byBot = await bot.send('den', 'plans', 'Buy more')
  const direct = await sam.sendTo([owner.id], 'Buy')
  await copyMessage(server().parley.database.pool, hidden, { from: 1_001, to: 1_000 + SENT_MESSAGES_PER_PAGE })
  const path = `/users/${sam.id}/ban/delete_messages`
  expect(refusal(await mo.try('POST', path, { within_seconds: 3_600 }))).toEqual([400, 'User is not banned.'])
  await mo.call('POST', `/users/${sam.id}/ban`, { reason: 'Spam' })
  const look = await watch({ owner }, { event_types: ['delete_message'] })
  const statements = await namedStatementsDuring(server().database, async () => {
    expect((await mo.call('POST', path, { within_seconds: 3_600 })).complete).toBe(true)
  })
  const isSearch = ({ text }: { text: string }): boolean => /from messages\b[^]*order by (?:m\.)?id desc/.test(text)
  const inTransactions = statements.slice(statements.findIndex(({ text }) => text === 'begin'))
  expect([statements.some(isSearch), inTransactions.some(isSearch)]).toEqual([true, false])
  expect((await look()).owner).toMatchObject([{ type: 'delete_message', message_ids: [spam, byBot] }])
  const left = await Promise.all(
    [own, spam, byBot, hidden, direct].map(async (id) => (await owner.try('GET', `/messages/${id}`)).status),
  )
  expect(left).toEqual([200, 400, 400, 200, 200])
})

it('refuses bans without a reason, of missing people, and of banned people', async () => {
  const { owner, user } = await server().organization()
  const sam = await user('Sam')
  for (const [id, reason, msg] of [
    [sam.id, ' ', 'A ban needs a reason.'],
    [sam.id, 'Sp\u0007am', 'Invalid character in reason.'],
    [999_999, 'Spam', 'No such user'],
  ] as const) {
    expect(refusal(await owner.try('POST', `/users/${id}/ban`, { reason }))).toEqual([400, msg])
  }
  for (const given of [{ reason: 'x'.repeat(1_001) }, { reason: 'Spam', duration_seconds: 59 }]) {
    expect((await owner.try('POST', `/users/${sam.id}/ban`, given)).status).toBe(400)
  }
  await owner.call('POST', `/users/${sam.id}/ban`, { reason: 'x'.repeat(1_000), duration_seconds: 60 })
  expect(refusal(await owner.try('POST', `/users/${sam.id}/ban`, { reason: 'Spam' }))).toEqual([
    400,
    'The account is not active.',
  ])
})
