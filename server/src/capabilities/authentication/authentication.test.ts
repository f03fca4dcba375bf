import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectTo, readAll } from '../../testing/http.ts'
import { startTestServer, useTestServer, type TestOrganization, type TestServer } from '../../testing/server.ts'
import { basic, callApi, TestUser, type Answer, type Parameters } from '../../testing/user.ts'

const server = useTestServer()
const PASSWORD = 'correct horse'
let organization: TestOrganization
let owner: TestUser

beforeAll(async () => {
  organization = await server().organization('Test', { password: PASSWORD })
  owner = organization.owner
})

async function requestWith(
  authorization: string | undefined,
  method = 'GET',
  path = '/users/me',
  parameters: Parameters = {},
): Promise<Answer> {
  const headers = authorization === undefined ? {} : { authorization }
  return callApi(owner.url, owner.host, method, path, parameters, { headers })
}

async function fetchKeyWith(username: string, password: string, user: TestUser = owner): Promise<Answer> {
  return callApi(user.url, user.host, 'POST', '/fetch_api_key', { username, password })
}

function expectRefusal(answer: Answer, code: string, status = 401): void {
  expect(answer).toMatchObject({ status, body: { result: 'error', code } })
}

describe('password strength checks', () => {
  const strengthOf = async (password: string, own_words: readonly string[] = [], host = owner.host): Promise<Answer> =>
    callApi(owner.url, host, 'POST', '/password_strength', { password, own_words })

  it.each([
    ['', 'weak', 'short'],
    ['Xq7$kP2', 'weak', 'short'],
    ['password1', 'weak', 'common'],
    ['qwertzuiop', 'weak', 'pattern'],
    ['abababababab', 'weak', 'pattern'],
    ['seven purple elephants', 'strong', null],
  ])('rates the strength of %j', async (password, strength, weakness) => {
    const { status, body, headers } = await strengthOf(password)
    expect([status, body]).toEqual([200, { result: 'success', msg: '', strength, weakness }])
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('rates passwords that consist of personal words as weak, even at an unknown subdomain', async () => {
    const password = 'olivia-ownerly'
    const alone = (await strengthOf(password)).body['strength']
    const own = (await strengthOf(password, ['Olivia Ownerly'], 'nowhere.parley.test')).body
    expect(alone).not.toBe('weak')
    expect(own).toMatchObject({ strength: 'weak', weakness: 'personal' })
  })

  it('throttles concurrent password strength checks, and accepts new checks afterward', async () => {
    const [hard, others] = ['4l3$4l3$4l3$4l3$4l3$4l3$4l3$', Array.from({ length: 60 })]
    const answers = await Promise.all(others.map(async (_, index) => strengthOf(hard + String(index))))
    const refused = answers.filter(({ status }) => status !== 200)
    for (const answer of refused) expectRefusal(answer, 'RATE_LIMIT_HIT', 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(others.length)
    await expect.poll(async () => (await strengthOf(hard)).status, { timeout: 10_000 }).toBe(200)
  })

  it('rejects strength checks with overlong passwords or personal words', async () => {
    expect((await strengthOf('x'.repeat(100))).status).toBe(200)
    expectRefusal(await strengthOf('x'.repeat(101)), 'REQUEST_VARIABLE_INVALID', 400)
    expectRefusal(await strengthOf('xxxxxxxx', ['x'.repeat(255)]), 'REQUEST_VARIABLE_INVALID', 400)
    expectRefusal(
      await strengthOf(
        'xxxxxxxx',
        Array.from({ length: 6 }, () => 'x'),
      ),
      'REQUEST_VARIABLE_INVALID',
      400,
    )
  })
})

async function createDeactivatedUser(
  password?: string,
): Promise<{ user: TestUser; asked: Answer; at: TestOrganization }> {
  const at = await server().organization('Another')
  const user = password === undefined ? await at.user('Dora Done') : await createUserWithPassword(at, password)
  await at.owner.call('DELETE', `/users/${user.id}`)
  return { user, asked: await user.try('GET', '/users/me'), at }
}

async function createUserWithPassword({ owner: admin }: TestOrganization, password: string): Promise<TestUser> {
  const email = 'Paula.Password@Example.com'
  const { user_id } = await admin.call('POST', '/users', { email, password, full_name: 'Paula Password' })
  const { body } = await fetchKeyWith(email, password, admin)
  return new TestUser(admin.url, admin.host, email, String(body['api_key']), user_id)
}

describe('API key authentication', () => {
  it("accepts an account's email address with the account's API key", async () => {
    const { status, body } = await requestWith(basic(owner.email, owner.apiKey))
    expect([status, body['user_id']]).toEqual([200, owner.id])
  })

  it('ignores case in an email address sent with an API key', async () => {
    expect((await requestWith(basic(owner.email.toUpperCase(), owner.apiKey))).status).toBe(200)
  })

  it('authenticates each request of a connection separately', async () => {
    const other = await organization.user('Otto Other')
    const asked = [
      [owner.email, owner.apiKey],
      [owner.email, owner.apiKey],
      [owner.email, other.apiKey],
      [owner.email, `${owner.apiKey}x`],
      [other.email, other.apiKey],
      [owner.email, owner.apiKey],
    ]
    const socket = await connectTo(owner.url)
    const answers = readAll(socket)
    for (const [email = '', key = ''] of asked) {
      const headers = `host: ${owner.host}\r\nauthorization: ${basic(email, key)}\r\n`
      socket.write(`GET /api/v1/users/me HTTP/1.1\r\n${headers}\r\n`)
    }
    socket.write(`GET /api/v1/users/me HTTP/1.1\r\nhost: ${owner.host}\r\nconnection: close\r\n\r\n`)
    const told = (await answers).matchAll(/"user_id":(\d+)|"code":"(\w+)"/g)
    expect([...told].map(([, id, code]) => code ?? Number(id))).toEqual([
      owner.id,
      owner.id,
      'INVALID_API_KEY',
      'INVALID_API_KEY',
      other.id,
      owner.id,
      'UNAUTHENTICATED_USER',
    ])
  })

  it.each(['basic', 'BASIC'])('accepts %s as the authorization scheme', async (scheme) => {
    const header = basic(owner.email, owner.apiKey).replace('Basic', scheme)
    expect((await requestWith(header)).status).toBe(200)
    expect((await requestWith(header.replace(' ', '   '))).status).toBe(200)
  })

  it('returns the same error for a wrong API key and an unknown user', async () => {
    const stranger = await organization.user('Stan Stranger')
    const answers = await Promise.all(
      [
        basic(owner.email, 'x'.repeat(32)),
        basic(owner.email, ''),
        basic(owner.email, owner.apiKey.toLowerCase()),
        basic(owner.email, `${owner.apiKey} `),
        basic(owner.email, stranger.apiKey),
        basic('nobody@example.com', owner.apiKey),
        basic('', ''),
        basic('__proto__', 'x'),
        basic(String(owner.id), owner.apiKey),
      ].map((header) => requestWith(header)),
    )
    for (const answer of answers) {
      expectRefusal(answer, 'INVALID_API_KEY')
      expect(answer.body).toEqual(answers[0]?.body)
      expect(answer.headers['www-authenticate']).toBe('Basic realm="Parley"')
    }
  })

  it('refuses an API key of another organization', async () => {
    const other = await server().organization('Other')
    expect(other.owner.email).toBe(owner.email)
    expectRefusal(await requestWith(basic(owner.email, other.owner.apiKey)), 'INVALID_API_KEY')
  })

  it('refuses an API key on an unknown subdomain', async () => {
    const headers = { authorization: basic(owner.email, owner.apiKey) }
    const answer = await callApi(owner.url, 'nowhere.parley.test', 'GET', '/users/me', {}, { headers })
    expectRefusal(answer, 'NONEXISTENT_SUBDOMAIN', 404)
  })

  it('ignores credentials outside the authorization header', async () => {
    const parameters = { api_key: owner.apiKey, email: owner.email, username: owner.email, password: owner.apiKey }
    expectRefusal(await requestWith(undefined, 'GET', '/users/me', parameters), 'UNAUTHENTICATED_USER')
    expectRefusal(await requestWith(undefined, 'POST', '/register', parameters), 'UNAUTHENTICATED_USER')
    const { body } = await requestWith(basic(owner.email, owner.apiKey), 'GET', '/users/me', { api_key: 'other' })
    expect(body['ignored_parameters_unsupported']).toEqual(['api_key'])
  })

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another scheme', 'Bearer abc'],
    ['no credentials', 'Basic'],
    ['no colon', `Basic ${Buffer.from('abc').toString('base64')}`],
    ['invalid Base64', 'Basic §§§'],
    ['a blank header', ' '],
  ])('refuses %s as unauthenticated', async (_name, header) => {
    const answer = await requestWith(header)
    expectRefusal(answer, 'UNAUTHENTICATED_USER')
    expect(answer.headers['www-authenticate']).toBe('Basic realm="Parley"')
  })

  it('checks authentication before parsing the request', async () => {
    const type = { 'content-type': 'application/json' }
    const answer = await callApi(owner.url, owner.host, 'POST', '/messages', {}, { headers: type, body: '{' })
    expectRefusal(answer, 'UNAUTHENTICATED_USER')
  })

  it('reveals that a user is deactivated only to requests with the right API key', async () => {
    const { user, asked } = await createDeactivatedUser()
    expectRefusal(asked, 'USER_DEACTIVATED')
    const headers = { authorization: basic(user.email, 'wrong') }
    expectRefusal(await callApi(user.url, user.host, 'GET', '/users/me', {}, { headers }), 'INVALID_API_KEY')
  })

  it("replaces a user's API key on reactivation", async () => {
    const { user, at } = await createDeactivatedUser()
    await at.owner.call('POST', `/users/${user.id}/reactivate`)
    expectRefusal(await user.try('GET', '/users/me'), 'INVALID_API_KEY')
    await user.fetchApiKey()
    expect((await user.try('GET', '/users/me')).status).toBe(200)
  })

  it('accepts the API keys of bots', async () => {
    const bot = await organization.user('Bob Bot', { bot: { ownerId: owner.id } })
    expect((await bot.try('GET', '/users/me')).status).toBe(200)
  })
})

describe('fetch_api_key', () => {
  it('returns the API key for the right password', async () => {
    const { status, body } = await fetchKeyWith(owner.email, PASSWORD)
    expect([status, body]).toEqual([
      200,
      { result: 'success', msg: '', api_key: owner.apiKey, email: owner.email, user_id: owner.id },
    ])
  })

  it('ignores case in an email address sent with a password', async () => {
    expect((await fetchKeyWith(owner.email.toUpperCase(), PASSWORD)).body).toMatchObject({ api_key: owner.apiKey })
  })

  it('returns the same error for all wrong credentials', async () => {
    const bot = await organization.user('Bert Bot', { bot: { ownerId: owner.id } })
    const elsewhere = await server().organization('Elsewhere')
    const foreigner = await elsewhere.user('Fay Foreigner')
    const answers = await Promise.all([
      fetchKeyWith(owner.email, 'wrong'),
      fetchKeyWith(owner.email, ''),
      fetchKeyWith(owner.email, PASSWORD.toUpperCase()),
      fetchKeyWith(owner.email, `${PASSWORD} `),
      fetchKeyWith(owner.email, owner.apiKey),
      fetchKeyWith('nobody@example.com', PASSWORD),
      fetchKeyWith('', ''),
      fetchKeyWith('constructor', PASSWORD),
      fetchKeyWith(bot.email, ''),
      fetchKeyWith(foreigner.email, PASSWORD),
      fetchKeyWith(owner.email, PASSWORD, elsewhere.owner),
      fetchKeyWith(owner.email, 'x'.repeat(10_000)),
    ])
    for (const answer of answers) {
      expectRefusal(answer, 'AUTHENTICATION_FAILED')
      expect(answer.body).toEqual(answers[0]?.body)
    }
  })

  it('accepts passwords with any characters', async () => {
    const { owner: admin } = await server().organization()
    const password = 'pässwörd 😀 + % & = "\\'
    await admin.call('POST', '/users', { email: 'p@example.com', password, full_name: 'P' })
    expect((await fetchKeyWith('p@example.com', password, admin)).status).toBe(200)
  })

  it('reveals that a user is deactivated only to requests with the right password', async () => {
    const { user } = await createDeactivatedUser('a long password')
    expectRefusal(await fetchKeyWith(user.email, 'a long password', user), 'USER_DEACTIVATED')
    expectRefusal(await fetchKeyWith(user.email, 'another password', user), 'AUTHENTICATION_FAILED')
  })

  it("accepts a hidden address's placeholder with the API key but not with the password", async () => {
    const at = await server().organization()
    const user = await createUserWithPassword(at, 'a long password')
    await user.call('PATCH', '/settings', { email_address_visibility: 4 })
    const apiEmail = (await user.call('GET', '/users/me'))['email']
    expect(apiEmail).not.toBe(user.email)
    for (const visibility of [4, 1, 3]) {
      await user.call('PATCH', '/settings', { email_address_visibility: visibility })
      for (const email of [user.email, apiEmail, apiEmail.toUpperCase()]) {
        const told = { email: user.email, user_id: user.id, api_key: user.apiKey }
        const answer = await fetchKeyWith(email, 'a long password', user)
        expect(answer.body).toMatchObject(email === user.email ? told : { code: 'AUTHENTICATION_FAILED' })
        expectRefusal(await fetchKeyWith(email, 'another password', user), 'AUTHENTICATION_FAILED')
        const dev = await callApi(user.url, user.host, 'POST', '/dev_fetch_api_key', { username: email })
        expect(dev.body).toMatchObject(told)
        const headers = { authorization: basic(email, user.apiKey) }
        const { body } = await callApi(user.url, user.host, 'GET', '/users/me', {}, { headers })
        expect(body).toMatchObject({ user_id: user.id, email: visibility === 1 ? user.email : apiEmail })
        const wrong = { authorization: basic(email, at.owner.apiKey) }
        const refused = await callApi(user.url, user.host, 'GET', '/users/me', {}, { headers: wrong })
        expectRefusal(refused, 'INVALID_API_KEY')
      }
    }
  })

  it("rejects API keys sent with addresses that only resemble a hidden address's placeholder", async () => {
    const at = await server().organization()
    const user = await createUserWithPassword(at, 'a long password')
    const bot = await at.user('Bert Bot', { bot: { ownerId: user.id } })
    await user.call('PATCH', '/settings', { email_address_visibility: 4 })
    const apiEmail = (await user.call('GET', '/users/me'))['email']
    await user.call('PATCH', '/settings', { email_address_visibility: 1 })
    for (const [key, email] of [
      [user.apiKey, apiEmail.replace('user', 'user0')],
      [user.apiKey, apiEmail.replace('user', 'x')],
      [user.apiKey, apiEmail.replace('@', '@x.')],
      [user.apiKey, `${apiEmail}.example`],
      [user.apiKey, apiEmail.replace(String(user.id), String(bot.id))],
      [bot.apiKey, apiEmail.replace(String(user.id), String(bot.id))],
    ] as const) {
      const headers = { authorization: basic(email, key) }
      expectRefusal(await callApi(user.url, user.host, 'GET', '/users/me', {}, { headers }), 'INVALID_API_KEY')
    }
  })

  it('returns the API key for credentials in the query string, but never without a password', async () => {
    const query = new URLSearchParams({ username: owner.email, password: PASSWORD }).toString()
    expect((await requestWith(undefined, 'POST', `/fetch_api_key?${query}`)).status).toBe(200)
    expectRefusal(
      await requestWith(undefined, 'POST', '/fetch_api_key', { username: owner.email }),
      'REQUEST_VARIABLE_MISSING',
      400,
    )
  })
})

describe('dev_fetch_api_key', () => {
  let production: TestServer

  beforeAll(async () => {
    production = await startTestServer({ PARLEY_DEVELOPMENT: '' })
  })
  afterAll(async () => {
    await production.close()
  })

  it("returns any user's API key on a development server", async () => {
    const { status, body } = await requestWith(undefined, 'POST', '/dev_fetch_api_key', { username: owner.email })
    expect([status, body['api_key'], body['user_id']]).toEqual([200, owner.apiKey, owner.id])
    const unknown = await requestWith(undefined, 'POST', '/dev_fetch_api_key', { username: 'nobody@example.com' })
    expectRefusal(unknown, 'AUTHENTICATION_FAILED')
  })

  it("refuses to return a deactivated user's API key on a development server", async () => {
    const { user } = await createDeactivatedUser()
    const answer = await callApi(user.url, user.host, 'POST', '/dev_fetch_api_key', { username: user.email })
    expectRefusal(answer, 'USER_DEACTIVATED')
  })

  it('answers requests to dev_fetch_api_key with 404 on a production server', async () => {
    const { owner: someone } = await production.organization()
    const answer = await callApi(someone.url, someone.host, 'POST', '/dev_fetch_api_key', { username: someone.email })
    expectRefusal(answer, 'NOT_FOUND', 404)
    const { body } = await callApi(someone.url, someone.host, 'GET', '/server_settings', {})
    expect(body['authentication_methods']).toMatchObject({ dev: false, password: true })
  })
})
