import { beforeEach, describe, expect, it } from 'vitest'
import { cookiesOf } from '../../testing/browser.ts'
import { linkIn, useMailServer } from '../../testing/mail-server.ts'
import { useOpenidProvider, type ProviderPerson } from '../../testing/openid-provider.ts'
import { useTestServer, type TestOrganization, type TestServer } from '../../testing/server.ts'
import { TestUser, type Answer } from '../../testing/user.ts'
import { callWithToken, makeToken } from '../api-tokens/testing/tokens.ts'
import { makePasskey } from '../passkeys/testing/devices.ts'
import { codeOf } from '../second-factors/testing/signing-in.ts'
import { redirectAddress, openidSignInSteps } from './testing/signing-in.ts'

const mails = await useMailServer()
const provider = await useOpenidProvider()
const NO_LOG = { PARLEY_LOG_LEVEL: 'silent' }
const server = useTestServer({ ...provider.environment, ...NO_LOG, PARLEY_SMTP_URL: mails.url })
const serverWithoutMail = useTestServer({ ...provider.environment, ...NO_LOG })
const PASSWORD = 'seven purple elephants'
const ANN = {
  subject: 'ann-1',
  email: 'ann@example.org',
  email_verified: true,
  name: 'Ann Able',
} satisfies ProviderPerson
let organization: TestOrganization

const { ask, signInAs, signedIn } = openidSignInSteps(provider, () => organization)

async function createOrganizationOn(started: TestServer): Promise<TestOrganization> {
  const made = await started.organization('Acme')
  await made.owner.call('PATCH', '/realm', { send_welcome_emails: false })
  provider.redirectAddresses.add(redirectAddress(made))
  return made
}

async function createAccount(email: string): Promise<number> {
  const account = { email, password: PASSWORD, full_name: 'Ann Account' }
  return (await organization.owner.call('POST', '/users', account))['user_id']
}

function expectRefusal({ status, body }: Answer): void {
  expect([status, body['code']]).toEqual([401, 'AUTHENTICATION_FAILED'])
}

describe('accounts with unconfirmed addresses', () => {
  beforeEach(async () => {
    organization = await createOrganizationOn(serverWithoutMail())
  })

  async function hijack() {
    const { invite_link: link } = await organization.owner.call('POST', '/invites/multiuse', {})
    const token = new URL(link).hash.slice(1)
    const joined = await ask('/join', { token, email: ANN.email, full_name: 'Ann?', password: PASSWORD })
    const browser = signedIn(joined)
    const { api_key: apiKey } = await browser.call('POST', '/users/me/api_key/regenerate')
    const { url, host } = browser
    const program = new TestUser(url, host, ANN.email, apiKey, browser.id)
    const { device } = await makePasskey(program, PASSWORD)
    const apiToken = (await makeToken(program, { password: PASSWORD })).token
    return { browser, program, device, apiToken }
  }

  it("revokes an unconfirmed account's credentials when the owner of the email address signs in", async () => {
    const { browser, program, device, apiToken } = await hijack()
    const queue = await organization.owner.register()
    const own = signedIn(await signInAs(ANN))
    expect(own.id).toBe(browser.id)
    expectRefusal(await ask('/login', { username: ANN.email, password: PASSWORD }))
    const { body } = await ask('/login/passkey/begin', {})
    expectRefusal(await ask('/login/passkey', { credential: device.sign(body['options']) }))
    expect((await browser.try('GET', '/users/me')).status).toBe(401)
    expect((await program.try('GET', '/users/me')).status).toBe(401)
    expect((await callWithToken(program, apiToken, 'GET', '/users/me')).status).toBe(401)
    // The announcement of the new account can arrive late.
    expect((await queue.events()).filter(({ type }) => type !== 'message')).toEqual([])
    // Credentials that the email's owner adds later are kept.
    await own.call('POST', '/api_tokens', { name: 'Backup' })
    signedIn(await signInAs(ANN))
    expect((await own.call('GET', '/api_tokens'))['api_tokens']).toMatchObject([{ name: 'Backup' }])
  })

  it('keeps the credentials of an unconfirmed account with 2FA until an administrator removes its 2FA', async () => {
    const { browser, program, device } = await hijack()
    const { secret } = await browser.call('POST', '/second_factor', { password: PASSWORD })
    await browser.call('POST', '/second_factor/confirm', { code: codeOf(secret) })
    const asked = await signInAs(ANN)
    expect([asked.status, asked.body]).toMatchObject([200, { second_factor: { kind: 'code' } }])
    expect(cookiesOf(asked)['parley']).toBeUndefined()
    expect((await program.try('GET', '/users/me')).status).toBe(200)
    await organization.owner.call('DELETE', `/users/${browser.id}/second_factor`)
    expect(signedIn(await signInAs(ANN)).id).toBe(browser.id)
    for (const user of [browser, program]) expect((await user.try('GET', '/users/me')).status).toBe(401)
    expectRefusal(await ask('/login', { username: ANN.email, password: PASSWORD }))
    const { body } = await ask('/login/passkey/begin', {})
    expectRefusal(await ask('/login/passkey', { credential: device.sign(body['options']) }))
  })

  it("when an address's owner signs in, ends sessions of an account that did not confirm the address", async () => {
    const id = await createAccount('ben@example.org')
    const browser = signedIn(await ask('/login', { username: 'ben@example.org', password: PASSWORD }))
    await browser.call('PATCH', '/settings', { email: ANN.email })
    expect(signedIn(await signInAs(ANN)).id).toBe(id)
    expect((await browser.try('GET', '/users/me')).status).toBe(401)
  })

  it("does not sign in an address's owner to a linked account that did not confirm the address", async () => {
    await organization.owner.call('PATCH', '/realm', { invite_required: false })
    const eve = signedIn(await signInAs({ ...ANN, subject: 'eve-1', email: 'eve@example.org' }))
    await eve.call('PATCH', '/settings', { email: ANN.email })
    expectRefusal(await signInAs(ANN))
    expect((await eve.try('GET', '/users/me')).status).toBe(200)
  })
})

/** Ways to confirm an address by email. Each uses a new address that has received no email yet. */
const EMAIL_CONFIRMATIONS: Readonly<Record<string, (email: string) => Promise<Answer>>> = {
  'an email invitation': async (email) => {
    await organization.owner.call('POST', '/invites', { invitee_emails: email, stream_ids: [] })
    const token = tokenOf(await mails.next(email))
    return ask('/join', { token, full_name: 'Ann', password: PASSWORD })
  },
  'a password reset link': async (email) => {
    await createAccount(email)
    await ask('/password_reset', { email })
    const token = tokenOf(await mails.next(email))
    return ask('/password_reset/confirm', { token, password: PASSWORD })
  },
  'an email confirmation link': async (email) => {
    const before = `before-${email}`
    await createAccount(before)
    const browser = signedIn(await ask('/login', { username: before, password: PASSWORD }))
    await browser.call('PATCH', '/settings', { email })
    return ask('/email/confirm', { token: tokenOf(await mails.next(email)) })
  },
}

function tokenOf(mail: Parameters<typeof linkIn>[0]): string {
  return new URL(linkIn(mail)).hash.slice(1)
}

it.each(Object.entries(EMAIL_CONFIRMATIONS))(
  'keeps the password of an account whose email address was confirmed by %s',
  async (name, prove) => {
    organization = await createOrganizationOn(server())
    const email = `${name.replaceAll(' ', '-')}@example.org`
    expect((await prove(email)).status).toBe(200)
    signedIn(await signInAs({ ...ANN, email }))
    signedIn(await ask('/login', { username: email, password: PASSWORD }))
  },
)
