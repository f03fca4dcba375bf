import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { signIn } from '../../testing/browser.ts'
import { anyNumber } from '../../testing/expected.ts'
import { linkIn, useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { openStream } from '../../testing/stream.ts'
import { callApi, TestUser, type Body } from '../../testing/user.ts'
import { API_TOKEN_LIMIT } from './contract.ts'
import { writeTokenUses } from './jobs.ts'
import { callWithToken, makeToken, INVALID_KEY } from './testing/tokens.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })
const PASSWORD = 'correct horse battery'
let organization: TestOrganization
let ann: TestUser

beforeEach(async () => {
  organization = await server().organization('Acme', { password: PASSWORD })
  ann = await organization.user('Ann Able')
})
afterEach(() => {
  vi.useRealTimers()
})

describe('API tokens', () => {
  it('shows a new token only once, and lists, revokes, and audits it without sending events', async () => {
    const watching = await organization.owner.register()
    const end = Math.floor(Date.now() / 1000) + 3_600
    const { id, token } = await makeToken(ann, { name: ' Backup ', expires_at: end })
    expect(token).toMatch(/^parley_\d+_[\w-]{43}$/)
    const listed = { id, name: 'Backup', is_read_only: true, channel_ids: null, expires_at: end, last_used_at: null }
    const { api_tokens: own } = await ann.call('GET', '/api_tokens')
    expect(own).toEqual([{ ...listed, created_at: anyNumber }])
    expect((await organization.owner.call('GET', '/api_tokens'))['api_tokens']).toEqual([])
    await ann.call('DELETE', `/api_tokens/${id}`)
    expect((await ann.call('GET', '/api_tokens'))['api_tokens']).toEqual([])
    expect(await watching.events()).toEqual([])
    const { entries } = await organization.owner.call('GET', '/audit_log', { user_id: ann.id })
    expect(entries.slice(0, 2).map(({ changes }) => changes)).toEqual([
      [{ property: 'api_token', from: 'Backup', to: null }],
      [{ property: 'api_token', from: null, to: 'Backup' }],
    ])
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  it('stores no token secret in the database or event log', async () => {
    const { token } = await makeToken(ann)
    // The secret itself can contain underscores.
    const secret = token.slice(token.indexOf('_', 'parley_'.length) + 1)
    const { pool } = server().parley.database
    for (const table of ['api_tokens', 'events']) {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${table} t`)
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.filter(({ row }) => row.includes(secret))).toEqual([])
    }
  })

  it('accepts a token as a bearer token or API key, only for its own account', async () => {
    const { token } = await makeToken(ann)
    expect((await new TestUser(ann.url, ann.host, ann.email, token, ann.id).call('GET', '/users/me'))['user_id']).toBe(
      ann.id,
    )
    expect((await callWithToken(ann, token, 'GET', '/users/me')).body['user_id']).toBe(ann.id)
    const asOwner = new TestUser(ann.url, ann.host, organization.owner.email, token, 0)
    expect((await asOwner.try('GET', '/users/me')).body).toMatchObject(INVALID_KEY)
    const unknown = new TestUser(ann.url, ann.host, 'nobody@example.org', token, 0)
    expect((await unknown.try('GET', '/users/me')).body).toMatchObject(INVALID_KEY)
  })

  it.each([
    ['an API key', () => ann.apiKey],
    ['a wrong secret', (token: string) => `${token.slice(0, -4)}AAAA`],
    ["another token's ID", (token: string) => token.replace(/_\d+_/, '_1_')],
    ['malformed text', () => 'x'],
    ['overlong text', () => 'x'.repeat(5_000)],
  ])('rejects %s as a token', async (_, made) => {
    const { token } = await makeToken(ann)
    const answer = await callWithToken(ann, made(token), 'GET', '/users/me')
    expect([answer.status, answer.body['code']]).toEqual([
      401,
      expect.stringMatching(/^(INVALID_API_KEY|UNAUTHENTICATED_USER)$/),
    ])
  })

  it('rejects a token of another organization', async () => {
    const { token } = await makeToken(ann)
    const other = await server().organization('Other')
    expect((await callWithToken(other.owner, token, 'GET', '/users/me')).body).toMatchObject(INVALID_KEY)
  })

  it('accepts a token until it expires', async () => {
    const end = Math.floor(Date.now() / 1000) + 3_600
    const { token } = await makeToken(ann, { expires_at: end })
    vi.useFakeTimers({ toFake: ['Date'], now: end * 1000 - 1 })
    expect((await callWithToken(ann, token, 'GET', '/users/me')).status).toBe(200)
    vi.setSystemTime(end * 1000)
    expect((await callWithToken(ann, token, 'GET', '/users/me')).body).toMatchObject(INVALID_KEY)
  })

  it('ends the queues and waiting polls of a revoked token', async () => {
    const { id, token } = await makeToken(ann)
    const types = { event_types: ['message'] }
    const { body: registered } = await callWithToken(ann, token, 'POST', '/register', types)
    const own = await ann.register(types)
    const before = server().parley.queues.count().parked
    const waiting = callWithToken(ann, token, 'GET', '/events', { queue_id: registered['queue_id'], last_event_id: -1 })
    await expect.poll(() => server().parley.queues.count().parked).toBe(before + 1)
    await ann.call('DELETE', `/api_tokens/${id}`)
    expect((await waiting).status).toBe(401)
    expect((await callWithToken(ann, token, 'GET', '/users/me')).body).toMatchObject(INVALID_KEY)
    const gone = await ann.try('GET', '/events', { queue_id: registered['queue_id'], last_event_id: -1 })
    expect(gone.body['code']).toBe('BAD_EVENT_QUEUE_ID')
    expect(await own.events()).toEqual([])
  })

  it('ends waiting polls and streams when the token they use expires', async () => {
    const end = Math.floor(Date.now() / 1000) + 3_600
    const { token } = await makeToken(ann, { expires_at: end })
    vi.useFakeTimers({ toFake: ['Date'], now: end * 1000 - 2_000 })
    const types = { event_types: ['message'] }
    const register = async (): Promise<Body> => {
      const { body } = await callWithToken(ann, token, 'POST', '/register', types)
      return { queue_id: body['queue_id'], last_event_id: -1 }
    }
    const [queue, streamed] = [await register(), await register()]
    const before = server().parley.queues.count().parked
    const waiting = callWithToken(ann, token, 'GET', '/events', queue)
    const stream = openStream(ann, streamed, { authorization: `Bearer ${token}` })
    await stream.begun()
    await expect.poll(() => server().parley.queues.count().parked).toBe(before + 2)
    vi.setSystemTime(end * 1000)
    // The errors arrive before any heartbeat.
    expect((await waiting).body['code']).toBe('UNAUTHENTICATED_USER')
    expect((await stream.ended()).code).toBe('UNAUTHENTICATED_USER')
  })

  it('revokes API tokens on a password reset', async () => {
    const { token } = await makeToken(ann)
    const headers = { 'sec-fetch-site': 'same-origin' }
    const ask = async (path: string, parameters: Body) =>
      callApi(ann.url, ann.host, 'POST', path, parameters, { headers })
    await ask('/password_reset', { email: ann.email })
    const link = new URL(linkIn(await mails.next(ann.email, /^Reset your password/))).hash.slice(1)
    expect((await ask('/password_reset/confirm', { token: link, password: 'eight yellow giraffes' })).status).toBe(200)
    expect((await callWithToken(ann, token, 'GET', '/users/me')).body).toMatchObject(INVALID_KEY)
  })

  it('revokes tokens when their owner is deactivated', async () => {
    const { token } = await makeToken(ann)
    await organization.owner.call('DELETE', `/users/${ann.id}`)
    expect((await callWithToken(ann, token, 'GET', '/users/me')).body).toMatchObject(INVALID_KEY)
    await organization.owner.call('POST', `/users/${ann.id}/reactivate`)
    expect((await callWithToken(ann, token, 'GET', '/users/me')).body).toMatchObject(INVALID_KEY)
  })

  it("limits a token to its owner's current permissions", async () => {
    const guest = await organization.user('Gus', { role: 600 })
    await organization.owner.subscribe(['secret'], { invite_only: true })
    const { token } = await makeToken(guest, { is_read_only: false })
    const send = { type: 'stream', to: 'secret', topic: 'x', content: 'x' }
    expect((await callWithToken(guest, token, 'POST', '/messages', send)).body['code']).toBe('STREAM_DOES_NOT_EXIST')
  })

  it('creates no token for bots, with invalid parameters, or with a wrong password', async () => {
    const { owner } = organization
    for (const password of ['', 'wrong']) {
      const answer = await owner.try('POST', '/api_tokens', { name: 'x', password })
      expect([answer.body['code'], answer.body['msg']]).toEqual(['BAD_REQUEST', 'Wrong password!'])
    }
    const browser = await signIn(owner)
    expect((await browser.try('POST', '/api_tokens', { name: 'x', password: PASSWORD })).status).toBe(200)
    await owner.subscribe(['secret'], { invite_only: true })
    const { stream_id: secret } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
    const refusals: [Body, string][] = [
      [{ name: ' ' }, 'A token must have a name.'],
      [{ name: 'x', expires_at: 1 }, 'The expiration of a token must be in the future.'],
      [{ name: 'x', channel_ids: [secret] }, `Channel with ID '${String(secret)}' does not exist`],
      [{ name: 'x', channel_ids: [999] }, "Channel with ID '999' does not exist"],
    ]
    for (const [parameters, message] of refusals) {
      expect((await ann.try('POST', '/api_tokens', parameters)).body['msg']).toBe(message)
    }
    expect((await ann.try('POST', '/api_tokens', { name: 'x', channel_ids: [] })).status).toBe(400)
    expect((await ann.call('GET', '/api_tokens'))['api_tokens']).toEqual([])
    const bot = await organization.user('Bea Bot', { bot: { ownerId: ann.id } })
    expect((await bot.try('POST', '/api_tokens', { name: 'x' })).body['msg']).toBe(
      'Bots cannot have API tokens. Use their API key.',
    )
  })

  it('limits how many tokens an account can have', async () => {
    const { id } = await makeToken(ann)
    for (let more = 1; more < API_TOKEN_LIMIT.most; more += 1) await makeToken(ann)
    const full = await ann.try('POST', '/api_tokens', { name: 'x' })
    expect(full.body['msg']).toBe(`You can have at most ${API_TOKEN_LIMIT.most} API tokens.`)
    await ann.call('DELETE', `/api_tokens/${id}`)
    await makeToken(ann)
  })

  it('records the last use of a token to the hour', async () => {
    const { id, token } = await makeToken(ann)
    const log = await server().parley.logs.of(organization.id)
    await callWithToken(ann, token, 'GET', '/users/me')
    await writeTokenUses(log)
    const used = await lastUseOf(id)
    expect(used).toBeGreaterThan(0)
    vi.useFakeTimers({ toFake: ['Date'], now: (used + 3_599) * 1000 })
    await callWithToken(ann, token, 'GET', '/users/me')
    await writeTokenUses(log)
    expect(await lastUseOf(id)).toBe(used)
    vi.setSystemTime((used + 3_601) * 1000)
    await callWithToken(ann, token, 'GET', '/users/me')
    await writeTokenUses(log)
    expect(await lastUseOf(id)).toBe(used + 3_601)
  })
})

async function lastUseOf(id: number): Promise<number> {
  const { api_tokens: own } = await ann.call('GET', '/api_tokens')
  return Number(own.find((one) => one.id === id)?.last_used_at)
}
