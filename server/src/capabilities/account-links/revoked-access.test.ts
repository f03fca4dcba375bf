import { beforeAll, expect, it } from 'vitest'
import { runHere } from '../../testing/command-line.ts'
import { signIn } from '../../testing/browser.ts'
import { tokenIn, useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, type Answer, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { bearer, makeToken } from '../api-tokens/testing/tokens.ts'
import { makeBot } from '../bots/testing/bots.ts'
import { addressFor, GONE, idOf, messagesIn, send, TAKES } from '../incoming-mail/testing/scene.ts'
import { makePasskey } from '../passkeys/testing/devices.ts'
import { pushService, subscribe } from '../web-push/testing/scene.ts'
import type { TestAuthenticator } from '../../testing/authenticator.ts'

const mails = await useMailServer()
const server = useTestServer({ ...TAKES, PARLEY_SMTP_URL: mails.url })
const PASSWORD = 'seven purple elephants'
let organization: TestOrganization

beforeAll(async () => {
  organization = await server().organization('Acme', { password: 'correct horse battery' })
})

async function ask(at: TestUser, path: string, parameters: Parameters): Promise<Answer> {
  return callApi(at.url, at.host, 'POST', path, parameters, { headers: { 'sec-fetch-site': 'same-origin' } })
}

async function passkeyLogin(user: TestUser, device: TestAuthenticator): Promise<Answer> {
  const { body } = await ask(user, '/login/passkey/begin', {})
  return ask(user, '/login/passkey', { credential: device.sign(body['options']) })
}

async function leaveAccess(victim: TestUser) {
  await victim.subscribe(['news'])
  const channel = await idOf(victim, 'news')
  const bot = await makeBot(victim, `Helper${victim.id} Bot`)
  const browser = await signIn(victim)
  await subscribe(browser, (await pushService()).device())
  return {
    browser,
    device: (await makePasskey(victim)).device,
    token: (await makeToken(victim)).token,
    bot,
    channel,
    to: await addressFor(victim, channel, { sender_id: victim.id }),
  }
}

type Access = Awaited<ReturnType<typeof leaveAccess>>

async function expectNoAccess(victim: TestUser, { browser, device, token, bot, to }: Access): Promise<void> {
  expect((await browser.try('GET', '/users/me')).body['code']).toBe('UNAUTHENTICATED_USER')
  expect((await passkeyLogin(victim, device)).status).toBe(401)
  expect((await bearer(victim, token, 'GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
  for (const user of [victim, bot]) expect((await user.try('GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
  expect(await send(server(), { to })).toEqual(GONE)
}

it('ends all access an intruder added when the owner resets the password by email', async () => {
  const ann = await organization.user('Ann')
  const bystander = await organization.user('Ben')
  const others = await leaveAccess(bystander)
  const access = await leaveAccess(ann)
  await ann.call('PATCH', '/settings', { email: 'intruder@example.org' })
  const pending = tokenIn(await mails.next('intruder@example.org'))
  const look = await watch({ bystander })
  await ask(ann, '/password_reset', { email: ann.email })
  const token = tokenIn(await mails.next(ann.email, /^Reset your password/))
  const { status, body } = await ask(ann, '/password_reset/confirm', { token, password: PASSWORD })
  expect([status, body['revoked']]).toEqual([
    200,
    {
      sessions: 1,
      passkeys: 1,
      api_tokens: 1,
      identities: 0,
      channel_addresses: 1,
      push_subscriptions: 1,
      bot_keys: 1,
    },
  ])
  await expectNoAccess(ann, access)
  expect((await ask(ann, '/email/confirm', { token: pending })).status).toBe(401)
  expect(await messagesIn(bystander, access.channel)).toEqual([])
  expect(await look()).toEqual({ bystander: [] })
  expect((await others.bot.try('GET', '/users/me')).status).toBe(200)
  expect((await passkeyLogin(bystander, others.device)).status).toBe(200)
  expect((await bearer(bystander, others.token, 'GET', '/users/me')).status).toBe(200)
  expect((await send(server(), { to: others.to })).code).toBe(250)
})

it('ends all access an intruder added when the operator changes the password', async () => {
  const ann = await organization.user('Ann')
  const access = await leaveAccess(ann)
  const { database, user, host } = server().database
  const url = `postgres://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${server().database.port}`
  const subdomain = organization.host.split('.', 1)[0] ?? ''
  const args = ['user', 'password', ann.email, '--organization', subdomain]
  const { code, stderr } = await runHere(args, { DATABASE_URL: url, PARLEY_ROOT_DOMAIN: 'parley.test' })
  expect([code, stderr]).toEqual([
    0,
    'Replaced the API key and revoked sessions: 1, passkeys: 1, API tokens: 1, channel addresses: 1, push subscriptions: 1, bot API keys: 1.\n',
  ])
  await expect.poll(async () => (await ann.try('GET', '/users/me')).status).toBe(401)
  await expectNoAccess(ann, access)
})

it('revokes API tokens when their owner replaces the API key or changes the password', async () => {
  const { owner } = await server().organization('Birch', { password: 'correct horse battery' })
  const first = (await makeToken(owner, { password: 'correct horse battery' })).token
  await owner.call('PATCH', '/settings', { old_password: 'correct horse battery', new_password: PASSWORD })
  expect((await bearer(owner, first, 'GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
  const second = (await makeToken(owner, { password: PASSWORD })).token
  await owner.call('POST', '/users/me/api_key/regenerate')
  expect((await bearer(owner, second, 'GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
})
