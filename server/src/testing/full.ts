import { expect } from 'vitest'
import type { Limit } from '../kernel/limits.ts'
import { startTestServer, startTestServerOn, type TestServer } from './server.ts'
import { TestUser, type Answer } from './user.ts'
import { watch } from './watch.ts'

interface FillPlan {
  /** Inserts the maximum number of rows, `$3`, for organization `$1` and owner `$2`. */
  readonly fill: readonly string[]
  readonly make: (owner: TestUser, other: TestUser) => Promise<Answer>
  readonly refusal: string
}

export const FILL_WITH_BOTS = `
  insert into users (organization_id, id, email, email_key, delivery_email, delivery_email_key, full_name, role,
    is_active, bot_type, bot_owner_id, is_system_bot, date_joined)
  select $1, 1000000 + n, 'b' || n, 'b' || n, 'b' || n, 'b' || n, 'Bot ' || n, 400, false, 1, $2, false, 0
  from generate_series(1, $3::int) n`

/** Expects a refusal without changes, on a server that read the existing rows when it started. */
export async function expectFull({ most }: Limit, { fill, make, refusal }: FillPlan): Promise<void> {
  const first = await startTestServer()
  const { id, host, owner, user } = await first.organization()
  const other = await user('Otto Other')
  await owner.subscribe(['first'])
  await owner.call('POST', '/user_groups/create', { name: 'first', description: '', members: [] })
  for (const text of fill) await runStatement(first, text, [id, owner.id, most])
  const second = await startTestServerOn(first.database)
  const there = new TestUser(second.parley.url, host, owner.email, owner.apiKey, owner.id)
  const look = await watch({ there })
  const { status, body } = await make(there, other)
  expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', refusal])
  expect(await look()).toEqual({ there: [] })
  await second.close()
  await first.close()
}

/** Runs a statement. PostgreSQL refuses unused parameters, so `given` uses all of them. */
async function runStatement(server: TestServer, text: string, values: readonly unknown[]): Promise<void> {
  await server.parley.database.pool.query(`with given as (select $1::bigint, $2::bigint, $3::int) ${text}`, [...values])
}
