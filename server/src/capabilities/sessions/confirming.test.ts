import { beforeEach, describe, expect, it } from 'vitest'
import { ROLE } from '../../kernel/actor.ts'
import { ageSessions } from '../../testing/age.ts'
import { signIn, type TestBrowser } from '../../testing/browser.ts'
import type { EventFields } from '../../testing/contract-types.ts'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, type Answer, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { idOf, TAKES } from '../incoming-mail/testing/scene.ts'
import { makePasskey } from '../passkeys/testing/devices.ts'
import type { TestAuthenticator } from '../../testing/authenticator.ts'
import { CONFIRMED_SECONDS } from './contract.ts'

const server = useTestServer(TAKES)
const PASSWORD = 'correct horse battery'
let organization: TestOrganization
let owner: TestUser
let ann: TestUser
let channel: number
let bot: TestUser
let others: TestUser

beforeEach(async () => {
  organization = await server().organization('Acme', { password: PASSWORD })
  owner = organization.owner
  ann = await organization.user('Ann Able')
  bot = await organization.user('Bea Bot', { bot: { ownerId: owner.id } })
  others = await organization.user('Otto Bot', { bot: { ownerId: ann.id } })
  await owner.subscribe(['news'])
  channel = await idOf(owner, 'news')
})

/** Signs a browser in, and makes its session too old for sensitive changes. */
async function oldBrowser(user: TestUser): Promise<TestBrowser> {
  const browser = await signIn(user)
  await ageSessions(server().database, organization.id, user.id, CONFIRMED_SECONDS)
  return browser
}

function expectRefused({ status, body }: Answer, methods: readonly string[]): void {
  expect([status, body]).toEqual([
    403,
    { result: 'error', code: 'CONFIRMATION_REQUIRED', msg: 'Confirm your identity.', methods },
  ])
}

async function answerOf(user: TestUser, device: TestAuthenticator) {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const { body } = await callApi(user.url, user.host, 'POST', '/login/passkey/begin', {}, { headers })
  return device.sign(body['options'])
}

/** Requests that give lasting access to an account, as an owner sends them. */
const CHANGES: Readonly<Record<string, () => readonly [method: string, path: string, parameters?: Parameters]>> = {
  'a new email address': () => ['PATCH', '/settings', { email: 'another@example.org', full_name: 'Ines' }],
  'a new email address at the legacy path': () => ['PATCH', '/settings/display', { email: 'another@example.org' }],
  'a new API key': () => ['POST', '/users/me/api_key/regenerate'],
  'a channel address that posts as the person': () => ['GET', mailPath(), { sender_id: owner.id }],
  'a renewed channel address': () => ['POST', mailPath(), { sender_id: owner.id }],
  "another person's email address": () => ['PATCH', `/users/${ann.id}`, { new_email: 'another@example.org' }],
  "another person's email address, named by it": () => ['PATCH', `/users/${ann.email}`, { new_email: 'x@example.org' }],
  "another person's password link": () => ['POST', `/users/${ann.id}/password_link`],
  'a new administrator': () => ['PATCH', `/users/${ann.id}`, { role: ROLE.administrator }],
  'a new owner, named by email': () => ['PATCH', `/users/${ann.email}`, { role: ROLE.owner }],
  'an invitation as administrator': () => [
    'POST',
    '/invites',
    { invitee_emails: 'zoe@example.org', invite_as: ROLE.administrator, stream_ids: [] },
  ],
  'an invite link for owners': () => ['POST', '/invites/multiuse', { invite_as: ROLE.owner, stream_ids: [] }],
  'a new bot': () => ['POST', '/bots', { full_name: 'New', short_name: 'new' }],
  'the API keys of all bots': () => ['GET', '/bots'],
  'the API key of a bot': () => ['GET', `/bots/${bot.id}/api_key`],
  'a new API key of a bot': () => ['POST', `/bots/${bot.id}/api_key/regenerate`],
  "ownership of another person's bot": () => ['PATCH', `/bots/${others.id}`, { bot_owner_id: owner.id }],
  'an administrator bot': () => ['PATCH', `/bots/${bot.id}`, { role: ROLE.administrator }],
  "removal of another person's second factor": () => ['DELETE', `/users/${ann.id}/second_factor`],
}

const mailPath = () => `/streams/${channel}/email_address`

describe('confirmation in an old session', () => {
  it.each(Object.entries(CHANGES))('requires confirmation for %s', async (_, change) => {
    const browser = await oldBrowser(owner)
    const look = await watch({ owner, ann })
    expectRefused(await browser.try(...change()), ['password'])
    expect(await look()).toEqual({ owner: [], ann: [] })
    await browser.call('POST', '/session/confirm', { password: PASSWORD })
    expect((await browser.try(...change())).status).toBe(200)
  })

  it.each(Object.entries(CHANGES))('does not require confirmation for %s with the API key', async (_, change) => {
    await oldBrowser(owner)
    expect((await owner.try(...change())).status).toBe(200)
  })

  it('requires no confirmation for other changes', async () => {
    const browser = await oldBrowser(owner)
    const changes: readonly (readonly [string, string, Parameters?])[] = [
      ['PATCH', '/settings', { full_name: 'Ines Other', email: owner.email }],
      ['PATCH', `/users/${ann.id}`, { full_name: 'Ann Other', new_email: ann.email }],
      ['GET', mailPath()],
      ['PATCH', `/users/${ann.id}`, { role: ROLE.moderator }],
      ['PATCH', `/bots/${bot.id}`, { full_name: 'Bea Other' }],
      ['POST', '/invites/multiuse', { stream_ids: [] }],
    ]
    for (const change of changes) expect((await browser.try(...change)).status).toBe(200)
  })

  it('deactivates the account only after confirmation', async () => {
    const second = await organization.user('Olga Owner', { role: ROLE.owner })
    const browser = await oldBrowser(second)
    expectRefused(await browser.try('DELETE', '/users/me'), [])
    expect((await second.try('GET', '/users/me')).status).toBe(200)
    await second.call('DELETE', '/users/me')
    expect((await second.try('GET', '/users/me')).body['code']).toBe('USER_DEACTIVATED')
  })

  it("keeps bot API keys out of an old session's queue", async () => {
    const browser = await oldBrowser(owner)
    const [own, page] = [await owner.register(), await browser.call('POST', '/register')]
    const keysIn = (bots: unknown): unknown[] => objectsIn(bots).map((one) => one['api_key'])
    expect(keysIn(own.state['realm_bots'])).toEqual([bot.apiKey, others.apiKey])
    expect(keysIn(page['realm_bots'])).toEqual(['', ''])
    const { api_key: key } = await owner.call('POST', `/bots/${bot.id}/api_key/regenerate`)
    await owner.call('POST', '/bots', { full_name: 'New', short_name: 'new' })
    const { events } = await browser.call('GET', '/events', { queue_id: page['queue_id'], last_event_id: -1 })
    const keysInEvents = (list: readonly EventFields[]): unknown[] =>
      keysIn(list.filter(({ type }) => type === 'realm_bot').map((event) => event['bot']))
    expect(keysInEvents(events)).toEqual(['', ''])
    expect(keysInEvents(await own.events())).toEqual([key, expect.stringMatching(/./)])
  })

  it("accepts only the person's own passkey as confirmation", async () => {
    const { device } = await makePasskey(owner, PASSWORD)
    const { device: other } = await makePasskey(ann)
    const browser = await oldBrowser(owner)
    expectRefused(await browser.try('POST', '/users/me/api_key/regenerate'), ['password', 'passkey'])
    const foreign = await browser.try('POST', '/session/confirm/passkey', { credential: await answerOf(ann, other) })
    expect([foreign.status, foreign.body['code']]).toEqual([401, 'AUTHENTICATION_FAILED'])
    expectRefused(await browser.try('POST', '/users/me/api_key/regenerate'), ['password', 'passkey'])
    const credential = await answerOf(owner, device)
    await browser.call('POST', '/session/confirm/passkey', { credential })
    await browser.call('POST', '/users/me/api_key/regenerate')
    const again = await browser.try('POST', '/session/confirm/passkey', { credential })
    expect([again.status, again.body['code']]).toEqual([401, 'AUTHENTICATION_FAILED'])
  })

  it('rejects a wrong password and limits confirmation to the browser and a short time', async () => {
    const [browser, other] = [await oldBrowser(owner), await oldBrowser(owner)]
    for (const password of ['', 'wrong']) {
      const { status, body } = await browser.try('POST', '/session/confirm', { password })
      expect([status, body['msg']]).toEqual([400, 'Wrong password!'])
    }
    await browser.call('POST', '/session/confirm', { password: PASSWORD })
    expectRefused(await other.try('PATCH', '/settings', { email: 'another@example.org' }), ['password'])
    await ageSessions(server().database, organization.id, owner.id, CONFIRMED_SECONDS)
    expectRefused(await browser.try('PATCH', '/settings', { email: 'another@example.org' }), ['password'])
  })

  it('requires a new sign-in to add access to an account without a password', async () => {
    const browser = await oldBrowser(ann)
    const changes: readonly (readonly [string, string, Parameters?])[] = [
      ['POST', '/passkeys/begin'],
      ['POST', '/api_tokens', { name: 'Backup' }],
      ['POST', '/second_factor'],
      ['PATCH', '/settings', { email: 'another@example.org' }],
    ]
    for (const change of changes) expectRefused(await browser.try(...change), [])
    expect((await browser.try('POST', '/session/confirm', { password: '' })).body['msg']).toBe('Wrong password!')
    const recent = await signIn(ann)
    for (const change of changes) expect((await recent.try(...change)).status).toBe(200)
  })

  it('removes a passkey after confirmation with it on an account without a password', async () => {
    const { device, id } = await makePasskey(ann)
    const browser = await oldBrowser(ann)
    expectRefused(await browser.try('DELETE', `/passkeys/${id}`), ['passkey'])
    await browser.call('POST', '/session/confirm/passkey', { credential: await answerOf(ann, device) })
    await browser.call('DELETE', `/passkeys/${id}`)
  })
})

it('rejects confirmations without a session', async () => {
  const { device } = await makePasskey(ann)
  for (const answer of [
    await owner.try('POST', '/session/confirm', { password: PASSWORD }),
    await ann.try('POST', '/session/confirm/passkey', { credential: await answerOf(ann, device) }),
  ]) {
    expect([answer.status, answer.body['msg']]).toEqual([400, 'This request requires a session'])
  }
})
