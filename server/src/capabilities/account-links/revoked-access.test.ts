import { beforeAll, expect, it } from 'vitest'
import { ageSessions } from '../../testing/age.ts'
import { ROLE } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { runHere } from '../../testing/command-line.ts'
import { browserOf, signIn } from '../../testing/browser.ts'
import { tokenIn, useMailServer } from '../../testing/mail-server.ts'
import { textWithout } from '../../testing/expected.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, type Answer, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { callWithToken, makeToken } from '../api-tokens/testing/tokens.ts'
import { makeBot } from '../bots/testing/bots.ts'
import {
  addressFor,
  UNKNOWN_ADDRESS,
  channelIdOf,
  messagesIn,
  send,
  INCOMING_MAIL_SETTINGS,
} from '../incoming-mail/testing/scene.ts'
import {
  makeOutgoingBot,
  POLL_OPTIONS,
  waitForDeliveries,
  startTestWebServer,
} from '../outgoing-webhooks/testing/scene.ts'
import { makePasskey } from '../passkeys/testing/devices.ts'
import { CONFIRMATION_VALIDITY_SECONDS } from '../sessions/contract.ts'
import { setUsersActive } from '../users/actions/index.ts'
import type { UserRow } from '../users/queries/index.ts'
import { knownUser } from '../users/rules/index.ts'
import { startTestPushService, subscribeDevice } from '../web-push/testing/scene.ts'
import type { TestAuthenticator } from '../../testing/authenticator.ts'

const mails = await useMailServer()
const server = useTestServer({
  ...INCOMING_MAIL_SETTINGS,
  PARLEY_SMTP_URL: mails.url,
  PARLEY_OUTSIDE_ALLOW: 'localhost',
})
const PASSWORD = 'seven purple elephants'
let organization: TestOrganization

beforeAll(async () => {
  organization = await server().organization('Acme', { password: 'correct horse battery' })
})

async function tryToPost(at: TestUser, path: string, parameters: Parameters): Promise<Answer> {
  return callApi(at.url, at.host, 'POST', path, parameters, { headers: { 'sec-fetch-site': 'same-origin' } })
}

async function passkeyLogin(user: TestUser, device: TestAuthenticator): Promise<Answer> {
  const { body } = await tryToPost(user, '/login/passkey/begin', {})
  return tryToPost(user, '/login/passkey', { credential: device.sign(body['options']) })
}

async function createAccess(victim: TestUser) {
  await victim.subscribe(['news'])
  const channel = await channelIdOf(victim, 'news')
  const bot = await makeBot(victim, `Helper${victim.id} Bot`)
  const browser = await signIn(victim)
  await subscribeDevice(browser, (await startTestPushService()).device())
  await victim.call('POST', '/users/me/android_gcm_reg_id', { token: 'phone' })
  await victim.call('POST', '/users/me/apns_device_token', { token: 'ab01', appid: 'org.parley.phone' })
  const service = await startTestWebServer((_, response) => response.end())
  const outgoing = await makeOutgoingBot(victim, `http://localhost:${service.port}/`, {}, `out${victim.id}`)
  return {
    browser,
    service,
    outgoing,
    toOfBot: await addressFor(bot, channel),
    device: (await makePasskey(victim)).device,
    token: (await makeToken(victim)).token,
    bot,
    channel,
    to: await addressFor(victim, channel, { sender_id: victim.id }),
  }
}

type Access = Awaited<ReturnType<typeof createAccess>>

const REVOKED_COUNTS = {
  sessions: 1,
  passkeys: 1,
  api_tokens: 1,
  identities: 0,
  channel_addresses: 2,
  push_subscriptions: 1,
  push_tokens: 2,
  bot_keys: 2,
  outgoing_webhooks: 1,
  administrator_invitations: 0,
}

/** Whether a message to both bots reaches the URL of `to`. Waits until the message reaches the URL of `other`. */
async function isDelivered(sender: TestUser, to: Access, other: Access): Promise<boolean> {
  const before = [to, other].map(({ service }) => service.received.length)
  await sender.sendTo([to.outgoing.bot.id, other.outgoing.bot.id], 'Hello')
  await expect.poll(() => other.service.received.length, POLL_OPTIONS).toBe((before[1] ?? 0) + 1)
  await waitForDeliveries({ id: organization.id, server: server() })
  return to.service.received.length > (before[0] ?? 0)
}

async function expectNoAccess(victim: TestUser, access: Access): Promise<void> {
  const { browser, device, token, bot, to, toOfBot, outgoing } = access
  expect((await browser.try('GET', '/users/me')).body['code']).toBe('UNAUTHENTICATED_USER')
  expect((await passkeyLogin(victim, device)).status).toBe(401)
  expect((await callWithToken(victim, token, 'GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
  for (const user of [victim, bot, outgoing.bot]) {
    expect((await user.try('GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
  }
  for (const address of [to, toOfBot]) expect(await send(server(), { to: address })).toEqual(UNKNOWN_ADDRESS)
  const { service, is_paused } = await organization.owner.call('GET', `/bots/${outgoing.bot.id}/service`)
  expect([is_paused, service.token === outgoing.token]).toEqual([true, false])
}

it("revokes an intruder's access when the account's owner resets the password by email", async () => {
  const ann = await organization.user('Ann')
  const bystander = await organization.user('Ben')
  const others = await createAccess(bystander)
  const access = await createAccess(ann)
  await ann.call('PATCH', '/settings', { email: 'intruder@example.org' })
  const pending = tokenIn(await mails.next('intruder@example.org'))
  const look = await watch({ bystander })
  await tryToPost(ann, '/password_reset', { email: ann.email })
  const token = tokenIn(await mails.next(ann.email, /^Reset your password/))
  const answer = await tryToPost(ann, '/password_reset/confirm', { token, password: PASSWORD })
  expect([answer.status, answer.body['revoked']]).toEqual([200, REVOKED_COUNTS])
  await expectNoAccess(ann, access)
  const own = browserOf(ann, answer)
  expect((await own.call('GET', '/users/me/push_tokens'))['push_tokens']).toEqual([])
  expect((await tryToPost(ann, '/email/confirm', { token: pending })).status).toBe(401)
  expect(await messagesIn(bystander, access.channel)).toEqual([])
  expect(await look()).toEqual({ bystander: [] })
  expect(await isDelivered(bystander, access, others)).toBe(false)
  expect((await others.bot.try('GET', '/users/me')).status).toBe(200)
  expect((await passkeyLogin(bystander, others.device)).status).toBe(200)
  expect((await callWithToken(bystander, others.token, 'GET', '/users/me')).status).toBe(200)
  expect((await bystander.call('GET', '/users/me/push_tokens'))['push_tokens']).toHaveLength(2)
  expect((await send(server(), { to: others.to })).code).toBe(250)
  // The owner checks the URL and sets it again, which resumes the bot.
  const path = `/bots/${access.outgoing.bot.id}`
  await own.call('PATCH', path, { service_interface: 2 })
  expect(await own.call('GET', `${path}/service`)).toMatchObject({ is_paused: true })
  await own.call('PATCH', path, { service_payload_url: `http://localhost:${access.service.port}/` })
  expect(await own.call('GET', `${path}/service`)).toMatchObject({ is_paused: false })
  expect(await isDelivered(bystander, access, others)).toBe(true)
})

it('revokes administrator invitations on a password reset and keeps other invitations', async () => {
  const ada = await organization.user('Ada', { role: ROLE.administrator })
  await ada.call('POST', '/invites/multiuse', { invite_as: ROLE.administrator })
  await ada.call('POST', '/invites', { invitee_emails: 'zoe@example.org', invite_as: 200, stream_ids: [] })
  await ada.call('POST', '/invites/multiuse', {})
  await tryToPost(ada, '/password_reset', { email: ada.email })
  const token = tokenIn(await mails.next(ada.email, /^Reset your password/))
  const { body } = await tryToPost(ada, '/password_reset/confirm', { token, password: PASSWORD })
  expect(body['revoked']).toMatchObject({ administrator_invitations: 2 })
  const { invites } = await organization.owner.call('GET', '/invites')
  expect(invites.map(({ invited_as: role }) => role)).toEqual([ROLE.member])
})

it("revokes an intruder's access when the operator changes the password", async () => {
  const ann = await organization.user('Ann')
  const access = await createAccess(ann)
  const { database, user, host } = server().database
  const url = `postgres://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${server().database.port}`
  const subdomain = organization.host.split('.', 1)[0] ?? ''
  const args = ['user', 'password', ann.email, '--organization', subdomain]
  const { code, stderr } = await runHere(args, { DATABASE_URL: url, PARLEY_ROOT_DOMAIN: 'parley.test' })
  expect([code, stderr]).toEqual([
    0,
    'Replaced the API key and revoked sessions: 1, passkeys: 1, API tokens: 1, channel addresses: 2, push subscriptions: 1, push tokens: 2, bot API keys: 2, outgoing webhooks (paused): 1.\n',
  ])
  await expect.poll(async () => (await ann.try('GET', '/users/me')).status).toBe(401)
  await expectNoAccess(ann, access)
})

it('revokes API tokens when their owner replaces the API key or changes the password', async () => {
  const { owner } = await server().organization('Birch', { password: 'correct horse battery' })
  const first = (await makeToken(owner, { password: 'correct horse battery' })).token
  await owner.call('PATCH', '/settings', { old_password: 'correct horse battery', new_password: PASSWORD })
  expect((await callWithToken(owner, first, 'GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
  const second = (await makeToken(owner, { password: PASSWORD })).token
  await owner.call('POST', '/users/me/api_key/regenerate')
  expect((await callWithToken(owner, second, 'GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
})

it("revokes, on request, all access except the current browser's", async () => {
  const at = await server().organization('Cedar', { password: 'correct horse battery' })
  const { owner } = at
  await at.owner.subscribe(['news'])
  const { device } = await makePasskey(owner, 'correct horse battery')
  const [here, there, old] = [await signIn(owner), await signIn(owner), await signIn(owner)]
  const [kept, gone] = [(await startTestPushService()).device(), (await startTestPushService()).device()]
  await subscribeDevice(here, kept)
  await subscribeDevice(owner, gone)
  const ben = await at.user('Ben')
  const outgoing = await makeOutgoingBot(owner, 'https://hooks.example.org/')
  const to = await addressFor(owner, await channelIdOf(owner, 'news'))
  const token = (await makeToken(owner, { password: 'correct horse battery' })).token
  const queue = await here.register()
  await ageSessions(server().database, at.id, owner.id, CONFIRMATION_VALIDITY_SECONDS)
  expect((await here.try('POST', '/users/me/revoke_access')).body['code']).toBe('CONFIRMATION_REQUIRED')
  await here.call('PATCH', '/settings', { old_password: 'correct horse battery', new_password: PASSWORD })
  expect((await there.try('GET', '/users/me')).status).toBe(401)
  expect((await callWithToken(owner, token, 'GET', '/users/me')).status).toBe(401)
  // Passkeys and API keys still work until the owner revokes them.
  expect((await passkeyLogin(owner, device)).status).toBe(200)
  expect((await owner.try('GET', '/users/me')).status).toBe(200)
  const look = await watch({ ben })
  const { revoked } = await here.call('POST', '/users/me/revoke_access')
  expect(revoked).toEqual({
    ...REVOKED_COUNTS,
    api_tokens: 0,
    channel_addresses: 1,
    push_tokens: 0,
    bot_keys: 1,
  })
  expect((await passkeyLogin(owner, device)).status).toBe(401)
  for (const user of [owner, outgoing.bot]) expect((await user.try('GET', '/users/me')).status).toBe(401)
  expect((await old.try('GET', '/users/me')).status).toBe(401)
  expect(await send(server(), { to })).toEqual(UNKNOWN_ADDRESS)
  expect((await here.call('GET', '/push_subscriptions'))['push_subscriptions']).toMatchObject([{ is_current: true }])
  expect(await queue.events()).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'realm_bot' })]))
  expect(await look()).toEqual({ ben: [] })
  expect((await ben.try('POST', '/users/me/revoke_access')).body['msg']).toBe('This request requires a session')
})

it('revokes all access except the password on deactivation, and restores none on reactivation', async () => {
  const ann = await organization.user('Ann')
  const bystander = await organization.user('Ben')
  const [access, others] = [await createAccess(ann), await createAccess(bystander)]
  await organization.owner.call('DELETE', `/users/${ann.id}`)
  for (const user of [ann, access.bot])
    expect((await user.try('GET', '/users/me')).body['code']).toBe('USER_DEACTIVATED')
  await organization.owner.call('POST', `/users/${ann.id}/reactivate`)
  for (const id of [access.bot.id, access.outgoing.bot.id])
    await organization.owner.call('POST', `/users/${id}/reactivate`)
  await expectNoAccess(ann, access)
  expect(await isDelivered(bystander, access, others)).toBe(false)
})

it('ends access that deactivated accounts kept under an older server version, without sending email', async () => {
  const { owner } = organization
  const [ann, cora] = [await organization.user('Ann'), await organization.user('Cora')]
  const bystander = await organization.user('Ben')
  const others = await createAccess(bystander)
  const [access, orphaned] = [await createAccess(ann), await createAccess(cora)]
  for (const { email } of [ann, cora]) for (const about of [/passkey/, /API token/]) await mails.next(email, about)
  const log = await server().parley.logs.of(organization.id)
  const users = [ann, cora, access.bot, access.outgoing.bot, orphaned.bot, orphaned.outgoing.bot]
  const rowsIn = (state: OrganizationState): UserRow[] => users.map(({ id }) => knownUser(state, id))
  await log.operate(async (tx) => setUsersActive(tx, rowsIn(tx.organization), false))
  const look = await watch({ bystander }, { event_types: ['realm_bot', 'message'] })
  for (const { id } of [ann, access.bot, access.outgoing.bot, orphaned.bot, orphaned.outgoing.bot]) {
    await owner.call('POST', `/users/${id}/reactivate`)
  }
  await expectNoAccess(ann, access)
  // Reactivating Cora's bots made the organization's owner their owner.
  for (const bot of [orphaned.bot, orphaned.outgoing.bot]) {
    expect((await bot.try('GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
  }
  expect(await send(server(), { to: orphaned.toOfBot })).toEqual(UNKNOWN_ADDRESS)
  expect(await owner.call('GET', `/bots/${orphaned.outgoing.bot.id}/service`)).toMatchObject({
    is_paused: true,
    service: { token: textWithout(orphaned.outgoing.token) },
  })
  expect(await look()).toEqual({ bystander: [] })
  for (const paused of [access, orphaned]) expect(await isDelivered(bystander, paused, others)).toBe(false)
  await owner.call('POST', '/invites', { invitee_emails: 'later@example.org', stream_ids: [] })
  await mails.next('later@example.org')
  for (const { email } of [ann, cora]) expect(mails.received(email)).toEqual([])
})

it("revokes a transferred bot's channel email addresses but not those of its old and new owners", async () => {
  const [ann, bystander] = [await organization.user('Ann'), await organization.user('Ben')]
  const [access, others] = [await createAccess(ann), await createAccess(bystander)]
  await organization.owner.call('PATCH', `/bots/${access.bot.id}`, { bot_owner_id: bystander.id })
  expect(await send(server(), { to: access.toOfBot })).toEqual(UNKNOWN_ADDRESS)
  for (const to of [access.to, others.to, others.toOfBot]) expect((await send(server(), { to })).code).toBe(250)
})
