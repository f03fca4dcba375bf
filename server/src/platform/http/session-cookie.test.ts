import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { errorCodeOf, cookiesOf, signIn, type TestBrowser } from '../../testing/browser.ts'
import { fetchAs, upload } from '../../testing/files.ts'
import { connectTo, readAll } from '../../testing/http.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { basic, callApi, type Answer, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { BOUNDARY, MULTIPART } from '../../testing/requests.ts'
import { cookieValue, setCookie } from './session-cookie.ts'

const server = useTestServer()
let organization: TestOrganization
let ann: TestUser
let browser: TestBrowser

beforeAll(async () => {
  organization = await server().organization()
  ann = await organization.user('Ann')
  browser = await signIn(ann)
})

type SentHeaders = Record<string, string>

const SIGNED_OUT = 'UNAUTHENTICATED_USER'
const COOKIE_CLEARED = `${SIGNED_OUT}, cleared`

describe('Cookie header', () => {
  it('returns the value of a cookie among other cookies', () => {
    expect(cookieValue('a=1; parley=x.y=z ;b=2', 'parley')).toBe('x.y=z')
    expect(cookieValue('parley=', 'parley')).toBe('')
    expect(cookieValue('xparley=1; parleyx=2; PARLEY=3; parley; =4', 'parley')).toBeUndefined()
    expect(cookieValue('', 'parley')).toBeUndefined()
  })

  it('returns no value for a cookie with two different values', () => {
    expect(cookieValue('parley=a; parley=b', 'parley')).toBe('')
    expect(cookieValue('parley=a; b=c; parley=a', 'parley')).toBe('a')
    expect(cookieValue('parley=a; __Host-parley=b', '__Host-parley')).toBe('b')
  })

  it('parses any Cookie header without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (header) => {
        const value = cookieValue(header, 'parley')
        expect(value === undefined || typeof value === 'string').toBe(true)
      }),
    )
    expect(cookieValue(';'.repeat(100_000), 'parley')).toBeUndefined()
  })

  it('restricts the session cookie to this host over HTTPS', () => {
    expect(setCookie(true, 'v', 60)).toBe('__Host-parley=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure')
    expect(setCookie(false, 'v', 60)).toBe('parley=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax')
  })
})

describe('session cookie', () => {
  const own = (): string => `http://${ann.host}`
  it.each<[what: string, headers: () => SentHeaders, get: string, post: string]>([
    ["accepts requests from the server's page", () => ({ 'sec-fetch-site': 'same-origin' }), 'OK', 'OK'],
    [
      "accepts requests from the server's page with its origin",
      () => ({ 'sec-fetch-site': 'same-origin', origin: own() }),
      'OK',
      'OK',
    ],
    ["accepts requests with only the server's origin", () => ({ origin: own() }), 'OK', 'OK'],
    ['rejects requests from the address bar', () => ({ 'sec-fetch-site': 'none' }), SIGNED_OUT, SIGNED_OUT],
    ['rejects requests from another site', () => ({ 'sec-fetch-site': 'cross-site' }), SIGNED_OUT, 'CSRF_FAILED'],
    ['rejects requests from a sibling site', () => ({ 'sec-fetch-site': 'same-site' }), SIGNED_OUT, 'CSRF_FAILED'],
    [
      "rejects requests with the server's origin from another site",
      () => ({ 'sec-fetch-site': 'cross-site', origin: own() }),
      SIGNED_OUT,
      'CSRF_FAILED',
    ],
    ['rejects an unknown Sec-Fetch-Site value', () => ({ 'sec-fetch-site': 'whatever' }), SIGNED_OUT, 'CSRF_FAILED'],
    ['rejects an empty Sec-Fetch-Site value', () => ({ 'sec-fetch-site': '' }), SIGNED_OUT, 'CSRF_FAILED'],
    ['rejects another origin', () => ({ origin: 'https://evil.example' }), SIGNED_OUT, 'CSRF_FAILED'],
    ['rejects a null origin of a sandboxed page', () => ({ origin: 'null' }), SIGNED_OUT, 'CSRF_FAILED'],
    ['rejects an origin with another port', () => ({ origin: `${own()}:81` }), SIGNED_OUT, 'CSRF_FAILED'],
    ['rejects an origin on a subdomain', () => ({ origin: `http://x.${ann.host}` }), SIGNED_OUT, 'CSRF_FAILED'],
    ['accepts only reads if a request has no origin', () => ({}), 'OK', SIGNED_OUT],
  ])('%s', async (_, headers, get, post) => {
    const sent = { cookie: browser.cookie, ...headers() }
    const look = await watch({ ann })
    const snippet = { title: 'A title', content: 'a text' }
    expect(await errorCodeOf(browser.sends(sent, 'GET', '/users/me'))).toBe(get)
    // A rejected cookie is not cleared: other sites must not be able to sign people out.
    expect(await errorCodeOf(browser.sends(sent, 'POST', '/saved_snippets', snippet))).toBe(post)
    const { ann: told } = await look()
    expect(told.map(({ type }) => type)).toEqual(post === 'OK' ? ['saved_snippets'] : [])
    expect((await browser.sends({ ...sent }, 'HEAD', '/users/me')).status).toBe(get === 'OK' ? 200 : 401)
  })

  it('rejects a form posted by another site', async () => {
    const headers = {
      cookie: browser.cookie,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'content-type': 'text/plain',
    }
    for (const path of ['/messages', '/logout', '/users/me/api_key/regenerate', '/login', '/login_link']) {
      expect([path, await errorCodeOf(browser.sends(headers, 'POST', path))]).toEqual([path, 'CSRF_FAILED'])
    }
    expect(await errorCodeOf(browser.try('GET', '/users/me'))).toBe('OK')
  })

  it('ignores the cookie if there is an Authorization header', async () => {
    const errorCodeFor = async (authorization: string): Promise<unknown> => {
      const { body } = await browser.sends({ ...browser.headers, authorization }, 'GET', '/users/me')
      return body['user_id'] ?? body['code']
    }
    const { owner } = organization
    expect(await errorCodeFor(basic(owner.email, owner.apiKey))).toBe(owner.id)
    expect(await errorCodeFor(basic(owner.email, 'wrong'))).toBe('INVALID_API_KEY')
    expect(await errorCodeFor('Bearer abc')).toBe(SIGNED_OUT)
    expect(await errorCodeFor(browser.cookie)).toBe(SIGNED_OUT)
  })

  it('answers an OPTIONS request with 405 and without CORS headers', async () => {
    const { status, headers } = await browser.sends(browser.headers, 'OPTIONS', '/users/me')
    expect([status, headers['access-control-allow-origin']]).toEqual([405, undefined])
  })
})

describe('invalid session cookie', () => {
  const value = (): string => browser.cookie.slice('parley='.length)
  it.each<[what: string, cookie: () => string, expected: string]>([
    ['rejects an empty value', () => 'parley=', COOKIE_CLEARED],
    ['rejects a truncated value', () => `parley=${value().slice(0, -1)}`, COOKIE_CLEARED],
    ['rejects a longer value', () => `parley=${value()}A`, COOKIE_CLEARED],
    ['rejects a value without its ID', () => `parley=${value().split('.')[1]}`, COOKIE_CLEARED],
    ['rejects the session ID alone', () => `parley=${value().split('.')[0]}`, COOKIE_CLEARED],
    ['rejects a value of only the ID and a dot', () => `parley=${value().split('.')[0]}.`, COOKIE_CLEARED],
    ['rejects the ID of another session', () => `parley=${value().replace(/^\d+/, '1')}`, COOKIE_CLEARED],
    ['rejects an unknown ID', () => `parley=${value().replace(/^\d+/, '999999')}`, COOKIE_CLEARED],
    ['rejects an ID with a letter before it', () => `parley=x${value()}`, COOKIE_CLEARED],
    ['rejects a wrong secret', () => `parley=${value().split('.')[0]}.${'A'.repeat(43)}`, COOKIE_CLEARED],
    ['rejects a value in uppercase', () => `parley=${value().toUpperCase()}`, COOKIE_CLEARED],
    ['rejects a quoted value', () => `parley="${value()}"`, COOKIE_CLEARED],
    ['rejects a digest as the secret', () => `parley=${value().split('.')[0]}.${'0'.repeat(64)}`, COOKIE_CLEARED],
    ['rejects property names as the value', () => `parley=constructor.__proto__`, COOKIE_CLEARED],
    ['rejects a very long value', () => `parley=${'9'.repeat(8_000)}`, COOKIE_CLEARED],
    [
      'rejects a valid value after a different value',
      () => `parley=1.${'A'.repeat(43)}; parley=${value()}`,
      COOKIE_CLEARED,
    ],
    [
      'rejects a valid value before a different value',
      () => `parley=${value()}; parley=1.${'A'.repeat(43)}`,
      COOKIE_CLEARED,
    ],
    ['accepts the same value twice', () => `parley=${value()}; parley=${value()}`, 'OK'],
    ['accepts a value among other cookies', () => `a=b; parley=${value()}; c=d`, 'OK'],
    ['ignores a cookie with another name', () => `session=${value()}`, SIGNED_OUT],
    ['ignores the __Host- cookie over HTTP', () => `__Host-parley=${value()}`, SIGNED_OUT],
    ['ignores a cookie name in uppercase', () => `PARLEY=${value()}`, SIGNED_OUT],
    ['ignores an empty Cookie header', () => '', SIGNED_OUT],
  ])('%s', async (_, cookie, expected) => {
    const headers = { ...browser.headers, cookie: cookie() }
    expect(await errorCodeOf(browser.sends(headers, 'GET', '/users/me'))).toBe(expected)
    expect(await errorCodeOf(browser.sends(headers, 'POST', '/messages'))).toBe(
      expected === 'OK' ? 'REQUEST_VARIABLE_MISSING' : expected,
    )
  })

  it('rejects an invalid cookie even if authentication is optional', async () => {
    const headers = { ...browser.headers, cookie: 'parley=1.x' }
    expect(await errorCodeOf(browser.sends(headers, 'POST', '/register'))).toBe(COOKIE_CLEARED)
  })

  it('ignores an invalid cookie if authentication is not needed', async () => {
    const headers = { ...browser.headers, cookie: 'parley=1.x' }
    expect(await errorCodeOf(browser.sends(headers, 'GET', '/server_settings'))).toBe('OK')
  })
})

it('authenticates each request of a connection separately', async () => {
  const { owner } = organization
  const other = await signIn(owner)
  const key = `authorization: ${basic(owner.email, owner.apiKey)}\r\n`
  const asked = [
    `cookie: ${browser.cookie}\r\n`,
    `cookie: ${browser.cookie}\r\n`,
    `cookie: ${other.cookie}\r\n`,
    `cookie: ${browser.cookie}\r\nsec-fetch-site: cross-site\r\n`,
    `cookie: ${browser.cookie}\r\n`,
    key,
    `cookie: ${browser.cookie}\r\n${key}`,
    `cookie: ${browser.cookie}x\r\n`,
    '',
    `cookie: ${basic(owner.email, owner.apiKey)}\r\n`,
    `cookie: ${browser.cookie}\r\n`,
  ]
  const socket = await connectTo(ann.url)
  const answers = readAll(socket)
  for (const headers of asked) socket.write(`GET /api/v1/users/me HTTP/1.1\r\nhost: ${ann.host}\r\n${headers}\r\n`)
  socket.write(`GET /api/v1/server_settings HTTP/1.1\r\nhost: ${ann.host}\r\nconnection: close\r\n\r\n`)
  const told = (await answers).matchAll(/"user_id":(\d+)|"code":"(\w+)"/g)
  expect([...told].map(([, id, code]) => code ?? Number(id))).toEqual([
    ann.id,
    ann.id,
    owner.id,
    SIGNED_OUT,
    ann.id,
    owner.id,
    owner.id,
    SIGNED_OUT,
    SIGNED_OUT,
    SIGNED_OUT,
    ann.id,
  ])
})

describe('files and avatars', () => {
  it("serves files to the server's own pages and on direct visits, but not to other pages", async () => {
    const url = await upload(ann, 'secret.txt', 'Secret')
    const fetchStatus = async (headers: SentHeaders): Promise<number> => (await browser.fetches(url, headers)).status
    const { cookie } = browser
    expect(await fetchStatus(browser.headers)).toBe(200)
    expect(
      await fetchStatus({ cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors', accept: 'image/*' }),
    ).toBe(200)
    expect(await fetchStatus({ cookie, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toBe(200)
    expect(await fetchStatus({ cookie })).toBe(200)
    for (const site of ['cross-site', 'same-site']) {
      expect([site, await fetchStatus({ cookie, 'sec-fetch-site': site })]).toEqual([site, 401])
    }
    expect(await fetchStatus({ cookie, origin: 'https://evil.example' })).toBe(401)
    expect(await fetchStatus({ 'sec-fetch-site': 'same-origin' })).toBe(401)
    const stale = await browser.fetches(url, { ...browser.headers, cookie: 'parley=1.x' })
    expect([stale.status, stale.headers['cache-control'], cookiesOf(stale)['parley']]).toEqual([
      401,
      'no-store',
      '; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ])
  })

  it("hides other people's files from requests with a session cookie", async () => {
    const { owner } = organization
    const url = await upload(owner, 'own.txt', 'Own')
    expect([(await fetchAs(ann, url)).status, (await browser.fetches(url)).status]).toEqual([404, 404])
  })

  it("accepts uploads in a session only from the server's own pages", async () => {
    const body = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="f"; filename="a.txt"\r\n\r\nHello\r\n--${BOUNDARY}--\r\n`
    const sendWithCookie = async (more: SentHeaders): Promise<Answer> => {
      const headers = { cookie: browser.cookie, 'content-type': MULTIPART, ...more }
      return callApi(ann.url, ann.host, 'POST', '/user_uploads', {}, { headers, body })
    }
    const { status, body: answer } = await sendWithCookie({ 'sec-fetch-site': 'same-origin' })
    expect([status, (await browser.fetches(String(answer['url']))).status]).toEqual([200, 200])
    expect(await errorCodeOf(sendWithCookie({ 'sec-fetch-site': 'cross-site' }))).toBe('CSRF_FAILED')
    expect(await errorCodeOf(sendWithCookie({}))).toBe(SIGNED_OUT)
  })

  it('serves avatars to requests with a session cookie', async () => {
    const fetchStatus = async (headers: SentHeaders): Promise<number> =>
      (await browser.fetches(`/avatar/${ann.id}`, headers)).status
    expect([await fetchStatus(browser.headers), await fetchStatus({ cookie: browser.cookie })]).toEqual([200, 200])
    const elsewhere = { ...browser.headers, 'sec-fetch-site': 'cross-site' }
    // The response is the same as without a login, unless the files are public.
    expect(await fetchStatus(elsewhere)).toBe(await fetchStatus({}))
  })
})

describe('challenge without authentication', () => {
  it.each<[what: string, headers: SentHeaders, challenge: string]>([
    ['asks programs for Basic credentials', {}, 'Basic'],
    [
      'asks a person who opens a URL for Basic credentials',
      { 'sec-fetch-mode': 'navigate', 'user-agent': 'Mozilla/5.0' },
      'Basic',
    ],
    [
      'asks a person with an older browser for Basic credentials',
      { accept: 'text/html,*/*', 'user-agent': 'Mozilla/5.0' },
      'Basic',
    ],
    [
      'opens no browser dialog for requests of a page',
      { 'sec-fetch-mode': 'cors', 'user-agent': 'Mozilla/5.0' },
      'Session',
    ],
    [
      'opens no browser dialog for images of a page',
      { 'sec-fetch-mode': 'no-cors', 'user-agent': 'Mozilla/5.0' },
      'Session',
    ],
    [
      'opens no browser dialog for other requests of an older browser',
      { accept: '*/*', 'user-agent': 'Mozilla/5.0' },
      'Session',
    ],
  ])('%s', async (_, headers, challenge) => {
    const told = []
    for (const [method, path] of [
      ['GET', '/users/me'],
      ['POST', '/login?username=a&password=b'],
    ] as const) {
      const answer = await callApi(ann.url, ann.host, method, path, {}, { headers })
      told.push([answer.status, answer.headers['www-authenticate']])
    }
    expect(told).toEqual([
      [401, `${challenge} realm="Parley"`],
      [401, `${challenge} realm="Parley"`],
    ])
  })
})
