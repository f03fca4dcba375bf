import { expect, it } from 'vitest'
import { startTestServer, startTestServerOn } from '../../testing/server.ts'
import { callApi, TestUser, type Answer } from '../../testing/user.ts'
import { deleteEndedAttempts } from './attempts.ts'

const LIMIT_SETTINGS = { PARLEY_RATE_LIMITS: 'on', PARLEY_RATE_LIMIT_ADDRESS: '1000/60' }
const PASSWORD = 'correct horse'

async function login({ url, host, email }: TestUser, password: string): Promise<Answer> {
  return callApi(url, host, 'POST', '/fetch_api_key', { username: email, password })
}

it('counts failed sign-ins across all servers of a database and across restarts', async () => {
  const first = await startTestServer(LIMIT_SETTINGS, { shared: true })
  const second = await startTestServerOn(first.database, LIMIT_SETTINGS, { shared: true })
  const { id, owner } = await first.organization('Test', { password: PASSWORD })
  const there = new TestUser(second.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
  try {
    const codes = async (...attempts: readonly Promise<Answer>[]): Promise<unknown[]> =>
      (await Promise.all(attempts)).map(({ body }) => String(body['code'])).toSorted()
    const wrong = 'AUTHENTICATION_FAILED'
    expect(await codes(login(owner, 'a'), login(there, 'b'), login(owner, 'c'), login(there, 'd'))).toEqual(
      Array(4).fill(wrong),
    )
    expect((await login(there, PASSWORD)).status).toBe(200)
    const many = Array.from({ length: 10 }, (_, at) => login(at % 2 === 0 ? owner : there, `wrong ${at}`))
    expect(await codes(...many)).toEqual([...Array<string>(5).fill(wrong), ...Array<string>(5).fill('RATE_LIMIT_HIT')])
    const refused = await login(there, PASSWORD)
    expect([refused.status, refused.body['code']]).toEqual([429, 'RATE_LIMIT_HIT'])
    expect(Number(refused.body['retry-after'])).toBeGreaterThan(1_700)
    expect(Number(refused.body['retry-after'])).toBeLessThanOrEqual(1_800)

    const restarted = await startTestServerOn(first.database, LIMIT_SETTINGS, { shared: true })
    const again = new TestUser(restarted.parley.url, owner.host, owner.email, owner.apiKey, owner.id)
    expect((await login(again, PASSWORD)).status).toBe(429)
    expect((await again.try('GET', '/users/me')).status).toBe(200)
    const { pool } = first.parley.database
    const { rows } = await pool.query<{ organization_id: number }>('select * from failed_attempts')
    expect(new Set(rows.map((row) => row.organization_id))).toEqual(new Set([id]))
    expect(JSON.stringify(rows)).not.toContain(owner.email)

    // An ended window no longer counts, and its row is deleted.
    await pool.query('update failed_attempts set ends_at = 1')
    expect((await login(again, 'e')).body['code']).toBe(wrong)
    await pool.query('update failed_attempts set ends_at = 1')
    await deleteEndedAttempts(first.parley.database.reads)
    expect((await pool.query('select from failed_attempts')).rowCount).toBe(0)
    expect((await login(again, PASSWORD)).status).toBe(200)
    await restarted.close()
  } finally {
    await second.close()
    await first.close()
  }
})
