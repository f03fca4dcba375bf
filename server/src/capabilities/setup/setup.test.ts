import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { browserOf, cookiesOf, type TestBrowser } from '../../testing/browser.ts'
import type { RegisterResponse } from '../../testing/contract-types.ts'
import { useTestServer } from '../../testing/server.ts'
import { callApi, TestUser, type Answer, type Parameters } from '../../testing/user.ts'
import { makeSetupLink } from './actions.ts'
import { MAX_FIRST_CHANNELS, SETUP_LINK_LIMIT, SETUP_LINK_SECONDS } from './contract.ts'

const server = useTestServer()
let subdomain: string
let token: string

beforeEach(async () => {
  subdomain = `s${randomUUID().slice(0, 8)}`
  token = await createLink()
})

async function createLink(at = subdomain, name = ''): Promise<string> {
  return server().parley.database.transaction(async (db) => makeSetupLink(db, at, name))
}

const hostOf = (at: string): string => `${at}.parley.test`

/** Sends a request like a web page, to a host that may have no organization. */
async function postFromPage(path: string, parameters: Parameters, host = hostOf(subdomain)): Promise<Answer> {
  return callApi(server().parley.url, host, 'POST', path, parameters, { headers: { 'sec-fetch-site': 'same-origin' } })
}

const ANN = {
  realm_name: 'Acme',
  full_name: 'Ann Acme',
  email: 'ann@acme.example',
  password: 'seven purple elephants',
}

async function setUp(more: Parameters = {}, host = hostOf(subdomain)): Promise<Answer> {
  return postFromPage('/setup', { token, ...ANN, ...more }, host)
}

async function countOrganizations(): Promise<number> {
  const { rows } = await server().parley.database.pool.query<{ count: number }>(
    'select count(*)::int as count from organizations',
  )
  return rows[0]?.count ?? 0
}

const BAD_LINK = { result: 'error', code: 'AUTHENTICATION_FAILED', msg: 'This link is no longer valid.' }

/** Checks that a token gets the usual error and creates nothing. */
async function expectBadLink(bad: string, host = hostOf(subdomain)): Promise<void> {
  const before = await countOrganizations()
  for (const answer of [await postFromPage('/setup/link', { token: bad }, host), await setUp({ token: bad }, host)]) {
    expect([answer.status, answer.body]).toEqual([401, BAD_LINK])
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  expect(await countOrganizations()).toBe(before)
}

async function expectRefused(more: Parameters, msg: unknown = expect.any(String)): Promise<void> {
  const before = await countOrganizations()
  const { status, body, headers } = await setUp(more)
  expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', msg])
  expect(headers['set-cookie']).toBeUndefined()
  expect(await countOrganizations()).toBe(before)
}

function ownerBrowser(answer: Answer): TestBrowser {
  const { url } = server().parley
  return browserOf(new TestUser(url, hostOf(subdomain), ANN.email, '', Number(answer.body['user_id'])), answer)
}

describe('organization setup', () => {
  it('creates the organization, its owner, and its channels, and signs the owner in', async () => {
    expect(await postFromPage('/setup/link', { token })).toMatchObject({ status: 200, body: { realm_name: '' } })
    const channels = [{ name: 'team', description: 'For *all*' }, { name: 'random' }]
    const answer = await setUp({ channels })
    expect([answer.status, answer.body]).toEqual([
      200,
      { result: 'success', msg: '', user_id: Number(answer.body['user_id']), email: ANN.email },
    ])
    expect(cookiesOf(answer)['parley']).toMatch(/HttpOnly; SameSite=Lax$/)
    const ann = ownerBrowser(answer)
    const { state } = await ann.register()
    expect(state).toMatchObject({ is_owner: true, full_name: 'Ann Acme', realm_name: 'Acme' })
    const subscribed = state['subscriptions']
    expect(new Map(subscribed.map(({ name, description }) => [name, description]))).toEqual(
      new Map([
        ['team', 'For *all*'],
        ['random', ''],
      ]),
    )
    expect(new Set(state['realm_default_streams'])).toEqual(new Set(subscribed.map(({ stream_id: id }) => id)))
    // The owner can sign in again and invite people.
    const login = { username: ANN.email, password: ANN.password }
    expect((await postFromPage('/login', login)).status).toBe(200)
    const { invite_link } = await ann.call('POST', '/invites/multiuse', {})
    expect(invite_link).toContain('/join#')
    await ann.send('team', 'hello', 'Here we are')
  })

  it('sets the language of the organization and its people from the setup page', async () => {
    const ann = ownerBrowser(await setUp({ default_language: 'de' }))
    const languageOf = ({ user_settings: settings }: RegisterResponse): unknown => settings.default_language
    const { state } = await ann.register()
    expect([state['realm_default_language'], languageOf(state)]).toEqual(['de', 'de'])
    const { user_id: id } = await ann.call('POST', '/users', {
      email: 'ben@acme.example',
      password: ANN.password,
      full_name: 'Ben',
    })
    const ben = browserOf(
      new TestUser(server().parley.url, hostOf(subdomain), 'ben@acme.example', '', id),
      await postFromPage('/login', { username: 'ben@acme.example', password: ANN.password }),
    )
    expect(languageOf((await ben.register()).state)).toBe('de')
    subdomain = `s${randomUUID().slice(0, 8)}`
    token = await createLink()
    expect((await setUp({ default_language: 'no such language' })).status).toBe(400)
    const english = (await ownerBrowser(await setUp()).register()).state
    expect([english['realm_default_language'], languageOf(english)]).toEqual(['en', 'en'])
  })

  it("sets only the owner's time zone and Enter key setting from the setup page", async () => {
    const ann = ownerBrowser(await setUp({ timezone: 'Asia/Kolkata', enter_sends: true }))
    const { state } = await ann.register()
    expect(state['user_settings']).toMatchObject({ timezone: 'Asia/Kolkata', enter_sends: true })
    expect(state['realm_user_settings_defaults']).toMatchObject({ enter_sends: false })
    const { user_id: id } = await ann.call('POST', '/users', {
      email: 'ben@acme.example',
      full_name: 'Ben',
      password: ANN.password,
    })
    expect((await ann.call('GET', `/users/${String(id)}`))['user']).toMatchObject({ timezone: '' })
  })

  it('welcomes the owner in a direct message', async () => {
    const ann = ownerBrowser(await setUp({ default_language: 'de' }))
    const texts = async (): Promise<string[]> => {
      const { messages } = await ann.call('GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0 })
      return messages.map(({ type, sender_full_name: sender, content }) => `${type} ${sender}: ${content}`)
    }
    const welcome = 'private Notification Bot: <p>Willkommen bei <strong>Acme</strong>, Ann Acme.</p>'
    await expect.poll(texts).toEqual([expect.stringContaining(welcome)])
  })

  it('starts the audit log with the owner creating the organization', async () => {
    const ann = ownerBrowser(await setUp({ channels: [{ name: 'team' }] }))
    await ann.call('PATCH', '/realm', { name: 'Acme & Daughters' })
    const { entries } = await ann.call('GET', '/audit_log', { limit: 500 })
    const all = entries.toReversed()
    expect(all.length).toBeGreaterThan(1)
    expect(all.map(({ action }) => action).indexOf('founded')).toBe(0)
    expect(all[0]).toMatchObject({
      acting_user_id: ann.id,
      kind: 'settings',
      target: null,
      changes: [{ property: 'name', to: 'Acme' }],
    })
    expect(all.filter(({ action }) => action === 'founded')).toHaveLength(1)
  })

  it('creates an organization without channels if the owner chooses none', async () => {
    const ann = ownerBrowser(await setUp())
    expect((await ann.call('GET', '/users/me/subscriptions'))['subscriptions']).toEqual([])
  })

  it('suggests the organization name chosen by the operator', async () => {
    const named = await createLink(subdomain, 'Acme & Sons')
    expect((await postFromPage('/setup/link', { token: named })).body['realm_name']).toBe('Acme & Sons')
  })

  it('rejects invalid organizations, accounts, and channels, and keeps the setup link valid', async () => {
    await expectRefused({ realm_name: ' ' })
    await expectRefused({ realm_name: 'Acme\r\nBcc: ann@example.org' })
    await expectRefused({ realm_name: 'x'.repeat(41) })
    await expectRefused({ email: 'nobody' }, 'Enter a valid email address.')
    await expectRefused({ email: 'ann@acme.example\r\nBcc: eve@example.org' }, 'Enter a valid email address.')
    await expectRefused({ full_name: '' })
    await expectRefused({ full_name: 'x'.repeat(101) })
    for (const password of ['short', 'password1', 'qwertzuiop', 'x'.repeat(101)]) await expectRefused({ password })
    await expectRefused({ full_name: 'Wilhelmina Zapp', password: 'Wilhelmina-Zapp' })
    await expectRefused({ realm_name: 'Wilhelmina Zapp', password: 'wilhelmina.zapp' })
    await expectRefused({ channels: [{ name: '' }] })
    const long = await setUp({ channels: [{ name: 'x'.repeat(61) }] })
    expect([long.status, long.body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
    const many = (count: number): { name: string }[] => Array.from({ length: count }, (_, at) => ({ name: `c${at}` }))
    const { status, body } = await setUp({ channels: many(MAX_FIRST_CHANNELS + 1) })
    expect([status, body['code']]).toEqual([400, 'REQUEST_VARIABLE_INVALID'])
    const ann = ownerBrowser(await setUp({ channels: many(MAX_FIRST_CHANNELS) }))
    const { subscriptions } = await ann.call('GET', '/users/me/subscriptions')
    expect(subscriptions).toHaveLength(MAX_FIRST_CHANNELS)
  })

  it('creates a channel once if the request lists it twice', async () => {
    const ann = ownerBrowser(await setUp({ channels: [{ name: 'team' }, { name: 'Team' }] }))
    expect((await ann.call('GET', '/users/me/subscriptions'))['subscriptions']).toHaveLength(1)
  })

  it('serves only the setup page at hosts without an organization', async () => {
    const browser = ownerBrowser(await setUp())
    const nowhere = { host: hostOf('nowhere') }
    const statuses = ['/setup', '/', '/join', '/settings/people'].map(
      async (path) => (await browser.fetches(path, nowhere)).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 404, 404, 404])
  })
})

describe('setup links', () => {
  it('returns the same error for guessed, damaged, and empty setup links', async () => {
    const other = token.startsWith('a') ? `b${token.slice(1)}` : `a${token.slice(1)}`
    for (const bad of [other, `${token}=`, token.toLowerCase(), '', "' or true --", 'x'.repeat(100)]) {
      await expectBadLink(bad)
    }
    expect((await setUp()).status).toBe(200)
  })

  it('invalidates all printed setup links after any of them is used', async () => {
    const another = await createLink()
    expect((await setUp()).status).toBe(200)
    for (const used of [token, another]) await expectBadLink(used)
  })

  it('creates only one organization if setup links are used simultaneously', async () => {
    const another = await createLink()
    const before = await countOrganizations()
    const answers = await Promise.all([setUp(), setUp({ token: another, email: 'eve@example.org' }), setUp()])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401', '401'])
    expect(await countOrganizations()).toBe(before + 1)
  })

  it("accepts a setup link only at the host of the link's organization", async () => {
    const { host, owner } = await server().organization('Elsewhere')
    const others = `s${randomUUID().slice(0, 8)}`
    await createLink(others)
    for (const where of [host, hostOf(others), hostOf('nowhere'), 'parley.test', 'elsewhere.example', '']) {
      await expectBadLink(token, where)
    }
    const { members } = await owner.call('GET', '/users')
    expect(members).toHaveLength(1)
    expect((await setUp()).status).toBe(200)
  })

  it('rejects a setup link for an organization that already exists', async () => {
    const made = await server().organization('Made meanwhile', { stringId: subdomain })
    // The unused link is still in the database, as if the command line had created the organization.
    await expectBadLink(token)
    const { members } = await made.owner.call('GET', '/users')
    expect(members).toHaveLength(1)
  })

  it('rejects expired setup links and deletes them when the next link is created', async () => {
    await server().parley.database.pool.query(
      'update setup_links set expires_at = expires_at - $2 where string_id = $1',
      [subdomain, SETUP_LINK_SECONDS],
    )
    await expectBadLink(token)
    // Creating the next link deletes the expired link.
    await createLink()
    const { rows } = await server().parley.database.pool.query('select 1 from setup_links where string_id = $1', [
      subdomain,
    ])
    expect(rows).toHaveLength(1)
  })

  it('invalidates the oldest setup link when a new link exceeds the limit', async () => {
    await server().parley.database.pool.query('update setup_links set made_at = made_at - 10 where string_id = $1', [
      subdomain,
    ])
    for (let more = 1; more < SETUP_LINK_LIMIT.most; more += 1) await createLink()
    expect((await postFromPage('/setup/link', { token })).status).toBe(200)
    const last = await createLink()
    await expectBadLink(token)
    expect((await postFromPage('/setup/link', { token: last })).status).toBe(200)
  })

  it('stores only the digest of a setup link', async () => {
    const { rows } = await server().parley.database.pool.query<{ row: string }>(
      'select to_jsonb(l)::text as row from setup_links l where string_id = $1',
      [subdomain],
    )
    expect(rows).toHaveLength(1)
    const [{ row } = { row: '' }] = rows
    for (const encoding of ['utf8', 'base64url'] as const) {
      expect(row).not.toContain(Buffer.from(token, encoding).toString('hex'))
    }
    expect(row).not.toContain(token)
  })

  it('rejects a setup link for an invalid subdomain', async () => {
    await expect(createLink('Not a name')).rejects.toThrow('Not usable as a subdomain')
  })
})
