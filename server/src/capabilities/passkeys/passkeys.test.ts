import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { browserOf, cookiesOf } from '../../testing/browser.ts'
import { TestAuthenticator, type AuthenticatorOverrides } from '../../testing/authenticator.ts'
import { anyNumber } from '../../testing/expected.ts'
import { blockWriter } from '../../testing/hold.ts'
import { runJob } from '../../testing/jobs.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, type Answer, type Parameters, type TestUser } from '../../testing/user.ts'
import { ATTESTATION_FORMATS } from './actions/challenges.ts'
import { CHALLENGE_LIMIT, CHALLENGE_SECONDS, PASSKEY_LIMIT } from './contract.ts'
import { deleteExpiredChallenges } from './jobs.ts'
import { makePasskey, originOf } from './testing/devices.ts'

const server = useTestServer()
const PASSWORD = 'correct horse battery'
const PAGE_HEADERS = { 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
const INVALID_PASSKEY_MESSAGE = 'This passkey is not valid here. Try again, or use your password.'
const NOT_CREATED_MESSAGE = 'No passkey was created for this account. Try again.'
let organization: TestOrganization
let ann: TestUser

beforeEach(async () => {
  organization = await server().organization('Acme', { password: PASSWORD })
  ann = await organization.user('Ann Able')
})

async function postFromPage(path: string, parameters: Parameters = {}, { url, host }: TestUser = ann): Promise<Answer> {
  return callApi(url, host, 'POST', path, parameters, { headers: PAGE_HEADERS })
}

async function loginOptions(user: TestUser = ann): Promise<unknown> {
  return (await postFromPage('/login/passkey/begin', {}, user)).body['options']
}

async function signInWith(
  device: TestAuthenticator,
  said: AuthenticatorOverrides = {},
  user: TestUser = ann,
): Promise<Answer> {
  return postFromPage('/login/passkey', { credential: device.sign(await loginOptions(user), said) }, user)
}

function expectRefusal(answer: Answer, code = 'AUTHENTICATION_FAILED', message = INVALID_PASSKEY_MESSAGE): void {
  expect([answer.body['code'], answer.body['msg']]).toEqual([code, message])
  expect(cookiesOf(answer)).toEqual({})
}

describe('passkeys', () => {
  it('creates, lists, renames, and removes a passkey without sending events', async () => {
    const watching = await organization.owner.register()
    const { id } = await makePasskey(ann)
    const listed = await ann.call('GET', '/passkeys')
    expect(listed['passkeys']).toEqual([{ id, name: 'Phone', created_at: anyNumber, last_used_at: null }])
    await ann.call('PATCH', `/passkeys/${id}`, { name: ' Old phone ' })
    expect((await ann.call('GET', '/passkeys'))['passkeys']).toMatchObject([{ id, name: 'Old phone' }])
    expectRefusal(
      await ann.try('PATCH', `/passkeys/${id}`, { name: ' ' }),
      'BAD_REQUEST',
      'A passkey must have a name.',
    )
    expect((await organization.owner.call('GET', '/passkeys'))['passkeys']).toEqual([])
    await ann.call('DELETE', `/passkeys/${id}`)
    expect((await ann.call('GET', '/passkeys'))['passkeys']).toEqual([])
    expect(await watching.events()).toEqual([])
  })

  it('asks the browser to create a discoverable passkey with user verification', async () => {
    const { device } = await makePasskey(ann)
    const { options } = await ann.call('POST', '/passkeys/begin')
    expect(options).toMatchObject({
      rp: { id: organization.host, name: 'Acme' },
      user: { name: ann.email, displayName: 'Ann Able' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: device.credentialId.toString('base64url') }],
    })
    const asked = await loginOptions()
    expect(asked).toMatchObject({ rpId: organization.host, userVerification: 'required' })
    expect(JSON.stringify(asked)).not.toContain(device.credentialId.toString('base64url'))
  })

  it("requires the account's password, if any, to add or remove a passkey, and refuses bots", async () => {
    for (const password of ['', 'wrong']) {
      const answer = await organization.owner.try('POST', '/passkeys/begin', { password })
      expectRefusal(answer, 'BAD_REQUEST', 'Wrong password!')
    }
    const { id } = await makePasskey(organization.owner, PASSWORD)
    for (const password of ['', 'wrong']) {
      const answer = await organization.owner.try('DELETE', `/passkeys/${id}`, { password })
      expectRefusal(answer, 'BAD_REQUEST', 'Wrong password!')
    }
    expect((await organization.owner.call('GET', '/passkeys'))['passkeys']).toMatchObject([{ id }])
    await organization.owner.call('DELETE', `/passkeys/${id}`, { password: PASSWORD })
    const bot = await organization.user('Bea Bot', { bot: { ownerId: ann.id } })
    expectRefusal(await bot.try('POST', '/passkeys/begin'), 'BAD_REQUEST', 'Bots cannot sign in.')
  })

  it.each<[string, AuthenticatorOverrides]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['without user verification', { isVerified: false }],
    ['for another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['from a sign-in response', { type: 'webauthn.get' }],
  ])('rejects a new passkey %s', async (_, said) => {
    const { options } = await ann.call('POST', '/passkeys/begin')
    const credential = new TestAuthenticator(originOf(ann)).make(options, said)
    expectRefusal(await ann.try('POST', '/passkeys', { name: 'Phone', credential }), 'BAD_REQUEST', NOT_CREATED_MESSAGE)
    expect((await ann.call('GET', '/passkeys'))['passkeys']).toEqual([])
  })

  it('verifies a new passkey without fetching revocation lists', async () => {
    await makePasskey(ann)
    const { SettingsService } = await import('@simplewebauthn/server')
    // Without root certificates, the library checks no certificate path and fetches no revocation list.
    for (const identifier of ATTESTATION_FORMATS)
      expect(SettingsService.getRootCertificates({ identifier })).toEqual([])
  })

  it('accepts a new passkey once and only from the person who requested it', async () => {
    const { options } = await ann.call('POST', '/passkeys/begin')
    const credential = new TestAuthenticator(originOf(ann)).make(options)
    const create = { name: 'Phone', credential }
    expectRefusal(await organization.owner.try('POST', '/passkeys', create), 'BAD_REQUEST', NOT_CREATED_MESSAGE)
    await ann.call('POST', '/passkeys', create)
    expectRefusal(await ann.try('POST', '/passkeys', create), 'BAD_REQUEST', NOT_CREATED_MESSAGE)
  })

  it("rejects a new passkey with another person's credential ID", async () => {
    const { device } = await makePasskey(ann)
    const { options } = await organization.owner.call('POST', '/passkeys/begin', { password: PASSWORD })
    const create = { name: 'Mine', credential: device.make(options) }
    expectRefusal(await organization.owner.try('POST', '/passkeys', create), 'BAD_REQUEST', NOT_CREATED_MESSAGE)
  })

  it('rejects malformed attestations without changes', async () => {
    const { options } = await ann.call('POST', '/passkeys/begin')
    const made = new TestAuthenticator(originOf(ann)).make(options)
    const response = z.record(z.string(), z.unknown()).parse(made['response'])
    for (const attestationObject of ['', 'AAAA', 'oQ', 'x'.repeat(20_000)]) {
      const credential = { ...made, response: { ...response, attestationObject } }
      expectRefusal(
        await ann.try('POST', '/passkeys', { name: 'Phone', credential }),
        'BAD_REQUEST',
        NOT_CREATED_MESSAGE,
      )
    }
    for (const clientDataJSON of ['', 'bnVsbA', 'W10', 'eyJjaGFsbGVuZ2UiOjF9']) {
      const credential = { ...made, response: { ...response, clientDataJSON } }
      expectRefusal(
        await ann.try('POST', '/passkeys', { name: 'Phone', credential }),
        'BAD_REQUEST',
        NOT_CREATED_MESSAGE,
      )
    }
  })

  it('limits how many passkeys a person can have', async () => {
    const { pool } = server().parley.database
    await makePasskey(ann)
    await pool.query(
      `insert into passkeys select organization_id, -i, user_id, sha256(i::text::bytea), public_key, 0, '{}', 'More', 0, null
       from passkeys, generate_series(2, $2) i where user_id = $1`,
      [ann.id, PASSKEY_LIMIT.most - 1],
    )
    const { id } = await makePasskey(ann)
    const full = `You can have at most ${PASSKEY_LIMIT.most} passkeys.`
    expectRefusal(await ann.try('POST', '/passkeys/begin'), 'BAD_REQUEST', full)
    await ann.call('DELETE', `/passkeys/${id}`)
    await makePasskey(ann)
  })
})

describe('passkey sign-in', () => {
  it('signs in with a passkey alone and records when the passkey was used', async () => {
    const { device } = await makePasskey(ann)
    const answer = await signInWith(device)
    expect(answer.body).toMatchObject({ user_id: ann.id, email: ann.email })
    const browser = browserOf(ann, answer)
    expect((await browser.call('GET', '/users/me'))['user_id']).toBe(ann.id)
    expect((await ann.call('GET', '/passkeys'))['passkeys']).toMatchObject([{ last_used_at: anyNumber }])
    expect((await signInWith(device)).status).toBe(200)
  })

  it('satisfies a required second factor with a passkey', async () => {
    const { device } = await makePasskey(organization.owner, PASSWORD)
    await organization.owner.call('PATCH', '/realm', { second_factor_required_of: 'everyone' })
    expect(cookiesOf(await signInWith(device, {}, organization.owner))).toHaveProperty('parley')
    const login = { username: organization.owner.email, password: PASSWORD }
    const { body } = await postFromPage('/login', login, organization.owner)
    expect(body['second_factor']).toMatchObject({ kind: 'passkey' })
    // The password alone does not allow setting up another second factor.
    const { token } = z.looseObject({ token: z.string() }).parse(body['second_factor'])
    const setup = await postFromPage('/login/second_factor/setup', { token }, organization.owner)
    expectRefusal(setup, 'AUTHENTICATION_FAILED', 'The sign-in expired. Sign in again.')
    expect((await postFromPage('/fetch_api_key', login, organization.owner)).body['code']).toBe(
      'PASSWORD_AUTH_DISABLED',
    )
  })

  it.each<[string, AuthenticatorOverrides]>([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['without user verification', { isVerified: false }],
    ['for another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['for another account', { userHandle: Buffer.from('1').toString('base64url') }],
    ['from a creation response', { type: 'webauthn.create' }],
  ])('rejects a passkey sign-in %s', async (_, said) => {
    const { device } = await makePasskey(ann)
    expectRefusal(await signInWith(device, said))
    expect((await signInWith(device)).status).toBe(200)
  })

  it('rejects a forged signature and an unknown passkey', async () => {
    const { device } = await makePasskey(ann)
    const stranger = new TestAuthenticator(originOf(ann))
    expectRefusal(await signInWith(stranger, { userHandle: null }))
    const forged = { ...stranger.sign(await loginOptions()), ...idOf(device) }
    expectRefusal(await postFromPage('/login/passkey', { credential: forged }))
  })

  it("rejects an unknown challenge without waiting for the organization's writes", async () => {
    const { device } = await makePasskey(ann)
    const asked = z.looseObject({}).parse(await loginOptions())
    const made = { ...asked, challenge: Buffer.alloc(32, 7).toString('base64url') }
    const release = await blockWriter(server().parley, organization)
    try {
      expectRefusal(await postFromPage('/login/passkey', { credential: device.sign(made) }))
    } finally {
      release()
    }
  })

  it('accepts a passkey response only once, even in simultaneous requests', async () => {
    const { device } = await makePasskey(ann)
    const credential = device.sign(await loginOptions())
    const both = await Promise.all([
      postFromPage('/login/passkey', { credential }),
      postFromPage('/login/passkey', { credential }),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    expectRefusal(await postFromPage('/login/passkey', { credential }))
  })

  it('rejects a cloned passkey with an outdated counter', async () => {
    const { device } = await makePasskey(ann)
    expect((await signInWith(device, { counter: 7 })).status).toBe(200)
    for (const counter of [7, 6, 0]) expectRefusal(await signInWith(device, { counter }))
    expect((await signInWith(device, { counter: 8 })).status).toBe(200)
  })

  it('accepts a passkey whose device has no signature counter', async () => {
    const { device } = await makePasskey(ann)
    for (let time = 0; time < 2; time += 1) expect((await signInWith(device, { counter: 0 })).status).toBe(200)
  })

  it("rejects expired challenges, removed passkeys, and other organizations' passkeys", async () => {
    const { id, device } = await makePasskey(ann)
    const { pool } = server().parley.database
    const late = device.sign(await loginOptions())
    const earlier = 'update passkey_challenges set expires_at = expires_at - $1 where organization_id = $2'
    await pool.query(earlier, [CHALLENGE_SECONDS, organization.id])
    expectRefusal(await postFromPage('/login/passkey', { credential: late }))
    const other = await server().organization('Other')
    expectRefusal(await signInWith(device, {}, other.owner))
    await ann.call('DELETE', `/passkeys/${id}`)
    expectRefusal(await signInWith(device))
  })

  it('removes passkeys when their owner is deactivated', async () => {
    const { device } = await makePasskey(ann)
    await organization.owner.call('DELETE', `/users/${ann.id}`)
    expectRefusal(await signInWith(device))
    await organization.owner.call('POST', `/users/${ann.id}/reactivate`)
    expectRefusal(await signInWith(device))
  })

  it('rejects a passkey sign-in from another site', async () => {
    const { device } = await makePasskey(ann)
    const credential = device.sign(await loginOptions())
    const headers = { ...PAGE_HEADERS, 'sec-fetch-site': 'cross-site' }
    const answer = await callApi(ann.url, ann.host, 'POST', '/login/passkey', { credential }, { headers })
    expect(answer.body['code']).toBe('CSRF_FAILED')
  })

  it('replaces the oldest passkey challenge beyond the limit and deletes expired challenges', async () => {
    const { device } = await makePasskey(ann)
    const { parley } = server()
    const { pool } = parley.database
    const oldest = device.sign(await loginOptions())
    await pool.query(
      `insert into passkey_challenges select $1, sha256(i::text::bytea), null, extract(epoch from now())::bigint + 86400
       from generate_series(2, $2) i`,
      [organization.id, CHALLENGE_LIMIT.most],
    )
    await loginOptions()
    expectRefusal(await postFromPage('/login/passkey', { credential: oldest }))
    await pool.query('update passkey_challenges set expires_at = 1 where organization_id = $1', [organization.id])
    await runJob(parley, deleteExpiredChallenges)
    const left = await pool.query('select 1 from passkey_challenges where organization_id = $1', [organization.id])
    expect(left.rows).toEqual([])
  })
})

function idOf(device: TestAuthenticator): Record<string, string> {
  const id = device.credentialId.toString('base64url')
  return { id, rawId: id }
}
