import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { browserOf, cookiesOf, createLoginLink, signIn, TestBrowser } from '../../testing/browser.ts'
import { blockWriter } from '../../testing/hold.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { basic, callApi, TestUser, type Answer, type Body } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { hashNewPassword, setPassword } from '../authentication/actions/index.ts'
import { knownUser } from '../users/rules/index.ts'
import { SESSION_LIMIT } from './contract.ts'

const server = useTestServer()
const PASSWORD = 'correct horse'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36'
let organization: TestOrganization
let owner: TestUser

beforeAll(async () => {
  organization = await server().organization('Test', { password: PASSWORD })
  owner = organization.owner
})

afterEach(() => {
  vi.restoreAllMocks()
})

async function login(user: TestUser, password = PASSWORD, username = user.email): Promise<Answer> {
  const headers = { 'user-agent': CHROME, 'sec-fetch-site': 'same-origin' }
  return callApi(user.url, user.host, 'POST', '/login', { username, password }, { headers })
}

async function listSessions(user: TestUser): Promise<Body[]> {
  return (await user.call('GET', '/sessions'))['sessions']
}

/** @returns the user ID that a browser is signed in as, or the error code */
async function currentUser(browser: TestUser): Promise<unknown> {
  const { body } = await browser.try('GET', '/users/me')
  return body['user_id'] ?? body['code']
}

const SIGNED_OUT_CODE = 'UNAUTHENTICATED_USER'

async function parkPoll(user: TestUser, queueId: string): Promise<{ answer: Promise<Answer> }> {
  const before = server().parley.queues.count().parked
  const answer = user.try('GET', '/events', { queue_id: queueId, last_event_id: -1 })
  await expect.poll(() => server().parley.queues.count().parked).toBe(before + 1)
  return { answer }
}

describe('session sign-in', () => {
  it('returns the account on sign-in, sets an HttpOnly cookie, and sends no events', async () => {
    const other = await organization.user('Otto Other')
    const look = await watch({ owner, other })
    const answer = await login(owner)
    expect([answer.status, answer.body]).toEqual([
      200,
      { result: 'success', msg: '', user_id: owner.id, email: owner.email },
    ])
    const { parley = '' } = cookiesOf(answer)
    expect(parley).toMatch(/^\d+\.[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    expect(Object.keys(cookiesOf(answer))).toEqual(['parley'])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await currentUser(browserOf(owner, answer))).toBe(owner.id)
    expect(await look()).toEqual({ owner: [], other: [] })
  })

  it('creates a new session for each sign-in regardless of cookies', async () => {
    const [one, other] = [browserOf(owner, await login(owner)), browserOf(owner, await login(owner))]
    const headers = { ...one.headers, cookie: one.cookie }
    const third = await one.sends(headers, 'POST', '/login', { username: owner.email, password: PASSWORD })
    expect(new Set([one.cookie, other.cookie, browserOf(owner, third).cookie]).size).toBe(3)
  })

  it("ends only the browser's previous session on sign-in", async () => {
    const [ann, ben] = [await organization.user('Ann'), await organization.user('Ben')]
    const [before, elsewhere] = [await signIn(ann), await signIn(ann)]
    const { queue_id } = await before.call('POST', '/register', { event_types: ['message'] })
    const { answer: poll } = await parkPoll(before, queue_id)
    const forged = { ...before.headers, cookie: elsewhere.cookie.slice(0, -1) }
    const follow = async (headers: Record<string, string>): Promise<Answer> =>
      before.sends(headers, 'POST', '/login_link', { token: await createLoginLink(ben) })
    const after = browserOf(ben, await follow(before.headers))
    await follow(forged)
    expect([await currentUser(before), await currentUser(elsewhere), await currentUser(after)]).toEqual([
      SIGNED_OUT_CODE,
      ann.id,
      ben.id,
    ])
    expect((await poll).body['code']).toBe(SIGNED_OUT_CODE)
  })

  it('returns the same error for all wrong credentials and sets no cookie', async () => {
    const bot = await organization.user('Bert Bot', { bot: { ownerId: owner.id } })
    const elsewhere = await server().organization('Elsewhere')
    const answers = await Promise.all([
      login(owner, 'wrong'),
      login(owner, ''),
      login(owner, owner.apiKey),
      login(owner, PASSWORD, 'nobody@example.com'),
      login(owner, PASSWORD, 'constructor'),
      login(bot, ''),
      login(bot, bot.apiKey),
      login(elsewhere.owner),
      callApi(owner.url, owner.host, 'POST', '/fetch_api_key', { username: owner.email, password: 'wrong' }),
    ])
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([401, answers[0]?.body])
      expect(body['code']).toBe('AUTHENTICATION_FAILED')
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  it('reports a deactivated account only with the right password', async () => {
    const at = await server().organization()
    const email = 'dora@example.com'
    const password = 'a long password'
    const { user_id } = await at.owner.call('POST', '/users', { email, password, full_name: 'Dora Done' })
    const dora = new TestUser(at.owner.url, at.owner.host, email, '', user_id)
    await at.owner.call('DELETE', `/users/${dora.id}`)
    expect((await login(dora, password)).body['code']).toBe('USER_DEACTIVATED')
    expect((await login(dora, 'wrong password')).body['code']).toBe('AUTHENTICATION_FAILED')
  })

  it('rejects a password that changed while it was being checked', async () => {
    const at = await server().organization('Test', { password: PASSWORD })
    const log = await server().parley.logs.of(at.id)
    const release = await blockWriter(server().parley, at)
    const writing = vi.spyOn(log, 'write')
    const hash = await hashNewPassword('another horse')
    const changed = log.write((tx) => setPassword(tx, knownUser(tx.organization, at.owner.id), hash))
    const late = login(at.owner)
    // The old password was verified, and the new session now waits for the change.
    await expect.poll(() => writing.mock.calls.length).toBe(2)
    release()
    await changed
    expect((await late).body['code']).toBe('AUTHENTICATION_FAILED')
    expect(await listSessions(at.owner)).toEqual([])
  })
})

describe('sessions', () => {
  it("lists a person's sessions with device and times, most recently used first", async () => {
    const ann = await organization.user('Ann')
    const began = Math.floor(Date.now() / 1000)
    const [first, second] = [await signIn(ann), await signIn(ann)]
    await signIn(owner)
    const sessions = await listSessions(second)
    expect(sessions.map(({ is_current, device }) => [is_current, device])).toEqual([
      [true, 'Firefox on Linux'],
      [false, 'Firefox on Linux'],
    ])
    expect(sessions.map(({ id }) => id)).toEqual([await second.session(), await first.session()])
    for (const { created_at, last_used_at } of sessions) {
      expect(Number(created_at)).toBeGreaterThanOrEqual(began)
      expect(last_used_at).toBe(created_at)
    }
    // In a request with an API key, no session is current.
    expect((await listSessions(ann)).map(({ is_current }) => is_current)).toEqual([false, false])
  })

  it('stores no plaintext session cookie', async () => {
    const ann = await signIn(await organization.user('Ann'))
    const [, secret = ''] = ann.cookie.split('.')
    const { rows } = await server().parley.database.pool.query(
      `select s::text || coalesce((select string_agg(changes::text, '') from events where changes is not null), '') as all
      from sessions s`,
    )
    const said = rows.map((row: { all: string }) => row.all).join('')
    expect(said.length).toBeGreaterThan(1_000)
    expect(said).not.toContain(secret)
    expect(said).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
  })

  it('ends any session on request, and clears the cookie of the current session', async () => {
    const ann = await organization.user('Ann')
    const [here, there, third] = [await signIn(ann), await signIn(ann), await signIn(ann)]
    const ended = await here.try('DELETE', `/sessions/${await there.session()}`)
    expect([ended.status, ended.headers['set-cookie']]).toEqual([200, undefined])
    expect([await currentUser(here), await currentUser(there), await currentUser(third)]).toEqual([
      ann.id,
      SIGNED_OUT_CODE,
      ann.id,
    ])
    const out = await here.try('POST', '/logout')
    expect([out.status, cookiesOf(out)]).toEqual([200, { parley: '; Path=/; Max-Age=0; HttpOnly; SameSite=Lax' }])
    expect([await currentUser(here), await currentUser(third)]).toEqual([SIGNED_OUT_CODE, ann.id])
    // The endpoint also ends the current session and, for a program with the API key, any session.
    const own = await third.try('DELETE', `/sessions/${await third.session()}`)
    expect(cookiesOf(own)['parley']).toContain('Max-Age=0')
    const last = await signIn(ann)
    await ann.call('DELETE', `/sessions/${await last.session()}`)
    expect([await currentUser(third), await currentUser(last), await listSessions(ann)]).toEqual([
      SIGNED_OUT_CODE,
      SIGNED_OUT_CODE,
      [],
    ])
  })

  it("returns the same error for ending missing, ended, and other accounts' sessions", async () => {
    const [ann, otto] = [await organization.user('Ann'), await organization.user('Otto')]
    const [mine, others] = [await signIn(ann), await signIn(otto)]
    const foreign = await signIn((await server().organization('Other')).owner)
    const gone = await signIn(ann)
    const goneId = await gone.session()
    await gone.call('POST', '/logout')
    const answers = await Promise.all(
      [await others.session(), await foreign.session(), goneId, 999_999, Number.MAX_SAFE_INTEGER].map((id) =>
        mine.try('DELETE', `/sessions/${id}`),
      ),
    )
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([400, { result: 'error', msg: 'Invalid session ID', code: 'BAD_REQUEST' }])
    }
    expect([await currentUser(others), await currentUser(foreign)]).toEqual([otto.id, foreign.id])
  })

  it('refuses a sign-out request that uses an API key', async () => {
    const { status, body } = await owner.try('POST', '/logout')
    expect([status, body['code']]).toEqual([400, 'BAD_REQUEST'])
  })

  it("rejects a session at another organization's host", async () => {
    const elsewhere = await server().organization('Elsewhere')
    const browser = await signIn(owner)
    const stray = new TestBrowser(elsewhere.owner, browser.cookie)
    const answer = await stray.try('GET', '/users/me')
    expect([answer.status, answer.body['code']]).toEqual([401, SIGNED_OUT_CODE])
    expect(await currentUser(browser)).toBe(owner.id)
  })

  it(`ends the least recently used session if a person has more than ${SESSION_LIMIT.most} sessions`, async () => {
    const at = await server().organization()
    const [ann, otto] = [await at.user('Ann'), await at.user('Otto')]
    const others = await signIn(otto)
    const browsers: TestBrowser[] = []
    for (let count = 0; count < SESSION_LIMIT.most; count += 1) browsers.push(await signIn(ann))
    const [oldest, next] = browsers
    if (oldest === undefined || next === undefined) throw new Error('there are some')
    expect([(await listSessions(ann)).length, await currentUser(oldest)]).toEqual([SESSION_LIMIT.most, ann.id])
    const newest = await signIn(ann)
    expect((await listSessions(ann)).length).toBe(SESSION_LIMIT.most)
    expect([
      await currentUser(oldest),
      await currentUser(next),
      await currentUser(newest),
      await currentUser(others),
    ]).toEqual([SIGNED_OUT_CODE, ann.id, ann.id, otto.id])
  })
})

describe('events that end sessions', () => {
  it("ends a person's other sessions when the password changes", async () => {
    const at = await server().organization('Test', { password: PASSWORD })
    const [here, there] = [await signIn(at.owner), await signIn(at.owner)]
    const otto = await signIn(await at.user('Otto'))
    const change = { old_password: PASSWORD, new_password: 'another horse' }
    const wrong = await here.try('PATCH', '/settings', { ...change, old_password: 'wrong' })
    expect([wrong.status, await currentUser(there)]).toEqual([400, at.owner.id])
    await here.call('PATCH', '/settings', change)
    expect([await currentUser(here), await currentUser(there), await currentUser(otto)]).toEqual([
      at.owner.id,
      SIGNED_OUT_CODE,
      otto.id,
    ])
    // With the API key, no session is current, so all sessions end.
    await at.owner.call('PATCH', '/settings', { old_password: 'another horse', new_password: PASSWORD })
    expect(await currentUser(here)).toBe(SIGNED_OUT_CODE)
  })

  it("ends a person's other sessions when the API key is replaced", async () => {
    const ann = await organization.user('Ann')
    const [here, there] = [await signIn(ann), await signIn(ann)]
    await here.call('POST', '/users/me/api_key/regenerate')
    expect([await currentUser(here), await currentUser(there)]).toEqual([ann.id, SIGNED_OUT_CODE])
  })

  it('ends all sessions on deactivation and keeps them ended after reactivation', async () => {
    const at = await server().organization()
    const ann = await at.user('Ann')
    const browser = await signIn(ann)
    await at.owner.call('DELETE', `/users/${ann.id}`)
    expect(await currentUser(browser)).toBe(SIGNED_OUT_CODE)
    await at.owner.call('POST', `/users/${ann.id}/reactivate`)
    await ann.fetchApiKey()
    expect([await currentUser(browser), await currentUser(ann), await listSessions(ann)]).toEqual([
      SIGNED_OUT_CODE,
      ann.id,
      [],
    ])
  })
})

describe('queues of a session', () => {
  it("ends a session's queues and polls but not those of other sessions or the API key", async () => {
    const ann = await organization.user('Ann')
    const [here, there] = [await signIn(ann), await signIn(ann)]
    const queues = [await here.register(), await there.register(), await ann.register()]
    const [mine, others, keys] = queues.map(({ id }) => id)
    const waiting = [
      await parkPoll(here, mine ?? ''),
      await parkPoll(there, others ?? ''),
      await parkPoll(ann, keys ?? ''),
    ]
    await there.call('DELETE', `/sessions/${await here.session()}`)
    const refused = await waiting[0]?.answer
    expect([refused?.status, refused?.body['code']]).toEqual([401, SIGNED_OUT_CODE])
    const gone = await ann.try('GET', '/events', { queue_id: mine, last_event_id: -1, dont_block: true })
    expect(gone.body['code']).toBe('BAD_EVENT_QUEUE_ID')
    const { rows } = await server().parley.database.pool.query('select id from queues where id = any($1)', [
      queues.map(({ id }) => id),
    ])
    expect(new Set(rows.map((row: { id: string }) => row.id))).toEqual(new Set([others, keys]))
    await ann.call('PATCH', '/settings', { enter_sends: true })
    for (const { answer } of waiting.slice(1)) expect((await answer).body['events']).not.toEqual([])
  })

  it('when a session ends, ends its polls of queues that other clients registered, but not those queues', async () => {
    const ann = await organization.user('Ann')
    const browser = await signIn(ann)
    const queue = await ann.register()
    const { answer } = await parkPoll(browser, queue.id)
    await browser.call('POST', '/logout')
    expect((await answer).body['code']).toBe(SIGNED_OUT_CODE)
    expect(await queue.events()).toEqual([])
  })

  it("keeps a session's queues when the API key is replaced", async () => {
    const ann = await organization.user('Ann')
    const browser = await signIn(ann)
    const [mine, keys] = [await browser.register(), await ann.register()]
    const [stays, ends] = [await parkPoll(browser, mine.id), await parkPoll(ann, keys.id)]
    await browser.call('POST', '/users/me/api_key/regenerate')
    expect((await ends.answer).body['code']).toBe('INVALID_API_KEY')
    await browser.call('PATCH', '/settings', { enter_sends: true })
    expect((await stays.answer).body['events']).not.toEqual([])
  })
})

it('refuses an action whose session ended while the action was queued', async () => {
  const ann = await organization.user('Ann')
  const browser = await signIn(ann)
  const log = await server().parley.logs.of(organization.id)
  const release = await blockWriter(server().parley, organization)
  const acting = vi.spyOn(log, 'act')
  const out = browser.try('POST', '/logout')
  await expect.poll(() => acting.mock.calls.length).toBe(1)
  const late = browser.try('POST', '/saved_snippets', { title: 'Late', content: 'late' })
  await expect.poll(() => acting.mock.calls.length).toBe(2)
  release()
  expect([(await out).status, (await late).body['code']]).toEqual([200, SIGNED_OUT_CODE])
  expect((await ann.call('GET', '/saved_snippets'))['saved_snippets']).toEqual([])
})

it('uses the authorization header instead of the cookie if both are given', async () => {
  const ann = await organization.user('Ann')
  const browser = await signIn(owner)
  const { 'sec-fetch-site': site = '' } = browser.headers
  const errorCodeFor = async (authorization: string): Promise<unknown> => {
    const { body } = await browser.sends(
      { cookie: browser.cookie, 'sec-fetch-site': site, authorization },
      'GET',
      '/users/me',
    )
    return body['user_id'] ?? body['code']
  }
  expect(await errorCodeFor(basic(ann.email, ann.apiKey))).toBe(ann.id)
  expect(await errorCodeFor(basic(ann.email, 'wrong'))).toBe('INVALID_API_KEY')
  expect(await errorCodeFor('Bearer abc')).toBe(SIGNED_OUT_CODE)
})
