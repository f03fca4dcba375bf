import { beforeEach, describe, expect, it } from 'vitest'
import { cookiesOf } from '../../testing/browser.ts'
import { textLike } from '../../testing/expected.ts'
import { codeOf, tokenIn } from '../second-factors/testing/signing-in.ts'
import { blockWriter } from '../../testing/hold.ts'
import { runJob } from '../../testing/jobs.ts'
import { linkIn, useMailServer } from '../../testing/mail-server.ts'
import { useOpenidProvider, type ProviderPerson } from '../../testing/openid-provider.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, type Answer } from '../../testing/user.ts'
import { newAttemptSecret, deriveOpenidRequest } from './actions/login.ts'
import { beginOpenidLogin, OPENID_ATTEMPT_LIMIT, OPENID_ATTEMPT_SECONDS } from './contract.ts'
import { deleteExpiredOpenidAttempts } from './jobs.ts'
import { PAGE_HEADERS, redirectAddress, openidSignInSteps } from './testing/signing-in.ts'

const mails = await useMailServer()
const provider = await useOpenidProvider()
const NO_LOG = { PARLEY_LOG_LEVEL: 'silent' }
const server = useTestServer({ ...provider.environment, ...NO_LOG, PARLEY_SMTP_URL: mails.url })
const serverWithoutProvider = useTestServer()
const rateLimitedServer = useTestServer({ ...provider.environment, ...NO_LOG, PARLEY_RATE_LIMITS: 'on' })
const isolatedServer = useTestServer({ ...provider.environment, ...NO_LOG, PARLEY_OIDC_ISSUER: 'http://127.0.0.1:9' })
const ANN: ProviderPerson = { subject: 'ann-1', email: 'ann@example.org', email_verified: true, name: 'Ann Able' }
const BAD_ATTEMPT = 'The sign-in expired or was started in another window. Try again.'
let organization: TestOrganization

beforeEach(async () => {
  organization = await server().organization('Acme')
  await organization.owner.call('PATCH', '/realm', { send_welcome_emails: false })
  provider.redirectAddresses.clear()
  provider.redirectAddresses.add(redirectAddress(organization))
})

const { ask, begin, answerFor, finish, signInAs, signedIn } = openidSignInSteps(provider, () => organization)

function expectRefusal(answer: Answer, code: string, message?: string): void {
  expect(answer.body).toMatchObject({ result: 'error', code, ...(message === undefined ? {} : { msg: message }) })
  expect(cookiesOf(answer)).toEqual({})
}

async function createAccount(email: string, name = 'Ann Account'): Promise<number> {
  const account = { email, password: 'seven purple elephants', full_name: name }
  return (await organization.owner.call('POST', '/users', account))['user_id']
}

async function listAddresses(): Promise<unknown[]> {
  const { members } = await organization.owner.call('GET', '/users')
  return members.map(({ delivery_email }) => delivery_email)
}

describe('sign-in through an identity provider', () => {
  it('limits sign-in attempts per IP address', async () => {
    const { owner } = await rateLimitedServer().organization('Acme')
    const { path, ratePerAddress: { count } = { count: 0 } } = beginOpenidLogin
    const statuses: number[] = []
    for (let n = 0; n <= count; n += 1) {
      statuses.push((await callApi(owner.url, owner.host, 'POST', path, {}, { headers: PAGE_HEADERS })).status)
    }
    expect(new Set(statuses.slice(0, count))).toEqual(new Set([200]))
    expect(statuses.at(-1)).toBe(429)
  })

  it('lists the provider among the sign-in methods', async () => {
    const { owner } = organization
    const body = await owner.call('GET', '/server_settings')
    expect(body['external_authentication_methods']).toEqual([
      { name: 'openid', display_name: 'Acme Login', display_icon: null, login_url: '/openid', signup_url: '/openid' },
    ])
    expect(body['authentication_methods']).toMatchObject({ 'openid connect': true, password: true })
    const { realm_authentication_methods: methods } = await owner.call('POST', '/register', { event_types: ['realm'] })
    expect(methods).toMatchObject({ 'openid connect': { enabled: true, available: true } })
  })

  it('redirects to the provider with state, nonce, and code challenge', async () => {
    const { authorizationUrl } = await begin()
    const { origin, searchParams } = new URL(authorizationUrl)
    expect(origin).toBe(provider.issuer)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'parley',
      redirect_uri: redirectAddress(organization),
      response_type: 'code',
      scope: 'openid email profile',
      state: textLike(/^[\w-]{43}$/),
      nonce: textLike(/^[\w-]{43}$/),
      code_challenge: textLike(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const another = new URL((await begin()).authorizationUrl).searchParams
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(another.get(name)).not.toBe(searchParams.get(name))
    }
  })

  it('ignores redirect addresses from the request', async () => {
    const elsewhere = { redirect_uri: 'https://evil.example/', next: 'https://evil.example/' }
    const answer = await ask('/login/openid/begin', elsewhere, { ...PAGE_HEADERS, 'x-forwarded-host': 'evil.example' })
    expect(answer.body['ignored_parameters_unsupported']).toEqual(['redirect_uri', 'next'])
    expect(String(answer.body['authorization_url'])).not.toContain('evil')
    const attempt = await begin()
    const said = await answerFor({ ...ANN, email: organization.owner.email }, attempt)
    const finished = await finish(attempt, { ...said, ...elsewhere })
    expect(finished.status).toBe(200)
    expect(JSON.stringify([finished.body['email'], finished.headers])).not.toContain('evil')
  })

  it("signs a person in to the account that has the provider's email address, and sends no events", async () => {
    const id = await createAccount('Ann@Example.org')
    const queue = await organization.owner.register()
    expectRefusal(await signInAs({ ...ANN, subject: 'more than there may be'.repeat(20) }), 'AUTHENTICATION_FAILED')
    const browser = signedIn(await signInAs(ANN))
    expect((await browser.call('GET', '/users/me'))['user_id']).toBe(id)
    expect(await queue.events()).toEqual([])
  })

  it("recognizes a person by the provider's subject after their email address changed", async () => {
    const id = await createAccount('ann@example.org')
    signedIn(await signInAs(ANN))
    await createAccount('moved@example.org', 'Mo Moved')
    const moved = { ...ANN, email: 'moved@example.org', email_verified: false }
    expect(signedIn(await signInAs(moved)).id).toBe(id)
  })

  it('asks for a second factor before linking the account to the provider', async () => {
    const id = await createAccount('ann@example.org')
    await organization.owner.call('PATCH', '/realm', { second_factor_required_of: 'everyone' })
    const browser = signedIn(await signInAs(ANN))
    const { secret } = await browser.call('POST', '/second_factor', { password: 'seven purple elephants' })
    await browser.call('POST', '/second_factor/confirm', { code: codeOf(secret) })
    // The second person has another account at the provider, with the same confirmed email.
    for (const person of [ANN, { ...ANN, subject: 'eve-1' }]) {
      tokenIn(await signInAs(person))
    }
    await organization.owner.call('DELETE', `/users/${id}/second_factor`)
    const moved = await signInAs({ ...ANN, subject: 'eve-1', email: 'eve@example.org', email_verified: false })
    expectRefusal(moved, 'AUTHENTICATION_FAILED')
    expect(signedIn(await signInAs(ANN)).id).toBe(id)
  })

  it("ends the browser's previous session on signing in", async () => {
    await createAccount('ann@example.org')
    const before = signedIn(await signInAs(ANN))
    const attempt = await begin()
    const answer = await answerFor(ANN, attempt)
    signedIn(await finish({ cookie: `${attempt.cookie}; ${before.cookie}` }, answer))
    expect((await before.try('GET', '/users/me')).status).toBe(401)
  })

  it.each([
    ['is not verified', { email_verified: false }],
    ['has no verification claim', { email_verified: undefined }],
    ['has another word as verification claim', { email_verified: 'yes' }],
    ['is missing', { email: undefined }],
  ])('refuses to create an account for an address that %s', async (_, claims) => {
    await organization.owner.call('PATCH', '/realm', { invite_required: false })
    await createAccount('ann@example.org')
    const message = 'Your identity provider does not confirm your email address.'
    expectRefusal(await signInAs({ ...ANN, ...claims }), 'AUTHENTICATION_FAILED', message)
    expectRefusal(await signInAs({ ...ANN, email: 'new@example.org', ...claims }), 'AUTHENTICATION_FAILED', message)
    expect(await listAddresses()).not.toContain('new@example.org')
  })

  it('accepts an email address whose verified claim is the text `true`', async () => {
    const id = await createAccount('ann@example.org')
    expect(signedIn(await signInAs({ ...ANN, email_verified: 'true' })).id).toBe(id)
  })

  it("refuses a second provider account with a linked account's email until the password is reset", async () => {
    const id = await createAccount('ann@example.org')
    signedIn(await signInAs(ANN))
    const other = { ...ANN, subject: 'ann-2' }
    expectRefusal(await signInAs(other), 'AUTHENTICATION_FAILED')
    await ask('/password_reset', { email: 'ann@example.org' })
    const token = new URL(linkIn(await mails.next('ann@example.org', /^Reset your password/))).hash.slice(1)
    const chosen = await ask('/password_reset/confirm', { token, password: 'eight yellow giraffes' })
    expect(chosen.status).toBe(200)
    expect(signedIn(await signInAs(other)).id).toBe(id)
    expectRefusal(await signInAs(ANN), 'AUTHENTICATION_FAILED')
  })

  it('refuses to sign in to a deactivated account, whether linked or found by email address', async () => {
    const [linked, unlinked] = [await createAccount('ann@example.org'), await createAccount('ben@example.org', 'Ben')]
    signedIn(await signInAs(ANN))
    for (const id of [linked, unlinked]) await organization.owner.call('DELETE', `/users/${id}`)
    expectRefusal(await signInAs(ANN), 'USER_DEACTIVATED')
    const ben = { ...ANN, subject: 'ben-1', email: 'ben@example.org' }
    expectRefusal(await signInAs(ben), 'USER_DEACTIVATED')
  })

  it('refuses to sign in as a bot or with the placeholder of a hidden address', async () => {
    await organization.owner.call('PATCH', '/realm', { invite_required: false })
    const bot = await organization.user('Bea Bot', { bot: { ownerId: organization.owner.id } })
    expectRefusal(await signInAs({ ...ANN, email: bot.email }), 'AUTHENTICATION_FAILED')
    const id = await createAccount('ann@example.org')
    const hidden = `user${id}@${organization.host}`
    const answer = await signInAs({ ...ANN, email: hidden })
    expect(answer.body['user_id']).not.toBe(id)
  })

  it('refuses to sign in to a deactivated organization', async () => {
    await createAccount('ann@example.org')
    const attempt = await begin()
    const answer = await answerFor(ANN, attempt)
    await organization.owner.call('POST', '/realm/deactivate')
    expectRefusal(await finish(attempt, answer), 'REALM_DEACTIVATED')
    expectRefusal(await ask('/login/openid/begin', {}), 'REALM_DEACTIVATED')
  })

  it("rejects a provider's answer for another organization", async () => {
    await createAccount('ann@example.org')
    const attempt = await begin()
    const answer = await answerFor(ANN, attempt)
    organization = await server().organization('Other')
    await createAccount('ann@example.org')
    expectRefusal(await finish(attempt, answer), 'AUTHENTICATION_FAILED', BAD_ATTEMPT)
  })
})

describe('accounts created through an identity provider', () => {
  it('creates an account without a password if anyone can join', async () => {
    await organization.owner.call('PATCH', '/realm', { invite_required: false })
    const queue = await organization.owner.register({ event_types: ['realm_user'] })
    const browser = signedIn(await signInAs(ANN))
    expect(await browser.call('GET', '/users/me')).toMatchObject({
      full_name: 'Ann Able',
      delivery_email: 'ann@example.org',
      role: 400,
    })
    expect(await queue.events()).toMatchObject([
      { type: 'realm_user', op: 'add', person: { user_id: browser.id, full_name: 'Ann Able' } },
    ])
    for (const password of ['', 'Ann Able']) {
      expectRefusal(await ask('/login', { username: 'ann@example.org', password }), 'AUTHENTICATION_FAILED')
    }
    expect(signedIn(await signInAs(ANN)).id).toBe(browser.id)
  })

  it('refuses to create an account without an invitation if the organization requires invitations', async () => {
    expectRefusal(await signInAs(ANN), 'BAD_REQUEST', 'Only people who are invited can join this organization.')
    expect(await listAddresses()).not.toContain('ann@example.org')
  })

  it('creates an account with the role and channels of its email invitation', async () => {
    const { owner } = organization
    await owner.subscribe(['garden'])
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'garden' })
    await owner.call('POST', '/invites', { invitee_emails: 'ann@example.org', stream_ids: [stream_id], invite_as: 300 })
    const browser = signedIn(await signInAs(ANN))
    expect(await browser.call('GET', '/users/me')).toMatchObject({ role: 300 })
    const { subscriptions } = await browser.call('GET', '/users/me/subscriptions')
    expect(subscriptions.map(({ name }) => name)).toEqual(['garden'])
    expect((await owner.call('GET', '/invites'))['invites']).toEqual([])
  })

  it('refuses to create an account for an invalid invitation', async () => {
    const { owner, user } = organization
    const admin = await user('Ada Admin', { role: 200 })
    await admin.call('POST', '/invites', { invitee_emails: 'ann@example.org', stream_ids: [] })
    await owner.call('DELETE', `/users/${admin.id}`)
    expectRefusal(await signInAs(ANN), 'BAD_REQUEST')
  })

  it('creates an account with a reusable invite link but not with an invalid link', async () => {
    const { invite_link: link } = await organization.owner.call('POST', '/invites/multiuse', { invite_as: 600 })
    const token = new URL(link).hash.slice(1)
    expectRefusal(await signInAs(ANN, { token: `${token}x` }), 'AUTHENTICATION_FAILED')
    const browser = signedIn(await signInAs(ANN, { token }))
    expect(await browser.call('GET', '/users/me')).toMatchObject({ role: 600 })
  })

  it('refuses to create an account for an invitation that was sent to another address', async () => {
    await organization.owner.call('POST', '/invites', { invitee_emails: 'ben@example.org', stream_ids: [] })
    const token = new URL(linkIn(await mails.next('ben@example.org'))).hash.slice(1)
    expectRefusal(await signInAs(ANN, { token }), 'BAD_REQUEST', 'This link is for another email address.')
  })

  it('refuses to create an account for an address outside the allowed domains', async () => {
    const { owner } = organization
    await owner.call('POST', '/realm/domains', { domain: 'acme.example', allow_subdomains: false })
    await owner.call('PATCH', '/realm', { invite_required: false, emails_restricted_to_domains: true })
    expectRefusal(await signInAs(ANN), 'BAD_REQUEST')
    signedIn(await signInAs({ ...ANN, email: 'ann@acme.example' }))
  })

  it('replaces a name that the provider reports for a person if the name is not allowed', async () => {
    await organization.owner.call('PATCH', '/realm', { invite_required: false })
    const browser = signedIn(await signInAs({ ...ANN, name: '**Notification** Bot' }))
    expect(await browser.call('GET', '/users/me')).toMatchObject({ full_name: 'ann' })
  })
})

describe('attacks on sign-in through an identity provider', () => {
  it("accepts a provider's answer only once, even from simultaneous requests", async () => {
    await createAccount('ann@example.org')
    const attempt = await begin()
    const answer = await answerFor(ANN, attempt)
    const both = await Promise.all([finish(attempt, answer), finish(attempt, answer)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    expectRefusal(await finish(attempt, answer), 'AUTHENTICATION_FAILED', BAD_ATTEMPT)
    const fresh = await begin()
    const { state } = await answerFor(ANN, fresh)
    expectRefusal(await finish(fresh, { ...answer, state }), 'AUTHENTICATION_FAILED')
  })

  it("rejects a provider's answer to a sign-in attempt of another browser", async () => {
    await createAccount('mallory@example.org', 'Mallory')
    const mallorys = await begin()
    const answer = await answerFor({ ...ANN, subject: 'm', email: 'mallory@example.org' }, mallorys)
    const victim = await begin()
    expectRefusal(await finish(victim, answer), 'AUTHENTICATION_FAILED', BAD_ATTEMPT)
    expectRefusal(await ask('/login/openid', answer), 'AUTHENTICATION_FAILED', BAD_ATTEMPT)
    expectRefusal(await finish({ cookie: 'parley-attempt=' }, answer), 'AUTHENTICATION_FAILED', BAD_ATTEMPT)
    // Even with the victim's state, the code is rejected, because it belongs to another request.
    const { state } = Object.fromEntries(new URL(victim.authorizationUrl).searchParams)
    expectRefusal(await finish(victim, { ...answer, state }), 'AUTHENTICATION_FAILED')
  })

  it("rejects a forged provider answer without waiting for the organization's writes", async () => {
    const secret = newAttemptSecret()
    const { state } = deriveOpenidRequest(secret, redirectAddress(organization))
    const release = await blockWriter(server().parley, organization)
    try {
      const answer = await finish({ cookie: `parley-attempt=${secret}` }, { state, code: 'x' })
      expectRefusal(answer, 'AUTHENTICATION_FAILED', BAD_ATTEMPT)
    } finally {
      release()
    }
  })

  it("rejects a provider's answer with a wrong or missing issuer", async () => {
    await createAccount('ann@example.org')
    for (const iss of ['https://evil.example', undefined]) {
      const attempt = await begin()
      const { iss: own, ...answer } = await answerFor(ANN, attempt)
      expect(own).toBe(provider.issuer)
      const given = iss === undefined ? answer : { ...answer, iss }
      expectRefusal(await finish(attempt, given), 'AUTHENTICATION_FAILED')
    }
  })

  it('rejects cross-site sign-in requests', async () => {
    const headers = { ...PAGE_HEADERS, 'sec-fetch-site': 'cross-site' }
    expectRefusal(await ask('/login/openid/begin', {}, headers), 'CSRF_FAILED')
    expectRefusal(await ask('/login/openid', { state: 'x', code: 'x' }, headers), 'CSRF_FAILED')
  })

  it('rejects an expired sign-in attempt', async () => {
    await createAccount('ann@example.org')
    const attempt = await begin()
    const answer = await answerFor(ANN, attempt)
    const { pool } = server().parley.database
    const earlier = 'update openid_attempts set expires_at = expires_at - $1 where organization_id = $2'
    await pool.query(earlier, [OPENID_ATTEMPT_SECONDS, organization.id])
    expectRefusal(await finish(attempt, answer), 'AUTHENTICATION_FAILED', BAD_ATTEMPT)
  })

  it('replaces the oldest sign-in attempt beyond the limit and deletes expired attempts', async () => {
    const { pool } = server().parley.database
    const count = async (): Promise<number> =>
      (await pool.query('select 1 from openid_attempts where organization_id = $1', [organization.id])).rows.length
    const oldest = await begin()
    const answer = await answerFor(ANN, oldest)
    await pool.query(
      `insert into openid_attempts (organization_id, digest, expires_at)
       select $1, sha256(i::text::bytea), extract(epoch from now())::bigint + 86400 from generate_series(2, $2) i`,
      [organization.id, OPENID_ATTEMPT_LIMIT.most],
    )
    expect(await count()).toBe(OPENID_ATTEMPT_LIMIT.most)
    await begin()
    expect(await count()).toBe(OPENID_ATTEMPT_LIMIT.most)
    expectRefusal(await finish(oldest, answer), 'AUTHENTICATION_FAILED', BAD_ATTEMPT)
    await pool.query('update openid_attempts set expires_at = 1 where organization_id = $1', [organization.id])
    await runJob(server().parley, deleteExpiredOpenidAttempts)
    expect(await count()).toBe(0)
  })
})

it('reports that the person canceled sign-in at the provider', async () => {
  expectRefusal(
    await signInAs(undefined),
    'AUTHENTICATION_FAILED',
    'The sign-in was canceled at the identity provider.',
  )
})

it('reports an unreachable identity provider', async () => {
  organization = await isolatedServer().organization()
  const message = 'The identity provider is not responding. Try again later.'
  expectRefusal(await ask('/login/openid/begin', {}), 'AUTHENTICATION_FAILED', message)
})

it('refuses sign-in if no identity provider is configured', async () => {
  const { owner } = await serverWithoutProvider().organization()
  for (const path of ['/login/openid/begin', '/login/openid']) {
    const answer = await callApi(owner.url, owner.host, 'POST', path, { state: 'x' }, { headers: PAGE_HEADERS })
    expectRefusal(answer, 'AUTHENTICATION_FAILED', 'This server has no identity provider.')
  }
  const body = await owner.call('GET', '/server_settings')
  expect(body['external_authentication_methods']).toEqual([])
  expect(body['authentication_methods']).toMatchObject({ 'openid connect': false })
})
