import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { Random } from '../../testing/random.ts'
import { startTestServerOn, useTestServer, type TestServer } from '../../testing/server.ts'
import { TestUser } from '../../testing/user.ts'
import { writeActivity } from './jobs.ts'
import { recentlyActiveUsers, recordActivity, readActivity, unwrittenActivity } from './queries/activity.ts'

const server = useTestServer()

const DAY_SECONDS = 86_400
const POLL_OPTIONS = { timeout: 30_000 }

interface ActivityRow {
  readonly noted_at: number
  /** Changes with each write. */
  readonly version: string
}

async function storedActivity(
  organizationId: number,
  { id }: TestUser,
  olderBySeconds = 0,
): Promise<ActivityRow | undefined> {
  const client = new pg.Client(server().database)
  await client.connect()
  if (olderBySeconds > 0) {
    await client.query(
      'update user_activity set noted_at = noted_at - $3 where organization_id = $1 and user_id = $2',
      [organizationId, id, olderBySeconds],
    )
  }
  const { rows } = await client.query<ActivityRow>(
    'select noted_at::int, xmin::text as version from user_activity where organization_id = $1 and user_id = $2',
    [organizationId, id],
  )
  await client.end()
  return rows[0]
}

function userAt({ parley }: TestServer, { host, email, apiKey, id }: TestUser): TestUser {
  return new TestUser(parley.url, host, email, apiKey, id)
}

/** Starts a second server on the same database, with empty caches. It writes activity when it closes. */
async function withRestart(use: (again: TestServer) => Promise<void>): Promise<void> {
  const again = await startTestServerOn(server().database)
  try {
    await use(again)
  } finally {
    await again.close()
  }
}

it("records a person's activity soon after a request", async () => {
  const { id, user } = await server().organization()
  const ann = await user('Ann')
  expect(await storedActivity(id, ann)).toBeUndefined()
  await ann.call('GET', '/users/me')
  await expect.poll(async () => storedActivity(id, ann), POLL_OPTIONS).toBeDefined()
})

it('records activity once a day even if the server restarts', async () => {
  const { id, user } = await server().organization()
  const ann = await user('Ann')
  const { organization } = await server().parley.logs.of(id)
  await ann.call('GET', '/users/me')
  await writeActivity(server().parley.database.reads, [organization])
  const first = await storedActivity(id, ann)
  expect(first).toBeDefined()
  await ann.call('GET', '/users/me')
  expect(unwrittenActivity(organization).has(ann.id)).toBe(false)
  // A new server reads the recorded activity from the database.
  const asksAnew = async (again: TestServer): Promise<void> => {
    await userAt(again, ann).call('GET', '/users/me')
  }
  await withRestart(asksAnew)
  expect(await storedActivity(id, ann)).toEqual(first)
  const yesterday = await storedActivity(id, ann, DAY_SECONDS)
  await withRestart(asksAnew)
  expect((await storedActivity(id, ann))?.noted_at).toBeGreaterThanOrEqual((yesterday?.noted_at ?? 0) + DAY_SECONDS)
})

it('records activity at most a day late if requests go to different servers', async () => {
  const { id, user } = await server().organization()
  const ann = await user('Ann')
  await withRestart(async (other) => {
    const organizations = [await server().parley.logs.of(id), await other.parley.logs.of(id)].map(
      ({ organization }) => organization,
    )
    const random = new Random(1)
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      for (let step = 0; step < 100; step += 1) {
        vi.advanceTimersByTime(Math.floor(random.between(0, 30)) * 3_600_000)
        const organization = random.of(organizations)
        if (organization === undefined) throw new Error('the organization is there')
        recordActivity(organization, ann.id)
        await writeActivity(server().parley.database.reads, [organization])
        const yesterday = Math.floor(Date.now() / 1000) - DAY_SECONDS
        expect((await storedActivity(id, ann))?.noted_at).toBeGreaterThanOrEqual(yesterday)
      }
    } finally {
      vi.useRealTimers()
    }
  })
})

it('reads activity recorded by other servers', async () => {
  const { id, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await withRestart(async (other) => {
    const { organization } = await other.parley.logs.of(id)
    const { reads } = other.parley.database
    const known = async (): Promise<boolean[]> => {
      await readActivity(organization, reads)
      return [ann, ben].map((person) => recentlyActiveUsers(organization).has(person.id))
    }
    expect(await known()).toEqual([false, false])
    const { version } = recentlyActiveUsers(organization)
    for (const [person, expected] of [
      [ann, [true, false]],
      [ben, [true, true]],
    ] as const) {
      await person.call('GET', '/users/me')
      await writeActivity(server().parley.database.reads, [(await server().parley.logs.of(id)).organization])
      expect(await known()).toEqual(expected)
    }
    expect(recentlyActiveUsers(organization).version).toBeGreaterThan(version)
    const { version: later } = recentlyActiveUsers(organization)
    await known()
    expect(recentlyActiveUsers(organization).version).toBe(later)
  })
})
