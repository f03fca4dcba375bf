import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cookiesOf, createLoginLink, signIn, type TestBrowser } from '../../testing/browser.ts'
import { useTestServer } from '../../testing/server.ts'
import type { OrganizationLog } from '../../platform/log/organization-log.ts'
import { SESSION_SECONDS } from './contract.ts'
import { endExpiredSessions, writeSessionUses } from './jobs.ts'
import { organizationsWithExpiredSessions } from './queries.ts'

const server = useTestServer()
const DAY_SECONDS = 86_400

beforeEach(() => {
  // The server counts in seconds, so the clock starts at a full second.
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 1000) * 1000 })
})
afterEach(() => {
  vi.useRealTimers()
})

function passTime(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000)
}

async function statusAndCookie(browser: TestBrowser): Promise<readonly [number, string | undefined]> {
  const answer = await browser.try('GET', '/users/me')
  return [answer.status, cookiesOf(answer)['parley']]
}

const CLEARED_COOKIE = '; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'

async function storedUseTimes({ parley }: ReturnType<typeof server>, organizationId: number): Promise<number[]> {
  const { rows } = await parley.database.pool.query<{ used_at: string }>(
    'select used_at from sessions where organization_id = $1 order by id',
    [organizationId],
  )
  return rows.map(({ used_at }) => Number(used_at))
}

async function runExpiryJob(log: OrganizationLog): Promise<void> {
  const { reads } = server().parley.database
  const now = Math.floor(Date.now() / 1000)
  for (const { organizationId, id } of await endExpiredSessions.due(reads, now, [])) {
    if (organizationId === log.organization.id) {
      await endExpiredSessions.run(
        { log, reads, server: server().parley.facts, closing: new AbortController().signal },
        id,
      )
    }
  }
}

it('ends a session after 30 days without use', async () => {
  const { owner } = await server().organization()
  const [used, unused] = [await signIn(owner), await signIn(owner)]
  passTime(SESSION_SECONDS - 1)
  expect((await statusAndCookie(used))[0]).toBe(200)
  passTime(1)
  expect(await statusAndCookie(unused)).toEqual([401, CLEARED_COOKIE])
})

it('extends a session and its cookie with a single write per day of use', async () => {
  const { owner, id } = await server().organization()
  const log = await server().parley.logs.of(id)
  const [browser, idle] = [await signIn(owner), await signIn(owner)]
  const began = Math.floor(Date.now() / 1000)
  for (let day = 1; day <= 40; day += 1) {
    passTime(DAY_SECONDS)
    const [status, cookie = ''] = await statusAndCookie(browser)
    expect([day, status, cookie.includes('Max-Age=2592000')]).toEqual([day, 200, true])
    expect(`parley=${cookie.split(';')[0]}`).toBe(browser.cookie)
    const { position } = log.organization
    expect(await statusAndCookie(browser)).toEqual([200, undefined])
    expect(log.organization.position).toBe(position)
    await writeSessionUses(log)
    expect(log.organization.position).toBe(position + 1)
    await writeSessionUses(log)
    expect(await statusAndCookie(browser)).toEqual([200, undefined])
    expect(log.organization.position).toBe(position + 1)
  }
  expect(await storedUseTimes(server(), id)).toEqual([began + 40 * DAY_SECONDS, began])
  expect(await statusAndCookie(idle)).toEqual([401, CLEARED_COOKIE])
  const { sessions } = await browser.call('GET', '/sessions')
  expect(sessions[0]).toMatchObject({ created_at: began, last_used_at: began + 40 * DAY_SECONDS })
})

it('sets no session cookie in responses with files', async () => {
  const { owner } = await server().organization()
  const browser = await signIn(owner)
  passTime(2 * DAY_SECONDS)
  const { status, headers } = await browser.fetches(`/avatar/${owner.id}`)
  expect([status, headers['set-cookie']]).toEqual([200, undefined])
})

it('records no use of an ended session', async () => {
  const { owner, id } = await server().organization()
  const log = await server().parley.logs.of(id)
  const browser = await signIn(owner)
  passTime(2 * DAY_SECONDS)
  await browser.call('GET', '/users/me')
  await browser.call('POST', '/logout')
  await writeSessionUses(log)
  expect(await storedUseTimes(server(), id)).toEqual([])
})

it('deletes expired sessions, their queues, and expired sign-in links', async () => {
  const { owner, id } = await server().organization()
  const log = await server().parley.logs.of(id)
  const browser = await signIn(owner)
  await browser.register({ queue_lifespan_secs: DAY_SECONDS })
  await createLoginLink(owner, { seconds: 60 })
  passTime(1)
  const later = await signIn(owner)
  const good = await createLoginLink(owner, { seconds: SESSION_SECONDS })
  passTime(SESSION_SECONDS - 1)
  await runExpiryJob(log)
  const countRows = async (table: string): Promise<number> => {
    const text = `select 1 from ${table} where organization_id = $1`
    return (await server().parley.database.pool.query(text, [id])).rows.length
  }
  expect([await countRows('sessions'), await countRows('queues'), await countRows('login_links')]).toEqual([1, 0, 1])
  expect((await statusAndCookie(later))[0]).toBe(200)
  expect(good.length).toBe(43)
  passTime(2)
  await writeSessionUses(log)
  await runExpiryJob(log)
  expect([await countRows('sessions'), await countRows('login_links')]).toEqual([1, 0])
  expect(await organizationsWithExpiredSessions(server().parley.database.reads, 0, 0)).toEqual([])
})
