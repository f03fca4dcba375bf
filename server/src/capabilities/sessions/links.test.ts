import { afterEach, expect, it, vi } from 'vitest'
import { browserOf, cookiesOf, createLoginLink, signIn } from '../../testing/browser.ts'
import { useTestServer } from '../../testing/server.ts'
import { callApi, type Answer, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { LOGIN_LINK_LIMIT } from './contract.ts'
import { loginLinkUrl } from './actions/index.ts'

const server = useTestServer()

afterEach(() => {
  vi.useRealTimers()
})

async function followSignInLink({ url, host }: TestUser, token: string): Promise<Answer> {
  const headers = { 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0 (iPhone) Safari/605.1' }
  return callApi(url, host, 'POST', '/login_link', { token }, { headers })
}

const INVALID_LINK_RESPONSE = { result: 'error', msg: 'This link is no longer valid.', code: 'AUTHENTICATION_FAILED' }

it('signs in once with a link instead of a password and sends no events', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const look = await watch({ owner, ann })
  const token = await createLoginLink(ann)
  const answer = await followSignInLink(ann, token)
  expect([answer.status, answer.body]).toEqual([200, { result: 'success', msg: '', user_id: ann.id, email: ann.email }])
  const { body } = await browserOf(ann, answer).try('GET', '/sessions')
  expect(body['sessions']).toMatchObject([{ device: 'Safari on iPhone', is_current: true }])
  const again = await followSignInLink(ann, token)
  expect([again.status, again.body, again.headers['set-cookie']]).toEqual([401, INVALID_LINK_RESPONSE, undefined])
  expect(await look()).toEqual({ owner: [], ann: [] })
})

it('signs in only once if a sign-in link is used several times simultaneously', async () => {
  const { owner } = await server().organization()
  const token = await createLoginLink(owner)
  const answers = await Promise.all(Array.from({ length: 8 }, () => followSignInLink(owner, token)))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.map(({ body }) => body)).toEqual(Array.from({ length: 7 }, () => INVALID_LINK_RESPONSE))
})

it("returns the same error for used, expired, wrong, and other organizations' sign-in links", async () => {
  const { owner } = await server().organization()
  const elsewhere = await server().organization('Elsewhere')
  const [used, unused, foreign] = [
    await createLoginLink(owner),
    await createLoginLink(owner),
    await createLoginLink(elsewhere.owner),
  ]
  await followSignInLink(owner, used)
  const over = await createLoginLink(owner, { seconds: 0 })
  const answers = [
    await followSignInLink(owner, used),
    await followSignInLink(owner, over),
    await followSignInLink(owner, foreign),
    await followSignInLink(owner, unused.toUpperCase()),
    await followSignInLink(owner, unused.slice(1)),
    await followSignInLink(owner, ''),
    await followSignInLink(owner, 'x'.repeat(10_000)),
    await followSignInLink(owner, '%00 😀'),
  ]
  for (const { status, body, headers } of answers) {
    expect([status, body, headers['set-cookie']]).toEqual([401, INVALID_LINK_RESPONSE, undefined])
  }
  expect([
    (await followSignInLink(elsewhere.owner, foreign)).status,
    (await followSignInLink(owner, unused)).status,
  ]).toEqual([200, 200])
})

it('signs in repeatedly with a reusable sign-in link until the link expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { owner } = await server().organization()
  const token = await createLoginLink(owner, { seconds: 86_400, isReusable: true })
  const cookies = []
  for (let count = 0; count < 3; count += 1) cookies.push(cookiesOf(await followSignInLink(owner, token))['parley'])
  expect(new Set(cookies).size).toBe(3)
  vi.setSystemTime(Date.now() + 86_399_000)
  expect((await followSignInLink(owner, token)).status).toBe(200)
  vi.setSystemTime(Date.now() + 2_000)
  expect((await followSignInLink(owner, token)).body).toEqual(INVALID_LINK_RESPONSE)
})

it("invalidates a person's sign-in links when all their sessions end, not just one", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const tokens = [await createLoginLink(ann), await createLoginLink(ann), await createLoginLink(owner)]
  const [first = '', second = '', others = ''] = tokens
  await (await signIn(ann)).call('POST', '/logout')
  expect((await followSignInLink(ann, first)).status).toBe(200)
  await ann.call('POST', '/users/me/api_key/regenerate').catch(() => undefined)
  expect((await followSignInLink(ann, second)).body).toEqual(INVALID_LINK_RESPONSE)
  expect((await followSignInLink(owner, others)).status).toBe(200)
})

it('refuses to sign in to a deactivated account', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const before = await createLoginLink(ann)
  await owner.call('DELETE', `/users/${ann.id}`)
  expect((await followSignInLink(ann, before)).body).toEqual(INVALID_LINK_RESPONSE)
  const after = await createLoginLink(ann)
  expect((await followSignInLink(ann, after)).body['code']).toBe('USER_DEACTIVATED')
})

it('creates no sign-in link for a bot', async () => {
  const { owner, user } = await server().organization()
  const bot = await user('Bob Bot', { bot: { ownerId: owner.id } })
  await expect(createLoginLink(bot)).rejects.toThrow('is a bot')
})

it(`invalidates the sign-in link that expires first if a person has more than ${LOGIN_LINK_LIMIT.most}`, async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const others = await createLoginLink(ann)
  const first = await createLoginLink(owner, { seconds: 60 })
  for (let count = 1; count < LOGIN_LINK_LIMIT.most; count += 1) await createLoginLink(owner, { seconds: 120 })
  const next = await createLoginLink(owner, { seconds: 90 })
  expect((await followSignInLink(owner, first)).body).toEqual(INVALID_LINK_RESPONSE)
  expect((await followSignInLink(owner, next)).status).toBe(200)
  expect((await followSignInLink(ann, others)).status).toBe(200)
})

it("stores no sign-in link token, and puts the token in the fragment of the link's URL", async () => {
  const { owner } = await server().organization()
  const token = await createLoginLink(owner)
  const { rows } = await server().parley.database.pool.query<{ text: string }>(
    'select l::text as text from login_links l',
  )
  const said = rows.map(({ text }) => text).join('')
  expect(said).not.toContain(token)
  expect(said).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  const { pathname, search, hash } = new URL(loginLinkUrl('https://chat.example.org', token))
  expect([pathname, search, hash]).toEqual(['/login', '', `#link=${token}`])
})
