import { beforeAll, describe, expect, it } from 'vitest'
import { errorCodeOf, cookiesOf, createLoginLink, signIn } from '../../testing/browser.ts'
import { freePort } from '../../testing/free-port.ts'
import { startTestServer, useTestServer } from '../../testing/server.ts'
import { basic, callApi, type Answer, type TestUser } from '../../testing/user.ts'

const server = useTestServer()
let ann: TestUser

beforeAll(async () => {
  ann = (await server().organization()).owner
})

type SentHeaders = Record<string, string>

const SIGNED_OUT = 'UNAUTHENTICATED_USER'

describe('server behind a proxy that forwards the scheme and host', () => {
  const proxied = useTestServer({ PARLEY_TRUST_PROXY: '1' })

  it('sets and accepts a __Host- cookie over HTTPS and a plain cookie over HTTP', async () => {
    const { owner } = await proxied().organization()
    const post = async (proto: string): Promise<Answer> => {
      const headers = { 'x-forwarded-proto': proto, 'sec-fetch-site': 'same-origin' }
      return callApi(owner.url, owner.host, 'POST', '/login_link', { token: await createLoginLink(owner) }, { headers })
    }
    const [encrypted, plain] = [cookiesOf(await post('http, https')), cookiesOf(await post('http'))]
    const { '__Host-parley': cookie = '' } = encrypted
    expect(Object.keys(encrypted)).toEqual(['__Host-parley'])
    expect(cookie).toMatch(/; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/)
    expect(Object.keys(plain)).toEqual(['parley'])
    const [value = ''] = cookie.split(';')
    const requestWith = async (
      proto: string,
      sent: string,
      more: SentHeaders = { 'sec-fetch-site': 'same-origin' },
    ) => {
      const headers = { 'x-forwarded-proto': proto, cookie: sent, ...more }
      return errorCodeOf(callApi(owner.url, owner.host, 'PATCH', '/settings', {}, { headers }))
    }
    expect(await requestWith('https', `__Host-parley=${value}`)).toBe('OK')
    expect(await requestWith('HTTPS', `parley=x; __Host-parley=${value}`)).toBe('OK')
    expect(await requestWith('https', `parley=${value}`)).toBe(SIGNED_OUT)
    expect(await requestWith('http', `__Host-parley=${value}`)).toBe(SIGNED_OUT)
    // An unencrypted page can be forged in transit, even on the same host.
    const named = `__Host-parley=${value}`
    expect(await requestWith('https', named, { origin: `https://${owner.host}` })).toBe('OK')
    expect(await requestWith('https', named, { origin: `http://${owner.host}` })).toBe('CSRF_FAILED')
    expect(await requestWith('http', `parley=${value}`, { origin: `http://${owner.host}` })).toBe('OK')
    const cleared = await callApi(
      owner.url,
      owner.host,
      'GET',
      '/users/me',
      {},
      {
        headers: { 'x-forwarded-proto': 'https', cookie: '__Host-parley=1.x' },
      },
    )
    expect(cookiesOf(cleared)).toEqual({ '__Host-parley': '; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure' })
  })

  it('uses the host that the proxy forwards for the organization and origin check', async () => {
    const { owner } = await proxied().organization()
    const { cookie } = await signIn(owner)
    const headers = { cookie, 'x-forwarded-host': owner.host, origin: `http://${owner.host}` }
    expect(await errorCodeOf(callApi(owner.url, 'inside.example', 'PATCH', '/settings', {}, { headers }))).toBe('OK')
    const foreign = { ...headers, origin: 'http://inside.example' }
    expect(
      await errorCodeOf(callApi(owner.url, 'inside.example', 'PATCH', '/settings', {}, { headers: foreign })),
    ).toBe('CSRF_FAILED')
  })
})

it('ignores the forwarded scheme without a trusted proxy', async () => {
  const headers = { 'x-forwarded-proto': 'https', 'sec-fetch-site': 'same-origin' }
  const token = await createLoginLink(ann)
  const answer = await callApi(ann.url, ann.host, 'POST', '/login_link', { token }, { headers })
  expect(Object.keys(cookiesOf(answer))).toEqual(['parley'])
})

it("sets a __Host- cookie when the server's own URL is HTTPS", async () => {
  const port = await freePort()
  const encrypted = await startTestServer({ PARLEY_URL: 'HTTPS://chat.parley.test', PORT: String(port) })
  try {
    const { owner } = await encrypted.organization()
    const token = await createLoginLink(owner)
    const headers = { 'sec-fetch-site': 'same-origin' }
    const answer = await callApi(`http://127.0.0.1:${port}`, owner.host, 'POST', '/login_link', { token }, { headers })
    expect(Object.keys(cookiesOf(answer))).toEqual(['__Host-parley'])
  } finally {
    await encrypted.close()
  }
})

describe('rate limits of sessions', () => {
  const limited = useTestServer({
    PARLEY_RATE_LIMITS: 'on',
    PARLEY_RATE_LIMIT_USER: '5/60',
    PARLEY_RATE_LIMIT_ADDRESS: '8/60',
    PARLEY_RATE_LIMIT_LOGIN: '3/60',
    PARLEY_TRUST_PROXY: '1',
  })
  let addresses = 0
  const newAddress = (): SentHeaders => {
    addresses += 1
    return { 'x-forwarded-for': `198.51.100.${addresses}` }
  }

  it("counts a session's requests together with requests that use the account's API key", async () => {
    const { owner } = await limited().organization()
    const there = await signIn(owner)
    const ask = async (headers: SentHeaders): Promise<number> =>
      (await there.sends({ ...newAddress(), ...headers }, 'GET', '/users/me')).status
    const key = { authorization: basic(owner.email, owner.apiKey) }
    const statuses = []
    for (const headers of [there.headers, key, there.headers, key, there.headers, there.headers, key]) {
      statuses.push(await ask(headers))
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
  })

  it('limits invalid sessions, cross-site cookies, and wrong sign-in links per address', async () => {
    const { owner } = await limited().organization()
    const there = await signIn(owner)
    const address = newAddress()
    const bad = { ...there.headers, cookie: 'parley=1.x', ...address }
    const foreign = { ...there.headers, 'sec-fetch-site': 'cross-site', ...address }
    const codes = []
    for (let count = 0; count < 3; count += 1) {
      codes.push((await there.sends(bad, 'GET', '/users/me')).status)
      codes.push((await there.sends(foreign, 'GET', '/users/me')).status)
      codes.push((await there.sends({ ...address }, 'POST', '/login_link', { token: 'wrong' })).status)
    }
    expect(codes).toEqual([401, 401, 401, 401, 401, 401, 401, 401, 429])
    expect((await there.sends({ ...there.headers, ...address }, 'GET', '/users/me')).status).toBe(200)
  })

  it('counts failed sign-ins at all endpoints together', async () => {
    const password = 'correct horse'
    const { owner } = await limited().organization('Test', { password })
    const headers = newAddress()
    const codes = []
    for (const [path, given] of [
      ['/login', 'wrong'],
      ['/fetch_api_key', 'wrong'],
      ['/login', 'wrong'],
      ['/login', password],
      ['/fetch_api_key', password],
    ] as const) {
      const login = { username: owner.email, password: given }
      codes.push((await callApi(owner.url, owner.host, 'POST', path, login, { headers })).status)
    }
    expect(codes).toEqual([401, 401, 401, 429, 429])
  })
})
