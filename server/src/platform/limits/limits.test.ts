import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { basic, callApi, TestUser, type Answer, type Parameters } from '../../testing/user.ts'
import { estimatePassword } from '../../capabilities/authentication/contract.ts'
import { PUBLIC_READ_RATE } from '../../kernel/endpoint.ts'
import { beginPasskeyLogin } from '../../capabilities/passkeys/contract.ts'
import { addressKey, rateLimiter } from './rate.ts'

describe('rate limiter', () => {
  const LIMIT = { count: 3, seconds: 60 }

  it('allows a limited number of uses per window and reports when the next window starts', () => {
    let time = 1000.5
    const limiter = rateLimiter(LIMIT, { now: () => time })
    expect(limiter.use('a')).toEqual({ allowed: true, limit: 3, remaining: 2, resetAt: 1061, retryAfterSeconds: 60 })
    time += 10
    expect(limiter.use('a')).toEqual({ allowed: true, limit: 3, remaining: 1, resetAt: 1061, retryAfterSeconds: 50 })
    expect(limiter.use('a')).toMatchObject({ allowed: true, remaining: 0 })
    time += 49.5
    expect(limiter.use('a')).toEqual({ allowed: false, limit: 3, remaining: 0, resetAt: 1061, retryAfterSeconds: 0.5 })
    time += 0.5
    expect(limiter.use('a')).toEqual({
      allowed: true,
      limit: 3,
      remaining: 2,
      resetAt: 1120 + 1,
      retryAfterSeconds: 60,
    })
  })

  it('counts the uses of each rate limit key separately', () => {
    const limiter = rateLimiter({ count: 1, seconds: 60 }, { now: () => 0 })
    expect([limiter.use('a').allowed, limiter.use('b').allowed, limiter.use('a').allowed]).toEqual([true, true, false])
  })

  it('rejects every use at a limit of 0', () => {
    expect(rateLimiter({ count: 0, seconds: 60 }, { now: () => 0 }).use('a')).toMatchObject({
      allowed: false,
      remaining: 0,
    })
  })

  it('evicts the oldest keys beyond the maximum number of keys', () => {
    let time = 0
    const limiter = rateLimiter({ count: 1, seconds: 60 }, { now: () => time, maxKeys: 3 })
    for (const key of ['a', 'b', 'c', 'd']) limiter.use(key)
    expect(['b', 'c', 'd'].map((key) => limiter.use(key).allowed)).toEqual([false, false, false])
    expect(limiter.use('a').allowed).toBe(true)
    // The use of `a` evicted `b`, the oldest key.
    expect(['c', 'd', 'a'].map((key) => limiter.use(key).allowed)).toEqual([false, false, false])
    time = 60
    expect(['a', 'b', 'c'].map((key) => limiter.use(key).allowed)).toEqual([true, true, true])
  })

  it('limits uses exactly like a reference implementation that lists all uses', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      wait: fc.integer({ min: 0, max: 20 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let time = 0
        const limiter = rateLimiter({ count: 3, seconds: 30 }, { now: () => time })
        const counted: { key: string; at: number }[] = []
        for (const { key, wait } of steps) {
          time += wait
          const mine = counted.filter((use) => use.key === key)
          let start = Number.NEGATIVE_INFINITY
          for (const { at } of mine) if (at >= start + 30) start = at
          const inWindow = time < start + 30 ? mine.filter(({ at }) => at >= start).length : 0
          const verdict = limiter.use(key)
          expect(verdict.allowed).toBe(inWindow < 3)
          if (verdict.allowed) counted.push({ key, at: time })
        }
      }),
    )
  })
})

describe('address keys', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4::/64'],
    ['nonsense', 'nonsense'],
  ])('limits the address %s under the key %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })
})

const LIMIT_SETTINGS = {
  PARLEY_RATE_LIMITS: 'on',
  PARLEY_RATE_LIMIT_USER: '5/60',
  PARLEY_RATE_LIMIT_ADDRESS: '8/60',
}

describe('server behind a proxy', () => {
  const server = useTestServer({ ...LIMIT_SETTINGS, PARLEY_TRUST_PROXY: '1' })
  const PASSWORD = 'correct horse'
  let addresses = 0

  const newAddress = (): string => {
    addresses += 1
    return `198.51.100.${addresses}`
  }

  const from = async (
    address: string,
    user: TestUser,
    method: string,
    path: string,
    parameters: Parameters = {},
    authorization?: string,
  ): Promise<Answer> => {
    const login: Record<string, string> = authorization === undefined ? {} : { authorization }
    return callApi(user.url, user.host, method, path, parameters, { headers: { ...login, 'x-forwarded-for': address } })
  }
  const anonymous = async (address: string, { owner }: TestOrganization): Promise<Answer> =>
    from(address, owner, 'GET', '/users/me')
  const authorized = async (address: string, user: TestUser, apiKey = user.apiKey): Promise<Answer> =>
    from(address, user, 'GET', '/users/me', {}, basic(user.email, apiKey))
  const login = async (user: TestUser, username: string, password: string): Promise<Answer> =>
    from(newAddress(), user, 'POST', '/fetch_api_key', { username, password })

  const repeat = async (times: number, ask: () => Promise<Answer>): Promise<Answer[]> => {
    const answers: Answer[] = []
    for (let index = 0; index < times; index += 1) answers.push(await ask())
    return answers
  }
  const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status)

  const expectLimited = (answer: Answer, limit: number, seconds: number): void => {
    expect(answer).toMatchObject({ status: 429, body: { result: 'error', code: 'RATE_LIMIT_HIT' } })
    const retryAfter = Number(answer.body['retry-after'])
    expect(retryAfter).toBeGreaterThan(seconds - 30)
    expect(retryAfter).toBeLessThanOrEqual(seconds)
    expect(answer.headers['retry-after']).toBe(String(Math.ceil(retryAfter)))
    expect(answer.headers['x-ratelimit-limit']).toBe(String(limit))
    expect(answer.headers['x-ratelimit-remaining']).toBe('0')
    const resetAt = Number(answer.headers['x-ratelimit-reset'])
    expect(resetAt - Date.now() / 1000 - retryAfter).toBeLessThan(5)
    expect(resetAt - Date.now() / 1000 - retryAfter).toBeGreaterThan(-30)
  }

  it('limits the requests of a user across addresses', async () => {
    const organization = await server().organization()
    const { owner } = organization
    const answers = await repeat(5, () => authorized(newAddress(), owner))
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200])
    const remaining = answers.map(({ headers }) => headers['x-ratelimit-remaining'])
    expect(remaining).toEqual(['4', '3', '2', '1', '0'])
    expect(answers[0]?.headers['retry-after']).toBeUndefined()
    expectLimited(await authorized(newAddress(), owner), 5, 60)
    expect((await authorized(newAddress(), await organization.user('Otto Other'))).status).toBe(200)
    expect((await authorized(newAddress(), (await server().organization()).owner)).status).toBe(200)
  })

  it('returns the number of remaining requests in response to an event poll', async () => {
    const { owner } = await server().organization()
    const { id } = await owner.register({ event_types: ['message'] })
    const { headers } = await owner.try('GET', '/events', { queue_id: id, dont_block: true })
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '3' })
  })

  it("limits an address's unauthenticated requests but not its authenticated requests", async () => {
    const organization = await server().organization()
    const address = newAddress()
    expect(statuses(await repeat(8, () => anonymous(address, organization)))).toEqual(Array(8).fill(401))
    expectLimited(await anonymous(address, organization), 8, 60)
    expectLimited(await from(address, organization.owner, 'GET', '/users/me'), 8, 60)
    expectLimited(await from(address, organization.owner, 'HEAD', '/users/me').then(withBody), 8, 60)
    expect((await authorized(address, organization.owner)).status).toBe(200)
    expect((await anonymous(newAddress(), organization)).status).toBe(401)
  })

  it('counts requests with wrong credentials as unauthenticated', async () => {
    const organization = await server().organization()
    const { owner } = organization
    const address = newAddress()
    expect(statuses(await repeat(8, () => authorized(address, owner, 'wrong')))).toEqual(Array(8).fill(401))
    expectLimited(await authorized(address, owner, 'wrong'), 8, 60)
    expectLimited(await anonymous(address, organization), 8, 60)
    expect((await authorized(address, owner)).status).toBe(200)
  })

  it("counts requests to an unknown organization toward the limit of the client's address", async () => {
    const { owner } = await server().organization()
    const nobody = new TestUser(owner.url, 'nowhere.parley.test', owner.email, owner.apiKey, owner.id)
    const address = newAddress()
    expect(statuses(await repeat(8, () => authorized(address, nobody)))).toEqual(Array(8).fill(404))
    expectLimited(await authorized(address, nobody), 8, 60)
  })

  it('treats an IPv6 network as one address', async () => {
    const organization = await server().organization()
    const answers: Answer[] = []
    for (let index = 0; index < 9; index += 1) answers.push(await anonymous(`2001:db8:7:7::${index}`, organization))
    expect(statuses(answers)).toEqual([...Array<number>(8).fill(401), 429])
    expect((await anonymous('2001:db8:7:8::1', organization)).status).toBe(401)
  })

  it('limits requests by the address that the proxy added, not by the addresses before it', async () => {
    const organization = await server().organization()
    const address = newAddress()
    const answers = await repeat(9, () => anonymous(`${newAddress()}, ${address}`, organization))
    expect(statuses(answers)).toEqual([...Array<number>(8).fill(401), 429])
  })

  const tryFrom = async (address: string, user: TestUser, username: string, password: string): Promise<Answer> =>
    from(address, user, 'POST', '/fetch_api_key', { username, password })
  const networks = (count: number): string[] => Array.from({ length: count }, newAddress)

  it('limits failed sign-ins by username and network, ignoring case', async () => {
    const organization = await server().organization('Test', { password: PASSWORD })
    const { owner } = organization
    const stranger = newAddress()
    const names = [
      'owner@example.com',
      'OWNER@example.com',
      'Owner@Example.Com',
      'owner@EXAMPLE.com',
      'owner@example.com',
    ]
    for (const name of names)
      expect((await tryFrom(stranger, owner, name, 'wrong')).body['code']).toBe('AUTHENTICATION_FAILED')
    expectLimited(await tryFrom(stranger, owner, owner.email, 'wrong'), 5, 1800)
    expectLimited(await tryFrom(stranger, owner, owner.email.toUpperCase(), PASSWORD), 5, 1800)
    // An attacker cannot lock anyone out: the owner can sign in from another network, and the key works everywhere.
    expect((await login(owner, owner.email, PASSWORD)).status).toBe(200)
    expect((await authorized(newAddress(), owner)).status).toBe(200)
    const other = await tryFrom(newAddress(), owner, 'somebody@example.com', PASSWORD)
    expect(other.body['code']).toBe('AUTHENTICATION_FAILED')
    const elsewhere = await server().organization('Elsewhere', { password: PASSWORD })
    expect((await tryFrom(stranger, elsewhere.owner, owner.email, PASSWORD)).status).toBe(200)
  })

  it('limits failed sign-ins across networks, except from networks where the person has signed in', async () => {
    const { owner } = await server().organization('Test', { password: PASSWORD })
    const home = newAddress()
    expect((await tryFrom(home, owner, owner.email, PASSWORD)).status).toBe(200)
    for (const address of networks(20)) await tryAll(address, owner)
    expectLimited(await login(owner, owner.email, PASSWORD), 100, 1800)
    expect((await tryFrom(home, owner, owner.email, 'wrong')).status).toBe(401)
    expect((await tryFrom(home, owner, owner.email, PASSWORD)).status).toBe(200)
  })

  const tryAll = async (address: string, user: TestUser): Promise<Answer[]> =>
    Promise.all(Array.from({ length: 5 }, () => tryFrom(address, user, user.email, 'wrong')))

  it('rejects a sign-in with the placeholder of a hidden email address', async () => {
    const { owner } = await server().organization('Test', { password: PASSWORD })
    await owner.call('PATCH', '/settings', { email_address_visibility: 5 })
    const hidden = (await owner.call('GET', '/users/me'))['email']
    expect(hidden).not.toBe(owner.email)
    expect((await login(owner, hidden, PASSWORD)).body['code']).toBe('AUTHENTICATION_FAILED')
    expect((await login(owner, owner.email, PASSWORD)).status).toBe(200)
  })

  it('limits failed sign-ins of unknown users like those of existing users', async () => {
    const { owner } = await server().organization()
    const stranger = newAddress()
    const answers = await repeat(5, () => tryFrom(stranger, owner, 'nobody@example.com', 'wrong'))
    expect(statuses(answers)).toEqual(Array(5).fill(401))
    expectLimited(await tryFrom(stranger, owner, 'nobody@example.com', 'wrong'), 5, 1800)
  })

  it('limits password resets per email address within a network and across networks', async () => {
    const { owner } = await server().organization()
    const ask = async (address: string): Promise<number> =>
      (await from(address, owner, 'POST', '/password_reset', { email: owner.email })).status
    for (const address of networks(3)) {
      for (let count = 0; count < 5; count += 1) expect(await ask(address)).toBe(200)
      expect(await ask(address)).toBe(429)
    }
    const last = networks(6)
    expect(await Promise.all(last.map(ask))).toEqual(expect.arrayContaining([200, 429]))
  })

  it('resets the count of failed sign-ins after a successful sign-in', async () => {
    const { owner } = await server().organization('Test', { password: PASSWORD })
    const home = newAddress()
    for (let round = 0; round < 2; round += 1) {
      expect(statuses(await repeat(3, () => tryFrom(home, owner, owner.email, 'wrong')))).toEqual(Array(3).fill(401))
      expect((await tryFrom(home, owner, owner.email, PASSWORD)).status).toBe(200)
    }
  })

  it('checks no more passwords than the limit when attempts are concurrent', async () => {
    const { owner } = await server().organization('Test', { password: PASSWORD })
    const stranger = newAddress()
    const attempts = Array.from({ length: 20 }, () => tryFrom(stranger, owner, owner.email, 'wrong'))
    const answers = await Promise.all(attempts)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })
})

describe('server that trusts no proxy', () => {
  const server = useTestServer(LIMIT_SETTINGS)

  it('ignores X-Forwarded-For without a trusted proxy', async () => {
    const { owner } = await server().organization()
    const statuses: number[] = []
    for (let index = 0; index < 9; index += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${index}` }
      statuses.push((await callApi(owner.url, owner.host, 'GET', '/users/me', {}, { headers })).status)
    }
    expect(statuses).toEqual([...Array<number>(8).fill(401), 429])
  })
})

describe('server with rate limits disabled', () => {
  const server = useTestServer({ ...LIMIT_SETTINGS, PARLEY_RATE_LIMITS: 'off' })

  it('limits no requests and sends no rate limit headers if rate limits are disabled', async () => {
    const { owner } = await server().organization('Test', { password: 'correct horse' })
    for (let index = 0; index < 12; index += 1) {
      const { status, headers } = await owner.try('GET', '/users/me')
      expect(status).toBe(200)
      expect(Object.keys(headers).filter((name) => /ratelimit|retry/.test(name))).toEqual([])
      const failed = { username: owner.email, password: 'wrong' }
      expect((await callApi(owner.url, owner.host, 'POST', '/fetch_api_key', failed)).status).toBe(401)
    }
  })
})

function withBody(answer: Answer): Answer {
  const retryAfter = Number(answer.headers['x-ratelimit-reset']) - Date.now() / 1000
  expect(answer.body).toEqual({})
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(retryAfter - 2)
  return {
    ...answer,
    body: { result: 'error', code: 'RATE_LIMIT_HIT', 'retry-after': Number(answer.headers['retry-after']) },
  }
}

describe('endpoints with their own rate limits', () => {
  const server = useTestServer({ PARLEY_RATE_LIMITS: 'on', PARLEY_TRUST_PROXY: '1' })

  it('limits requests to one endpoint per address without limiting other endpoints', async () => {
    const { owner } = await server().organization()
    const from = async (address: string, path: string, parameters: Parameters = {}): Promise<Answer> =>
      callApi(owner.url, owner.host, path === '/server_settings' ? 'GET' : 'POST', path, parameters, {
        headers: { 'x-forwarded-for': address },
      })
    const judge = async (address: string): Promise<Answer> => from(address, '/password_strength', { password: 'abc' })
    const { count = 0 } = estimatePassword.ratePerAddress ?? {}
    const statuses = new Set<number>()
    for (let n = 0; n < count; n += 1) statuses.add((await judge('198.51.100.1')).status)
    expect([...statuses]).toEqual([200])
    const refused = await judge('198.51.100.1')
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await from('198.51.100.1', '/server_settings')).status).toBe(200)
    expect((await judge('198.51.100.2')).status).toBe(200)
  })

  it('counts anonymous page reads separately from other requests', async () => {
    const { owner } = await server().organization()
    const headers = { 'x-forwarded-for': '198.51.100.9' }
    const ask = async (method: string, path: string, parameters: Parameters = {}): Promise<number> =>
      (await callApi(owner.url, owner.host, method, path, parameters, { headers })).status
    const reads = async (): Promise<number[]> => [
      await ask('GET', '/server_settings'),
      await ask('GET', '/join/organization'),
      await ask('POST', '/password_strength', { password: 'abc' }),
    ]
    // Requests of the sign-in page do not use up the attempts of other people at the same address.
    for (let n = 0; n < 50; n += 1) expect(await reads()).toEqual([200, 200, 200])
    const statuses: number[] = []
    do statuses.push(await ask('GET', '/users/me'))
    while (statuses.at(-1) === 401)
    expect([statuses.length, statuses.at(-1)]).toEqual([201, 429])
    expect(await reads()).toEqual([200, 200, 200])
    for (let n = 51; n < PUBLIC_READ_RATE.count; n += 1) await ask('GET', '/join/organization')
    expect(await ask('GET', '/join/organization')).toBe(429)
    expect(await ask('GET', '/server_settings')).toBe(200)
  })

  it('limits how often passkey sign-ins can start from one IP address', async () => {
    const { path, ratePerAddress: { count } = { count: 0 } } = beginPasskeyLogin
    const { owner } = await server().organization()
    const begin = async (address: string): Promise<number> =>
      (await callApi(owner.url, owner.host, 'POST', path, {}, { headers: { 'x-forwarded-for': address } })).status
    const statuses: number[] = []
    for (let n = 0; n <= count; n += 1) statuses.push(await begin('198.51.100.7'))
    expect(statuses.map((status) => status === 429).indexOf(true)).toBe(count)
    expect(await begin('198.51.100.8')).not.toBe(429)
  })
})
