import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { capabilities } from '../../capabilities.ts'
import { ROLE } from '../../kernel/actor.ts'
import { ageSessions } from '../../testing/age.ts'
import { signIn, type TestBrowser } from '../../testing/browser.ts'
import type { EventFields } from '../../testing/contract-types.ts'
import { objectsIn } from '../../testing/json.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, type Answer, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { channelIdOf, INCOMING_MAIL_SETTINGS } from '../incoming-mail/testing/scene.ts'
import { makePasskey } from '../passkeys/testing/devices.ts'
import type { TestAuthenticator } from '../../testing/authenticator.ts'
import { CONFIRMATION_VALIDITY_SECONDS } from './contract.ts'

const server = useTestServer(INCOMING_MAIL_SETTINGS)
const PASSWORD = 'correct horse battery'
let organization: TestOrganization
let owner: TestUser
let ann: TestUser
let channel: number
let bot: TestUser
let otherUsersBot: TestUser
let deactivatedAdministrator: TestUser
let webhook: number
let ownerLink: number
const WEBHOOK_URL = 'https://hooks.example.org/'

beforeEach(async () => {
  organization = await server().organization('Acme', { password: PASSWORD })
  owner = organization.owner
  ann = await organization.user('Ann Able')
  bot = await organization.user('Bea Bot', { bot: { ownerId: owner.id } })
  otherUsersBot = await organization.user('Otto Bot', { bot: { ownerId: ann.id } })
  await owner.subscribe(['news'])
  channel = await channelIdOf(owner, 'news')
  deactivatedAdministrator = await organization.user('Greta Gone', { role: ROLE.administrator })
  await owner.call('DELETE', `/users/${deactivatedAdministrator.id}`)
  const hook = { full_name: 'Hook Bot', short_name: 'hook', bot_type: 3, payload_url: WEBHOOK_URL }
  webhook = (await owner.call('POST', '/bots', hook))['user_id']
  await owner.call('POST', '/invites/multiuse', { invite_as: ROLE.owner })
  ownerLink = (await owner.call('GET', '/invites')).invites[0]?.id ?? 0
  await owner.call('POST', '/realm/domains', { domain: 'example.org', allow_subdomains: false })
})

/** Signs a browser in, and makes its session too old for sensitive changes. */
async function signInWithOldSession(user: TestUser): Promise<TestBrowser> {
  const browser = await signIn(user)
  await ageSessions(server().database, organization.id, user.id, CONFIRMATION_VALIDITY_SECONDS)
  return browser
}

const CONFIRMATION_REQUIRED_RESPONSE = {
  result: 'error',
  code: 'CONFIRMATION_REQUIRED',
  msg: 'Confirm your identity.',
  methods: ['password'],
}

function expectRefused({ status, body }: Answer, methods: readonly string[]): void {
  expect([status, body]).toEqual([403, { ...CONFIRMATION_REQUIRED_RESPONSE, methods }])
}

async function signPasskeyLogin(user: TestUser, device: TestAuthenticator) {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const { body } = await callApi(user.url, user.host, 'POST', '/login/passkey/begin', {}, { headers })
  return device.sign(body['options'])
}

/** Requests that give lasting access to an account, as an owner sends them. */
const SENSITIVE_REQUESTS: Readonly<
  Record<string, () => readonly [method: string, path: string, parameters?: Parameters]>
> = {
  'a new email address': () => ['PATCH', '/settings', { email: 'another@example.org', full_name: 'Ines' }],
  'a new email address at the legacy path': () => ['PATCH', '/settings/display', { email: 'another@example.org' }],
  'a new API key': () => ['POST', '/users/me/api_key/regenerate'],
  'a channel address': () => ['GET', mailPath()],
  'a channel address that posts as the person': () => ['GET', mailPath(), { sender_id: owner.id }],
  'a channel address that posts as a bot': () => ['GET', mailPath(), { sender_id: bot.id }],
  'a renewed channel address': () => ['POST', mailPath()],
  "another person's email address": () => ['PATCH', `/users/${ann.id}`, { new_email: 'ann.other@example.org' }],
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
  "ownership of another person's bot": () => ['PATCH', `/bots/${otherUsersBot.id}`, { bot_owner_id: owner.id }],
  'an administrator bot': () => ['PATCH', `/bots/${bot.id}`, { role: ROLE.administrator }],
  'a new URL of an outgoing webhook': () => ['PATCH', `/bots/${webhook}`, { service_payload_url: `${WEBHOOK_URL}new` }],
  'the URL and token of an outgoing webhook': () => ['GET', `/bots/${webhook}/service`],
  'a new token of an outgoing webhook': () => ['POST', `/bots/${webhook}/service/regenerate_token`],
  'the link of an invitation as owner': () => ['GET', `/invites/${ownerLink}/link`],
  'a new account': () => [
    'POST',
    '/users',
    { email: 'zoe@example.org', password: 'seven purple elephants', full_name: 'Zoe' },
  ],
  'reactivation of an administrator': () => ['POST', `/users/${deactivatedAdministrator.id}/reactivate`],
  'a data export': () => ['POST', '/export/realm'],
  'an allowed email domain': () => ['POST', '/realm/domains', { domain: 'example.com', allow_subdomains: false }],
  'more allowed email domains': () => ['PATCH', '/realm/domains/example.org', { allow_subdomains: true }],
  'removal of an allowed email domain': () => ['DELETE', '/realm/domains/example.org'],
  'an organization that anyone can join': () => ['PATCH', '/realm', { invite_required: false, name: 'Other' }],
  'an organization that anyone can read': () => ['PATCH', '/realm', { enable_spectator_access: true }],
  "removal of another person's second factor": () => ['DELETE', `/users/${ann.id}/second_factor`],
  'deactivation of the organization': () => ['POST', '/realm/deactivate'],
}

const mailPath = () => `/streams/${channel}/email_address`

describe('confirmation in an old session', () => {
  it('requires confirmation for each change that gives lasting access', async () => {
    const browser = await signInWithOldSession(owner)
    const look = await watch({ owner, ann })
    for (const [name, change] of Object.entries(SENSITIVE_REQUESTS)) {
      const { status, body } = await browser.try(...change())
      expect([name, status, body]).toEqual([name, 403, CONFIRMATION_REQUIRED_RESPONSE])
    }
    expect(await look()).toEqual({ owner: [], ann: [] })
  })

  it.each(['a confirmed session', 'the API key'])('lets %s make changes that give lasting access', async (name) => {
    const browser = await signInWithOldSession(owner)
    await browser.call('POST', '/session/confirm', { password: PASSWORD })
    const user = name === 'the API key' ? owner : browser
    const other = await organization.user('Olga Owner', { role: ROLE.owner })
    for (const [changed, change] of Object.entries(SENSITIVE_REQUESTS)) {
      // Some of the changes give these users another email address or API key.
      for (const one of [owner, ann]) one.email = (await other.call('GET', `/users/${one.id}`)).user.email
      await owner.fetchApiKey()
      expect([changed, (await user.try(...change())).status]).toEqual([changed, 200])
    }
  })

  it('requires no confirmation for changes that give no lasting access', async () => {
    const browser = await signInWithOldSession(owner)
    const changes: readonly (readonly [string, string, Parameters?])[] = [
      ['PATCH', '/settings', { full_name: 'Ines Other', email: owner.email }],
      ['PATCH', `/users/${ann.id}`, { full_name: 'Ann Other', new_email: ann.email }],
      ['PATCH', `/users/${ann.id}`, { role: ROLE.moderator }],
      ['PATCH', `/bots/${bot.id}`, { full_name: 'Bea Other' }],
      ['PATCH', `/bots/${webhook}`, { service_interface: 2 }],
      ['PATCH', '/realm', { name: 'Other', invite_required: true, enable_read_receipts: true }],
      ['GET', '/invites'],
      ['POST', '/invites/multiuse', { stream_ids: [] }],
    ]
    for (const change of changes) expect((await browser.try(...change)).status).toBe(200)
  })

  it('deactivates the account only after confirmation', async () => {
    const second = await organization.user('Olga Owner', { role: ROLE.owner })
    const browser = await signInWithOldSession(second)
    expectRefused(await browser.try('DELETE', '/users/me'), [])
    expect((await second.try('GET', '/users/me')).status).toBe(200)
    await second.call('DELETE', '/users/me')
    expect((await second.try('GET', '/users/me')).body['code']).toBe('USER_DEACTIVATED')
  })

  it("keeps bots' keys and webhook tokens out of an old session's queue", async () => {
    const browser = await signInWithOldSession(owner)
    const [own, page] = [await owner.register(), await browser.call('POST', '/register')]
    const secretsIn = (bots: unknown): unknown[] =>
      objectsIn(bots).flatMap((one) => [one['api_key'], ...objectsIn(one['services'] ?? []).map(({ token }) => token)])
    const { service } = await owner.call('GET', `/bots/${webhook}/service`)
    const { api_key: hookKey } = await owner.call('GET', `/bots/${webhook}/api_key`)
    expect(secretsIn(own.state['realm_bots'])).toEqual([bot.apiKey, otherUsersBot.apiKey, hookKey, service.token])
    expect(secretsIn(page['realm_bots'])).toEqual(['', '', '', ''])
    const { api_key: key } = await owner.call('POST', `/bots/${bot.id}/api_key/regenerate`)
    const { token } = await owner.call('POST', `/bots/${webhook}/service/regenerate_token`)
    await owner.call('POST', '/bots', { full_name: 'New', short_name: 'new' })
    const { events } = await browser.call('GET', '/events', { queue_id: page['queue_id'], last_event_id: -1 })
    const secretsInEvents = (list: readonly EventFields[]): unknown[] =>
      secretsIn(list.filter(({ type }) => type === 'realm_bot').map((event) => event['bot']))
    expect(secretsInEvents(events)).toEqual(['', undefined, '', ''])
    expect(secretsInEvents(await own.events())).toEqual([key, undefined, token, expect.stringMatching(/./)])
  })

  it('hides invite links from an old session only if they grant an administrative role', async () => {
    await owner.call('POST', '/invites/multiuse', {})
    const browser = await signInWithOldSession(owner)
    const links = async (user: TestUser): Promise<unknown[]> =>
      (await user.call('GET', '/invites')).invites.map((one) => one.link_url)
    expect(await links(browser)).toEqual(['', expect.stringContaining('/join#')])
    const [makesOwners] = await links(owner)
    await browser.call('POST', '/session/confirm', { password: PASSWORD })
    expect(await links(browser)).toEqual(await links(owner))
    expect((await browser.call('GET', `/invites/${ownerLink}/link`)).invite_link).toBe(makesOwners)
  })

  it('requires confirmation before returning the link of a pending registration', async () => {
    await owner.call('PATCH', '/realm', { invite_required: false, emails_restricted_to_domains: false })
    const headers = { 'sec-fetch-site': 'same-origin' }
    await callApi(owner.url, owner.host, 'POST', '/registrations', { email: 'zoe@example.org' }, { headers })
    const browser = await signInWithOldSession(owner)
    const ask = async (): Promise<Answer> => browser.try('POST', '/registrations/link', { email: 'zoe@example.org' })
    expectRefused(await ask(), ['password'])
    await browser.call('POST', '/session/confirm', { password: PASSWORD })
    expect((await ask()).body['registration_link']).toContain('/join#')
  })

  it("accepts only the person's own passkey as confirmation", async () => {
    const { device } = await makePasskey(owner, PASSWORD)
    const { device: other } = await makePasskey(ann)
    const browser = await signInWithOldSession(owner)
    expectRefused(await browser.try('POST', '/users/me/api_key/regenerate'), ['password', 'passkey'])
    const foreign = await browser.try('POST', '/session/confirm/passkey', {
      credential: await signPasskeyLogin(ann, other),
    })
    expect([foreign.status, foreign.body['code']]).toEqual([401, 'AUTHENTICATION_FAILED'])
    expectRefused(await browser.try('POST', '/users/me/api_key/regenerate'), ['password', 'passkey'])
    const credential = await signPasskeyLogin(owner, device)
    await browser.call('POST', '/session/confirm/passkey', { credential })
    await browser.call('POST', '/users/me/api_key/regenerate')
    const again = await browser.try('POST', '/session/confirm/passkey', { credential })
    expect([again.status, again.body['code']]).toEqual([401, 'AUTHENTICATION_FAILED'])
  })

  it('rejects a wrong password, and accepts a confirmation only briefly and in the same browser', async () => {
    const [browser, other] = [await signInWithOldSession(owner), await signInWithOldSession(owner)]
    for (const password of ['', 'wrong']) {
      const { status, body } = await browser.try('POST', '/session/confirm', { password })
      expect([status, body['msg']]).toEqual([400, 'Wrong password!'])
    }
    await browser.call('POST', '/session/confirm', { password: PASSWORD })
    expectRefused(await other.try('PATCH', '/settings', { email: 'another@example.org' }), ['password'])
    await ageSessions(server().database, organization.id, owner.id, CONFIRMATION_VALIDITY_SECONDS)
    expectRefused(await browser.try('PATCH', '/settings', { email: 'another@example.org' }), ['password'])
  })

  it('requires a new sign-in to add credentials or change the email of an account without a password', async () => {
    const browser = await signInWithOldSession(ann)
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

  it('lets an account without a password remove a passkey after confirming with that passkey', async () => {
    const { device, id } = await makePasskey(ann)
    const browser = await signInWithOldSession(ann)
    expectRefused(await browser.try('DELETE', `/passkeys/${id}`), ['passkey'])
    await browser.call('POST', '/session/confirm/passkey', { credential: await signPasskeyLogin(ann, device) })
    await browser.call('DELETE', `/passkeys/${id}`)
  })
})

/** Endpoints that return a credential to an unconfirmed session. Each says what it returns and why this is safe. */
const UNCONFIRMED_CREDENTIALS: Readonly<Record<string, string>> = {
  confirmSecondFactor: 'recovery codes, for a code of the factor that a confirmed session added',
  renewRecoveryCodes: 'recovery codes, for a code',
  getInvites: 'links that make administrators are empty',
  getPushSubscriptions: "the server's public key",
  getPushTokens: 'addresses of phones, which give no access',
}

const CREDENTIAL_NAME = /^(?:.+_)?(?:key|token|secret|link|link_url|codes)$/

it('returns no credential to a session without confirmation', () => {
  const namesIn = (schema: unknown): string[] =>
    typeof schema !== 'object' || schema === null
      ? []
      : Object.entries(schema).flatMap(([name, value]: [string, unknown]) => [name, ...namesIn(value)])
  const unconfirmed = capabilities
    .flatMap(({ routes }) => routes.map(({ endpoint }) => endpoint))
    .filter(({ authentication, errors }) => authentication !== 'none' && !errors.includes('CONFIRMATION_REQUIRED'))
    .filter(({ output }) => {
      const schema = z.toJSONSchema(output, { unrepresentable: 'any', io: 'input' })
      return namesIn(schema).some((name) => CREDENTIAL_NAME.test(name))
    })
  expect(unconfirmed.map(({ id }) => id).toSorted()).toEqual(Object.keys(UNCONFIRMED_CREDENTIALS).toSorted())
})

it('rejects confirmations without a session', async () => {
  const { device } = await makePasskey(ann)
  for (const answer of [
    await owner.try('POST', '/session/confirm', { password: PASSWORD }),
    await ann.try('POST', '/session/confirm/passkey', { credential: await signPasskeyLogin(ann, device) }),
  ]) {
    expect([answer.status, answer.body['msg']]).toEqual([400, 'This request requires a session'])
  }
})
