import { expect, it } from 'vitest'
import { COUNT_LIMITS } from '../kernel/limits.ts'
import { startTestServer, startTestServerOn, type TestServer } from './server.ts'
import { TestUser, type Answer } from './user.ts'
import { watch } from './watch.ts'

interface Making {
  readonly refusal: string
  /** Puts as many rows there as may be, without asking for each. */
  fill(server: TestServer, organizationId: number, ownerId: number, most: number): Promise<void>
  make(owner: TestUser): Promise<Answer>
}

async function run(server: TestServer, text: string, values: readonly unknown[]): Promise<void> {
  await server.parley.database.pool.query(text, [...values])
}

const MAKING: Readonly<Record<string, Making>> = {
  bots: {
    refusal: `A person can own no more than ${COUNT_LIMITS.bots.most} bots.`,
    fill: async (server, ...values) =>
      run(
        server,
        `insert into users (organization_id, id, email, email_key, delivery_email, delivery_email_key, full_name, role,
           is_active, bot_type, bot_owner_id, is_system_bot, date_joined)
         select $1, 1000000 + n, 'b' || n, 'b' || n, 'b' || n, 'b' || n, 'Bot ' || n, 400, false, 1, $2, false, 0
         from generate_series(1, $3::int) n`,
        values,
      ),
    make: async (owner) => owner.try('POST', '/bots', { full_name: 'One more', short_name: 'more' }),
  },
  channels: {
    refusal: `A user can make no more than ${COUNT_LIMITS.channels.most} channels.`,
    fill: async (server, ...values) =>
      run(
        server,
        `insert into channels
         select (jsonb_populate_record(c, jsonb_build_object(
           'id', 1000000 + n, 'name', 'c' || n, 'name_key', 'c' || n))).*
         from channels c, generate_series(2, $3::int) n where c.organization_id = $1 and c.creator_id = $2`,
        values,
      ),
    make: async (owner) => owner.try('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'more' }] }),
  },
  groups: {
    refusal: `A user can make no more than ${COUNT_LIMITS.groups.most} user groups.`,
    fill: async (server, ...values) =>
      run(
        server,
        `insert into user_groups
         select (jsonb_populate_record(g, jsonb_build_object('id', 1000000 + n, 'name', 'g' || n, 'name_key', 'g' || n))).*
         from user_groups g, generate_series(2, $3::int) n where g.organization_id = $1 and g.creator_id = $2`,
        values,
      ),
    make: async (owner) => owner.try('POST', '/user_groups/create', { name: 'more', description: '', members: [] }),
  },
}

it.each(Object.entries(MAKING))(
  'refuses more %s than one person may make, and changes nothing',
  async (name, making) => {
    const first = await startTestServer()
    const { id, host, owner } = await first.organization()
    await owner.subscribe(['first'])
    await owner.call('POST', '/user_groups/create', { name: 'first', description: '', members: [] })
    // Its keys are those of the table.
    const { most } = COUNT_LIMITS[name as keyof typeof COUNT_LIMITS]
    await making.fill(first, id, owner.id, most)
    // A server that starts now reads what is there.
    const second = await startTestServerOn(first.database)
    const there = new TestUser(second.parley.url, host, owner.email, owner.apiKey, owner.id)
    const look = await watch({ there })
    const { status, body } = await making.make(there)
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', making.refusal])
    expect(await look()).toEqual({ there: [] })
    await second.close()
    await first.close()
  },
)
