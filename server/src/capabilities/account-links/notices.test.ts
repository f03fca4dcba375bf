import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signIn, type TestBrowser } from '../../testing/browser.ts'
import { useMailServer, type ReceivedMail } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { setPassword } from '../authentication/actions/index.ts'
import { deleteQueuedMails, fillMailQueue } from '../mail/testing/full.ts'
import { makePasskey } from '../passkeys/testing/devices.ts'
import { codeOf, passTime, PASSWORD, STEP_SECONDS, stopClock } from '../second-factors/testing/signing-in.ts'
import { knownUser } from '../users/rules/index.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })
const NEW_PASSWORD = 'seven purple elephants'
const HANDLED_POSITION = `
  select from consumers where name = $1 and organization_id = $2 and position >= (
    select max(position) from events where organization_id = $2 and type = $3)`
let organization: TestOrganization
let owner: TestUser
let browser: TestBrowser

beforeAll(async () => {
  stopClock()
  organization = await server().organization('Acme & Sons', { password: PASSWORD })
  owner = organization.owner
  browser = await signIn(owner)
})
afterAll(() => {
  vi.useRealTimers()
})

const CLOSING_SENTENCES = ['If this was you, there’s nothing to do.', 'If not, tell an admin too.']

async function waitForNotice(user: TestUser, subject: string): Promise<ReceivedMail> {
  const mail = await mails.next(user.email)
  expect(mail.headers['subject']).toBe(subject)
  for (const words of CLOSING_SENTENCES) {
    expect(mail.text).toContain(words)
    expect(mail.html).toContain(words)
  }
  expect(mail.text).toMatch(/\/password$/m)
  expect(mail.html).toContain('Acme &amp; Sons')
  expect(mail.html).not.toContain('Acme & Sons')
  expect(mail.text).toMatch(/November|December|January/)
  return mail
}

async function expectNothingSentTo(user: TestUser): Promise<void> {
  await owner.call('POST', '/invites', { invitee_emails: 'later@example.org', stream_ids: [] })
  await mails.next('later@example.org')
  expect(mails.received(user.email)).toEqual([])
}

async function createUserWithPassword(email: string): Promise<TestUser> {
  const { user_id: id } = await owner.call('POST', '/users', { email, password: PASSWORD, full_name: 'Somebody' })
  await mails.next(email)
  const { api_key: key } = await owner.call('POST', '/fetch_api_key', { username: email, password: PASSWORD })
  return new TestUser(owner.url, owner.host, email, key, id)
}

describe("security notices to an account's owner", () => {
  it('emails people the name of a passkey added to their account', async () => {
    const { id } = await makePasskey(browser, PASSWORD)
    expect((await waitForNotice(owner, 'New passkey at Acme & Sons')).text).toContain('Phone\n')
    await browser.call('DELETE', `/passkeys/${id}`, { password: PASSWORD })
    await expectNothingSentTo(owner)
  })

  it('emails people the name of an API token added to their account, but not the token', async () => {
    const terms = { name: 'Script <b>', is_read_only: true, password: PASSWORD }
    expect((await browser.try('POST', '/api_tokens', { ...terms, password: 'wrong' })).status).toBe(400)
    const { api_token: token, api_token_id: id } = await browser.call('POST', '/api_tokens', terms)
    const mail = await waitForNotice(owner, 'New API token at Acme & Sons')
    expect(mail.text).toContain('Script <b>\n')
    expect(mail.html).toContain('Script &lt;b&gt;')
    for (const text of [mail.text, mail.html]) expect(text).not.toContain(token)
    await browser.call('DELETE', `/api_tokens/${String(id)}`)
    await expectNothingSentTo(owner)
  })

  it('emails people when their account gets or loses 2FA or gets new recovery codes', async () => {
    const ann = await createUserWithPassword('ann@example.org')
    const theirs = await signIn(ann)
    const setUp = async (): Promise<string> => {
      const { secret } = await theirs.call('POST', '/second_factor', { password: PASSWORD })
      await theirs.call('POST', '/second_factor/confirm', { code: codeOf(secret) })
      passTime()
      await waitForNotice(ann, 'Two-factor authentication turned on at Acme & Sons')
      return secret
    }
    const secret = await setUp()
    expect((await theirs.try('POST', '/second_factor/recovery_codes', { code: '000000' })).status).toBe(400)
    const { recovery_codes: codes } = await theirs.call('POST', '/second_factor/recovery_codes', {
      code: codeOf(secret),
    })
    const mail = await waitForNotice(ann, 'New recovery codes at Acme & Sons')
    for (const code of codes) expect(mail.text + mail.html).not.toContain(code)
    passTime(STEP_SECONDS)
    await theirs.call('DELETE', '/second_factor', { code: codeOf(secret) })
    await waitForNotice(ann, 'Two-factor authentication turned off at Acme & Sons')
    await setUp()
    await owner.call('DELETE', `/users/${ann.id}/second_factor`)
    await waitForNotice(ann, 'Two-factor authentication turned off at Acme & Sons')
    await owner.call('DELETE', `/users/${ann.id}/second_factor`)
    await expectNothingSentTo(ann)
  })

  it('emails a person about their password change, and audits the change without either password', async () => {
    const ben = await createUserWithPassword('ben@example.org')
    const theirs = await signIn(ben)
    const look = await watch({ owner, ben })
    const change = { old_password: PASSWORD, new_password: NEW_PASSWORD }
    expect((await theirs.try('PATCH', '/settings', { ...change, old_password: 'wrong' })).status).toBe(400)
    await theirs.call('PATCH', '/settings', change)
    const mail = await waitForNotice(ben, 'Your password at Acme & Sons was changed')
    for (const text of [mail.text, mail.html]) expect(text).not.toMatch(/elephants|battery/)
    expect(await look()).toEqual({ owner: [], ben: [] })
    const { entries } = await owner.call('GET', '/audit_log', { kind: 'people', limit: 1 })
    expect(entries).toMatchObject([
      { acting_user_id: ben.id, action: 'changed', target: { id: ben.id }, changes: [{ property: 'password' }] },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/elephants|battery/)
    await expectNothingSentTo(ben)
  })

  it('emails people, in their language, about a password change by the operator', async () => {
    const dora = await createUserWithPassword('dora@example.org')
    await dora.call('PATCH', '/settings', { default_language: 'de' })
    const log = await server().parley.logs.of(organization.id)
    await log.operate((tx) => setPassword(tx, knownUser(tx.organization, dora.id), 'a hash'))
    const mail = await mails.next(dora.email)
    expect(mail.headers['subject']).toBe('Dein Passwort bei Acme & Sons wurde geändert')
    expect(mail.text).toContain('Das warst nicht du? Neues Passwort wählen')
  })

  it('sends no security notices to deactivated accounts', async () => {
    const gone = await createUserWithPassword('gone@example.org')
    await owner.call('DELETE', `/users/${gone.id}`)
    const log = await server().parley.logs.of(organization.id)
    await log.operate((tx) => setPassword(tx, knownUser(tx.organization, gone.id), 'a hash'))
    await expectNothingSentTo(gone)
  })

  it('changes the password without a notice while the mail queue is full', async () => {
    const full = await server().organization('Full', { password: PASSWORD })
    const theirs = await signIn(full.owner)
    const { pool } = server().parley.database
    await fillMailQueue(server(), full.id)
    await theirs.call('PATCH', '/settings', { old_password: PASSWORD, new_password: NEW_PASSWORD })
    const handledPosition = async (): Promise<number | null> =>
      (await pool.query(HANDLED_POSITION, ['tellOfCredentials', full.id, 'credentials'])).rowCount
    await expect.poll(handledPosition).toBe(1)
    await deleteQueuedMails(server(), full.id)
    await theirs.call('PATCH', '/settings', { old_password: NEW_PASSWORD, new_password: PASSWORD })
    await mails.next(full.owner.email)
    await theirs.call('PATCH', '/settings', { old_password: PASSWORD, new_password: NEW_PASSWORD })
    await mails.next(full.owner.email)
    expect(mails.received(full.owner.email)).toEqual([])
  })
})
