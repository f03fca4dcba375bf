import { Secret } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { browserOf, cookiesOf, signIn, type TestBrowser } from '../../testing/browser.ts'
import { runJob } from '../../testing/jobs.ts'
import { linkIn, useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, TestUser } from '../../testing/user.ts'
import { PENDING_LOGIN_LIMIT, PENDING_LOGIN_SECONDS, RECOVERY_CODE_COUNT } from './contract.ts'
import { deleteExpiredPendingLogins } from './jobs.ts'
import {
  postFromPage,
  codeOf,
  expectRefusal,
  logIn,
  passTime,
  PASSWORD,
  setUpFactor,
  STEP_SECONDS,
  stopClock,
  tokenIn,
  LOGIN_EXPIRED,
  WRONG_CODE,
} from './testing/signing-in.ts'

const BAD_LINK = 'This link is no longer valid.'
const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })
const rateLimitedServer = useTestServer({ PARLEY_RATE_LIMITS: 'on', PARLEY_RATE_LIMIT_ADDRESS: '10000/60' })
let organization: TestOrganization

beforeEach(async () => {
  stopClock()
  organization = await server().organization('Acme', { password: PASSWORD })
})
afterEach(() => {
  vi.useRealTimers()
})

async function signedInUserId(browser: TestBrowser): Promise<number> {
  return (await browser.call('GET', '/users/me'))['user_id']
}

/** Checks that changes to a person's own account send the owner no events. */
async function expectNoEvents(act: () => Promise<unknown>): Promise<void> {
  const watching = await organization.owner.register()
  await act()
  expect(await watching.events()).toEqual([])
}

describe('second-factor setup', () => {
  it('sets up a second factor with a password and a code, and signs other browsers out', async () => {
    const other = await signIn(organization.owner)
    const browser = await signIn(organization.owner)
    await expectNoEvents(async () => {
      expect(await browser.call('GET', '/second_factor')).toMatchObject({ since: null, recovery_codes_left: 0 })
      const { secret, uri } = await browser.call('POST', '/second_factor', { password: PASSWORD })
      expect(secret).toMatch(/^[A-Z2-7]{32}$/)
      const { protocol, host, pathname, searchParams } = new URL(uri)
      expect([protocol, host, decodeURIComponent(pathname)]).toEqual(['otpauth:', 'totp', '/Acme:owner@example.com'])
      expect([searchParams.get('secret'), searchParams.get('issuer')]).toEqual([secret, 'Acme'])
      expect(await browser.call('GET', '/second_factor')).toMatchObject({ since: null })
      const wrong = await browser.try('POST', '/second_factor/confirm', { code: codeOf(secret, 600) })
      expectRefusal(wrong, 'BAD_REQUEST', WRONG_CODE)
      const { recovery_codes: codes } = await browser.call('POST', '/second_factor/confirm', { code: codeOf(secret) })
      expect(codes).toHaveLength(RECOVERY_CODE_COUNT)
      for (const code of codes) expect(code).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)
    })
    const since = Math.floor(Date.now() / 1000)
    expect(await browser.call('GET', '/second_factor')).toMatchObject({
      since,
      recovery_codes_left: RECOVERY_CODE_COUNT,
    })
    expect((await other.try('GET', '/users/me')).status).toBe(401)
  })

  it('enables no second factor before its setup is confirmed', async () => {
    const browser = await signIn(organization.owner)
    await browser.call('POST', '/second_factor', { password: PASSWORD })
    expect(cookiesOf(await logIn(organization.owner))).toHaveProperty('parley')
  })

  it('refuses second-factor setup without the password, for bots, or if a factor is already set up', async () => {
    const browser = await signIn(organization.owner)
    for (const password of ['wrong', '']) {
      const answer = await browser.try('POST', '/second_factor', { password })
      expectRefusal(answer, 'BAD_REQUEST', 'Wrong password!')
    }
    const { browser: done } = await setUpFactor(organization.owner)
    const again = await done.try('POST', '/second_factor', { password: PASSWORD })
    expectRefusal(again, 'BAD_REQUEST', 'Two-factor authentication is already on.')
    const bot = await organization.user('Bea Bot', { bot: { ownerId: organization.owner.id } })
    expectRefusal(await bot.try('POST', '/second_factor'), 'BAD_REQUEST', 'Bots cannot sign in.')
  })

  it('sets up a second factor without a password if the account has none', async () => {
    const ann = await organization.user('Ann')
    const { secret } = await setUpFactor(ann, '')
    expect(secret).not.toBe('')
  })

  it('shows the secret once and stores neither the secret nor recovery codes', async () => {
    const { browser, secret, recoveryCodes } = await setUpFactor(organization.owner)
    expect(JSON.stringify(await browser.call('GET', '/second_factor'))).not.toContain(secret)
    const { pool } = server().parley.database
    const bytes = Secret.fromBase32(secret).bytes
    const kept: Buffer[] = []
    for (const text of ['select seed as value from second_factors', 'select digest as value from recovery_codes']) {
      kept.push(...(await pool.query<{ value: Buffer }>(text)).rows.map(({ value }) => value))
    }
    expect(kept.length).toBeGreaterThan(RECOVERY_CODE_COUNT)
    for (const value of kept) {
      expect(value.includes(Buffer.from(bytes))).toBe(false)
      for (const code of recoveryCodes) expect(value.toString('latin1')).not.toContain(code.replaceAll('-', ''))
    }
  })
})

describe('second-factor sign-in', () => {
  it('signs in with the password and then a second-factor code', async () => {
    const { secret } = await setUpFactor(organization.owner)
    const token = tokenIn(await logIn(organization.owner))
    const answer = await postFromPage(organization.owner, '/login/second_factor', { token, code: codeOf(secret) })
    expect(answer.body).toMatchObject({ user_id: organization.owner.id, email: organization.owner.email })
    expect(await signedInUserId(browserOf(organization.owner, answer))).toBe(organization.owner.id)
  })

  it('reveals that an account has a second factor only with the right password', async () => {
    await setUpFactor(organization.owner)
    expectRefusal(
      await logIn(organization.owner, 'wrong password'),
      'AUTHENTICATION_FAILED',
      'Your username or password is incorrect',
    )
  })

  it('accepts codes from clocks that are up to 30 seconds off', async () => {
    const { secret } = await setUpFactor(organization.owner)
    for (const seconds of [-60, 60]) {
      const token = tokenIn(await logIn(organization.owner))
      const answer = await postFromPage(organization.owner, '/login/second_factor', {
        token,
        code: codeOf(secret, seconds),
      })
      expectRefusal(answer, 'AUTHENTICATION_FAILED', WRONG_CODE)
    }
    passTime()
    for (const seconds of [-30, 0, 30]) {
      const token = tokenIn(await logIn(organization.owner))
      const typed = codeOf(secret, seconds).replace(/^.../, '$& ')
      expect((await postFromPage(organization.owner, '/login/second_factor', { token, code: typed })).status).toBe(200)
    }
  })

  it('rejects reused and older codes, even in simultaneous requests', async () => {
    const { secret } = await setUpFactor(organization.owner)
    const code = codeOf(secret)
    const older = codeOf(secret, -STEP_SECONDS)
    const tokens = [tokenIn(await logIn(organization.owner)), tokenIn(await logIn(organization.owner))]
    const answers = await Promise.all(
      tokens.map(async (token) => postFromPage(organization.owner, '/login/second_factor', { token, code })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    for (const used of [code, older]) {
      const token = tokenIn(await logIn(organization.owner))
      const answer = await postFromPage(organization.owner, '/login/second_factor', { token, code: used })
      expectRefusal(answer, 'AUTHENTICATION_FAILED', WRONG_CODE)
    }
  })

  it('accepts each recovery code once, however it is typed', async () => {
    const { browser, recoveryCodes } = await setUpFactor(organization.owner)
    const [first = '', second = ''] = recoveryCodes
    const token = tokenIn(await logIn(organization.owner))
    const typed = ` ${first.toUpperCase().replaceAll('-', ' ')} `
    expect((await postFromPage(organization.owner, '/login/second_factor', { token, code: typed })).status).toBe(200)
    expect(await browser.call('GET', '/second_factor')).toMatchObject({ recovery_codes_left: RECOVERY_CODE_COUNT - 1 })
    const next = tokenIn(await logIn(organization.owner))
    expectRefusal(
      await postFromPage(organization.owner, '/login/second_factor', { token: next, code: first }),
      'AUTHENTICATION_FAILED',
      WRONG_CODE,
    )
    expect((await postFromPage(organization.owner, '/login/second_factor', { token: next, code: second })).status).toBe(
      200,
    )
  })

  it("rejects another person's second-factor codes", async () => {
    const { secret } = await setUpFactor(organization.owner)
    const { user_id } = await organization.owner.call('POST', '/users', {
      email: 'ann@example.org',
      password: PASSWORD,
      full_name: 'Ann',
    })
    const { url, host } = organization.owner
    const ann = new TestUser(url, host, 'ann@example.org', '', user_id)
    const own = await setUpFactor(ann)
    const token = tokenIn(await logIn(ann))
    for (const code of [codeOf(secret), ...own.recoveryCodes.map((one) => `${one}x`)]) {
      expectRefusal(
        await postFromPage(organization.owner, '/login/second_factor', { token, code }),
        'AUTHENTICATION_FAILED',
        WRONG_CODE,
      )
    }
  })

  it("returns the same error for unknown, used, expired, and other organizations' sign-in tokens", async () => {
    const { secret } = await setUpFactor(organization.owner)
    const expectRejected = async (token: string): Promise<void> => {
      const answer = await postFromPage(organization.owner, '/login/second_factor', { token, code: codeOf(secret) })
      expectRefusal(answer, 'AUTHENTICATION_FAILED', LOGIN_EXPIRED)
    }
    await expectRejected('x'.repeat(43))
    const used = tokenIn(await logIn(organization.owner))
    expect(
      (await postFromPage(organization.owner, '/login/second_factor', { token: used, code: codeOf(secret) })).status,
    ).toBe(200)
    passTime()
    await expectRejected(used)
    const over = tokenIn(await logIn(organization.owner))
    passTime(PENDING_LOGIN_SECONDS)
    await expectRejected(over)
    const token = tokenIn(await logIn(organization.owner))
    const other = await server().organization('Other', { password: PASSWORD })
    const elsewhere = await postFromPage(other.owner, '/login/second_factor', { token, code: codeOf(secret) })
    expectRefusal(elsewhere, 'AUTHENTICATION_FAILED', LOGIN_EXPIRED)
  })

  it('ends a pending sign-in when the password changes', async () => {
    const { browser, secret } = await setUpFactor(organization.owner)
    const token = tokenIn(await logIn(organization.owner))
    await browser.call('PATCH', '/settings', { old_password: PASSWORD, new_password: 'eight yellow giraffes' })
    const answer = await postFromPage(organization.owner, '/login/second_factor', { token, code: codeOf(secret) })
    expectRefusal(answer, 'AUTHENTICATION_FAILED', LOGIN_EXPIRED)
  })

  it('ends a pending sign-in when the account is deactivated', async () => {
    const ann = await organization.user('Ann')
    await setUpFactor(ann, '')
    const password = 'eight yellow giraffes'
    await postFromPage(organization.owner, '/password_reset', { email: ann.email })
    const link = new URL(linkIn(await mails.next(ann.email, /^Reset your password/))).hash.slice(1)
    const token = tokenIn(await postFromPage(organization.owner, '/password_reset/confirm', { token: link, password }))
    await organization.owner.call('DELETE', `/users/${ann.id}`)
    const answer = await postFromPage(organization.owner, '/login/second_factor', { token, code: '000000' })
    expectRefusal(answer, 'AUTHENTICATION_FAILED', LOGIN_EXPIRED)
  })

  it('ends the oldest pending sign-in beyond the limit and deletes expired pending sign-ins', async () => {
    const { secret } = await setUpFactor(organization.owner)
    const oldest = tokenIn(await logIn(organization.owner))
    passTime(1)
    for (let more = 0; more < PENDING_LOGIN_LIMIT.most; more += 1) tokenIn(await logIn(organization.owner))
    const answer = await postFromPage(organization.owner, '/login/second_factor', {
      token: oldest,
      code: codeOf(secret),
    })
    expectRefusal(answer, 'AUTHENTICATION_FAILED', LOGIN_EXPIRED)
    passTime(PENDING_LOGIN_SECONDS)
    const { parley } = server()
    await runJob(parley, deleteExpiredPendingLogins)
    const left = 'select 1 from pending_logins where organization_id = $1'
    expect((await parley.database.pool.query(left, [organization.id])).rows).toEqual([])
  })
})

describe('attempts to bypass the second factor', () => {
  it('refuses to return the API key for the password alone', async () => {
    await setUpFactor(organization.owner)
    const answer = await postFromPage(organization.owner, '/fetch_api_key', {
      username: organization.owner.email,
      password: PASSWORD,
    })
    expect([answer.status, answer.body['api_key']]).toEqual([401, undefined])
    expect(answer.body['code']).toBe('PASSWORD_AUTH_DISABLED')
    const wrong = await postFromPage(organization.owner, '/fetch_api_key', {
      username: organization.owner.email,
      password: 'wrong',
    })
    expect(wrong.body['code']).toBe('AUTHENTICATION_FAILED')
  })

  it('asks for a second-factor code after a password reset', async () => {
    const { secret } = await setUpFactor(organization.owner)
    await postFromPage(organization.owner, '/password_reset', { email: organization.owner.email })
    const link = new URL(linkIn(await mails.next(organization.owner.email, /^Reset your password/))).hash.slice(1)
    const answer = await postFromPage(organization.owner, '/password_reset/confirm', {
      token: link,
      password: 'eight yellow giraffes',
    })
    const token = tokenIn(answer)
    const signedIn = await postFromPage(organization.owner, '/login/second_factor', { token, code: codeOf(secret) })
    expect(await signedInUserId(browserOf(organization.owner, signedIn))).toBe(organization.owner.id)
  })

  it('requires a code to remove the second factor or renew recovery codes', async () => {
    const { browser, secret, recoveryCodes } = await setUpFactor(organization.owner)
    for (const [method, path] of [
      ['DELETE', '/second_factor'],
      ['POST', '/second_factor/recovery_codes'],
    ] as const) {
      expectRefusal(await browser.try(method, path, { code: '000000x' }), 'BAD_REQUEST', WRONG_CODE)
    }
    const renewed = await browser.call('POST', '/second_factor/recovery_codes', { code: codeOf(secret) })
    expect(renewed['recovery_codes']).toHaveLength(RECOVERY_CODE_COUNT)
    const [old = ''] = recoveryCodes
    expectRefusal(await browser.try('DELETE', '/second_factor', { code: old }), 'BAD_REQUEST', WRONG_CODE)
    const [code = ''] = renewed['recovery_codes']
    await browser.call('DELETE', '/second_factor', { code })
    expect(await browser.call('GET', '/second_factor')).toMatchObject({ since: null, recovery_codes_left: 0 })
    expect(cookiesOf(await logIn(organization.owner))).toHaveProperty('parley')
  })

  it('limits attempts with wrong second-factor codes', async () => {
    organization = await rateLimitedServer().organization('Acme', { password: PASSWORD })
    const { secret } = await setUpFactor(organization.owner)
    const token = tokenIn(await logIn(organization.owner))
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const answer = await postFromPage(organization.owner, '/login/second_factor', {
        token,
        code: codeOf(secret, 3_600),
      })
      expectRefusal(answer, 'AUTHENTICATION_FAILED', WRONG_CODE)
    }
    const next = tokenIn(await logIn(organization.owner))
    const late = await postFromPage(organization.owner, '/login/second_factor', { token: next, code: codeOf(secret) })
    expect([late.status, late.body['code']]).toEqual([429, 'RATE_LIMIT_HIT'])
  })

  it('limits attempts with wrong passwords in a signed-in browser', async () => {
    organization = await rateLimitedServer().organization('Acme', { password: PASSWORD })
    const browser = await signIn(organization.owner)
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const answer = await browser.try('POST', '/second_factor', { password: `wrong ${attempt}` })
      expectRefusal(answer, 'BAD_REQUEST', 'Wrong password!')
    }
    const late = await browser.try('POST', '/second_factor', { password: PASSWORD })
    expect([late.status, late.body['code']]).toEqual([429, 'RATE_LIMIT_HIT'])
    const elsewhere = await browser.try('PATCH', '/settings', { old_password: PASSWORD, new_password: 'x' })
    expect(elsewhere.body['code']).toBe('RATE_LIMIT_HIT')
  })

  it('rejects a pending sign-in token as a session or API key', async () => {
    await setUpFactor(organization.owner)
    const token = tokenIn(await logIn(organization.owner))
    const { url, host, email } = organization.owner
    for (const headers of [
      { cookie: `parley=${token}`, 'sec-fetch-site': 'same-origin' },
      { cookie: `parley=${organization.owner.id}.${token}`, 'sec-fetch-site': 'same-origin' },
      { authorization: `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}` },
      { authorization: `Bearer ${token}` },
    ]) {
      expect((await callApi(url, host, 'GET', '/users/me', {}, { headers })).status).toBe(401)
    }
    expectRefusal(await postFromPage(organization.owner, '/login_link', { token }), 'AUTHENTICATION_FAILED', BAD_LINK)
  })

  it("lets only administrators remove another person's second factor", async () => {
    const ann = await organization.user('Ann')
    await setUpFactor(ann, '')
    const mod = await organization.user('Mo', { role: 300 })
    expect((await mod.try('DELETE', `/users/${ann.id}/second_factor`)).status).toBe(400)
    expect((await ann.try('DELETE', `/users/${ann.id}/second_factor`)).status).toBe(400)
    for (const one of [ann, mod]) {
      const refused = await one.try('GET', `/users/${ann.id}/second_factor`)
      expect([refused.status, refused.body['msg']]).toEqual([400, 'Insufficient permission'])
    }
    const { browser } = await setUpFactor(organization.owner)
    expect((await browser.try('DELETE', `/users/${organization.owner.id}/second_factor`)).status).toBe(400)
    const admin = await organization.user('Ada', { role: 200 })
    for (const method of ['GET', 'DELETE']) {
      const refused = await admin.try(method, `/users/${organization.owner.id}/second_factor`)
      expect([refused.status, refused.body['msg']]).toEqual([400, 'Must be an organization owner'])
    }
    const { since } = await ann.call('GET', '/second_factor')
    expect(await admin.call('GET', `/users/${ann.id}/second_factor`)).toMatchObject({ since })
    expect(await admin.call('GET', `/users/${mod.id}/second_factor`)).toMatchObject({ since: null })
    await expectNoEvents(async () => admin.call('DELETE', `/users/${ann.id}/second_factor`))
    expect(await admin.call('GET', `/users/${ann.id}/second_factor`)).toMatchObject({ since: null })
    expect(await ann.call('GET', '/second_factor')).toMatchObject({ since: null, recovery_codes_left: 0 })
  })
})
