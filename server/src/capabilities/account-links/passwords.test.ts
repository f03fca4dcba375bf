import { beforeAll, describe, expect, it } from 'vitest'
import { browserOf, cookiesOf, signIn } from '../../testing/browser.ts'
import { linkIn, tokenIn, useMailServer } from '../../testing/mail-server.ts'
import { startTestServer, useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, type Answer, type Parameters, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { deleteQueuedMails, fillMailQueue } from '../mail/testing/full.ts'
import { ACCOUNT_LINK_LIMIT, PASSWORD_REQUEST_LIMIT } from './contract.ts'

const mails = await useMailServer()
/** Matches emails with a reset link, not notices of a changed password. */
const RESET_SUBJECT = /^Reset your password/
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })
const PASSWORD = 'seven purple elephants'
let organization: TestOrganization
let owner: TestUser

beforeAll(async () => {
  organization = await server().organization('Acme', { password: 'correct horse battery' })
  owner = organization.owner
})

async function tryToPost(at: TestUser, path: string, parameters: Parameters): Promise<Answer> {
  return callApi(at.url, at.host, 'POST', path, parameters, { headers: { 'sec-fetch-site': 'same-origin' } })
}

async function requestResetToken(user: TestUser): Promise<string> {
  expect((await tryToPost(user, '/password_reset', { email: user.email })).body).toEqual({ result: 'success', msg: '' })
  return tokenIn(await mails.next(user.email, RESET_SUBJECT))
}

async function choosePassword(at: TestUser, token: string, password = PASSWORD): Promise<Answer> {
  return tryToPost(at, '/password_reset/confirm', { token, password })
}

async function canSignIn(user: TestUser, password: string): Promise<boolean> {
  return (await tryToPost(user, '/login', { username: user.email, password })).status === 200
}

const BAD_LINK = { result: 'error', code: 'AUTHENTICATION_FAILED', msg: 'This link is no longer valid.' }

async function expectBadLink(at: TestUser, token: string): Promise<void> {
  const answer = await choosePassword(at, token, 'another long password of mine')
  expect([answer.status, answer.body]).toEqual([401, BAD_LINK])
  expect(answer.headers['set-cookie']).toBeUndefined()
}

it('refuses password resets while the organization is deactivated', async () => {
  const other = await server().organization()
  await other.owner.call('POST', '/realm/deactivate')
  const asked = [
    await tryToPost(other.owner, '/password_reset', { email: other.owner.email }),
    await tryToPost(other.owner, '/password_reset', { email: 'nobody@example.com' }),
  ]
  expect(asked.map(({ body }) => body['code'])).toEqual(['REALM_DEACTIVATED', 'REALM_DEACTIVATED'])
})

describe('password resets', () => {
  it('resets a password by an emailed link, ends other sessions, and revokes the API key', async () => {
    const ann = await organization.user('Ann')
    const [before, look] = [await signIn(ann), await watch({ owner })]
    const { queue_id } = await ann.call('POST', '/register', { event_types: ['message'] })
    expect((await tryToPost(ann, '/password_reset', { email: ann.email.toUpperCase() })).status).toBe(200)
    const mail = await mails.next(ann.email, RESET_SUBJECT)
    expect(mail.headers['subject']).toBe('Reset your password for Acme')
    expect(linkIn(mail)).toMatch(new RegExp(`^http://${ann.host}:\\d+/password#[\\w-]{43}$`))
    const answer = await choosePassword(ann, tokenIn(mail))
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { user_id: ann.id, email: ann.email, revoked: { sessions: 1, passkeys: 0 } },
    ])
    expect(cookiesOf(answer)['parley']).toMatch(/HttpOnly; SameSite=Lax$/)
    expect(await browserOf(ann, answer).call('GET', '/users/me')).toMatchObject({ user_id: ann.id })
    expect((await before.try('GET', '/users/me')).body['code']).toBe('UNAUTHENTICATED_USER')
    expect((await ann.try('GET', '/users/me')).body['code']).toBe('INVALID_API_KEY')
    const { body } = await browserOf(ann, answer).try('GET', '/events', { queue_id, last_event_id: -1 })
    expect(body['code']).toBe('BAD_EVENT_QUEUE_ID')
    expect(await canSignIn(ann, PASSWORD)).toBe(true)
    await expectBadLink(ann, tokenIn(mail))
    expect(await look()).toEqual({ owner: [] })
  })

  it('answers password reset requests identically for all addresses, and emails only existing accounts', async () => {
    const bot = await organization.user('Bert Bot', { bot: { ownerId: owner.id } })
    const gone = await organization.user('Dora Done')
    await owner.call('DELETE', `/users/${gone.id}`)
    const hidden = `user${owner.id}@${owner.host}`
    for (const email of ['nobody@example.org', bot.email, gone.email, hidden]) {
      const { status, body } = await tryToPost(owner, '/password_reset', { email })
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }])
    }
    // The server answers this request after the preceding requests.
    await requestResetToken(owner)
    expect(mails.received().filter(({ headers }) => RESET_SUBJECT.test(headers['subject'] ?? ''))).toEqual([])
  })

  it('delays only the reset emails of the organization whose mail queue is full', async () => {
    const full = await server().organization('Full')
    const later = await server().organization('Later')
    await fillMailQueue(server(), full.id)
    await server().parley.database.pool.query(
      `insert into password_requests (organization_id, id, email)
       select $1, 1000000 + n, 'nobody@example.org' from generate_series(1, 200) n`,
      [full.id],
    )
    await tryToPost(full.owner, '/password_reset', { email: full.owner.email })
    await requestResetToken(later.owner)
    expect(mails.received(full.owner.email)).toEqual([])
    await deleteQueuedMails(server(), full.id)
    expect(tokenIn(await mails.next(full.owner.email, RESET_SUBJECT))).toHaveLength(43)
  })

  it.each(['', 'nobody', 'a@b@c', 'ann@example.org\r\nBcc: evil@example.org'])(
    'rejects a password reset for the address %j',
    async (email) => {
      const { status, body } = await tryToPost(owner, '/password_reset', { email })
      expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', 'Enter a valid email address.'])
    },
  )

  it.each(['short', 'password1', 'aaaaaaaaaaaa', 'x'.repeat(101)])(
    'rejects the new password %j and keeps the password reset link valid',
    async (password) => {
      const ben = await organization.user('Ben')
      const token = await requestResetToken(ben)
      const { status, body } = await choosePassword(ben, token, password)
      expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
      expect((await ben.try('GET', '/users/me')).status).toBe(200)
      expect((await choosePassword(ben, token)).status).toBe(200)
    },
  )
})

describe('password reset links', () => {
  it('rejects password reset links that are guessed, expired, or for another organization or purpose', async () => {
    const cora = await organization.user('Cora')
    const elsewhere = (await server().organization('Elsewhere')).owner
    const [foreign, good] = [await requestResetToken(elsewhere), await requestResetToken(cora)]
    await cora.call('PATCH', '/settings', { email: 'cora.new@example.org' })
    const forAddress = tokenIn(await mails.next('cora.new@example.org'))
    const other = good.startsWith('a') ? `b${good.slice(1)}` : `a${good.slice(1)}`
    for (const token of [foreign, other, forAddress, `${good}=`, '', "' or true --"]) await expectBadLink(cora, token)
    await server().parley.database.pool.query(
      'update account_links set expires_at = 1 where user_id = $1 and new_email is null',
      [cora.id],
    )
    await expectBadLink(cora, good)
  })

  it('invalidates password reset links on deactivation or a new API key', async () => {
    const [dan, eva] = [await organization.user('Dan'), await organization.user('Eva')]
    const [ofDan, ofEva] = [await requestResetToken(dan), await requestResetToken(eva)]
    await owner.call('DELETE', `/users/${dan.id}`)
    await expectBadLink(dan, ofDan)
    await eva.call('POST', '/users/me/api_key/regenerate')
    await expectBadLink(eva, ofEva)
  })

  it("neither replaces nor resends a person's reset link when a stranger requests more links", async () => {
    const [fay, gus] = [await organization.user('Fay'), await organization.user('Gus')]
    const first = await requestResetToken(fay)
    await server().parley.database.pool.query('update account_links set made_at = made_at - 10 where user_id = $1', [
      fay.id,
    ])
    for (let more = 1; more < ACCOUNT_LINK_LIMIT.most; more += 1) await requestResetToken(fay)
    for (let more = 0; more < 3; more += 1) {
      const { status, body } = await tryToPost(fay, '/password_reset', { email: fay.email })
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }])
    }
    // The server answers this request after the preceding requests.
    await requestResetToken(gus)
    expect(mails.received(fay.email)).toEqual([])
    expect((await choosePassword(fay, first)).status).toBe(200)
    // Used links no longer count toward the limit.
    expect((await choosePassword(fay, await requestResetToken(fay))).status).toBe(200)
  })

  it('invalidates password reset and email confirmation links when an administrator changes the email', async () => {
    const [ivy, jo, to] = [await organization.user('Ivy'), await organization.user('Jo'), 'ivy.own@example.org']
    const ofJo = await requestResetToken(jo)
    await owner.call('PATCH', `/users/${jo.id}`, { full_name: 'Jo Renamed' })
    expect((await choosePassword(jo, ofJo)).status).toBe(200)
    const token = await requestResetToken(ivy)
    await ivy.call('PATCH', '/settings', { email: to })
    const forAddress = tokenIn(await mails.next(to))
    // Someone else may be able to read the former mailbox.
    await owner.call('PATCH', `/users/${ivy.id}`, { new_email: 'ivy.new@example.org' })
    await expectBadLink(ivy, token)
    expect((await tryToPost(ivy, '/email/confirm', { token: forAddress })).body).toEqual(BAD_LINK)
    expect(await owner.call('GET', `/users/${ivy.id}`)).toMatchObject({
      user: { delivery_email: 'ivy.new@example.org' },
    })
  })

  it('accepts a reset link only once, even for simultaneous requests', async () => {
    const gil = await organization.user('Gil')
    const token = await requestResetToken(gil)
    const answers = await Promise.all([choosePassword(gil, token), choosePassword(gil, token)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401'])
  })

  it('stores no plaintext reset link token in the database', async () => {
    const token = await requestResetToken(await organization.user('Hal'))
    const { rows } = await server().parley.database.pool.query<{ row: string }>(
      'select a::text as row from account_links a',
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) expect(row).not.toContain(token)
  })
})

describe('password reset limits', () => {
  it('refuses password resets while too many requests are pending', async () => {
    const { id, owner: boss } = await server().organization()
    await server().parley.database.pool.query(
      `insert into password_requests select $1, -n, 'nobody@example.org' from generate_series(1, $2::int) n`,
      [id, PASSWORD_REQUEST_LIMIT.most * 3],
    )
    const { status, body } = await tryToPost(boss, '/password_reset', { email: boss.email })
    expect([status, body['msg']]).toEqual([400, 'Too many password resets. Try again later.'])
  })

  it('limits password resets per email address, whether or not the address has an account', async () => {
    const limited = await startTestServer({ PARLEY_RATE_LIMITS: 'on', PARLEY_RATE_LIMIT_LOGIN: '2/600' })
    const { owner: boss } = await limited.organization()
    for (const email of [boss.email, 'nobody@example.org']) {
      const statuses: number[] = []
      for (let time = 0; time < 3; time += 1)
        statuses.push((await tryToPost(boss, '/password_reset', { email })).status)
      expect(statuses).toEqual([200, 200, 429])
    }
    await limited.close()
  })
})
