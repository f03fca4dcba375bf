/*
 * Checks that organizations could be distributed over database servers, as with Citus: each table has an organization
 * column, and each key starts with it. `requireOrganizationInStatements` checks statements in other tests.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from './server.ts'
import { keysWithoutOrganization, ownerColumns, tablesLookedThrough, tablesWithoutOrganization } from './whose-rows.ts'

let server: TestServer
let client: pg.Client

beforeAll(async () => {
  server = await startTestServer()
  client = new pg.Client(server.database)
  await client.connect()
})

afterAll(async () => {
  await client.end()
  await server.close()
})

async function withTemporaryChange<Result>(sql: string, look: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    await client.query(sql)
    return await look()
  } finally {
    await client.query('rollback')
  }
}

describe('tables of organizations', () => {
  it('finds an organization column in every table except listed tables', async () => {
    expect(await tablesWithoutOrganization(client)).toEqual([])
  })

  it.each([
    ['create table planted (id bigint primary key)', 'planted has no organization_id'],
    ['create table planted (id bigint, organization_id bigint)', 'planted.organization_id is nullable'],
    ['drop table setup_links', 'setup_links is not a table: remove its exception'],
  ])('detects a table that violates the rule: %s', async (sql, caught) => {
    expect(await withTemporaryChange(sql, async () => tablesWithoutOrganization(client))).toEqual([caught])
  })
})

describe('keys of organizations', () => {
  it('starts every key and foreign key with the organization column', async () => {
    expect(await keysWithoutOrganization(client)).toEqual([])
  })

  it.each([
    [
      'create table planted (organization_id bigint not null, id bigint primary key)',
      'planted_pkey of planted does not start with organization_id',
    ],
    [
      'create table planted (organization_id bigint not null, id bigint, primary key (id, organization_id))',
      'planted_pkey of planted does not start with organization_id',
    ],
    [
      'create unique index planted on reminders (delivery_at) where not failed',
      'planted of reminders does not start with organization_id',
    ],
    [
      'create unique index planted on reminders ((organization_id + 1))',
      'planted of reminders does not start with organization_id',
    ],
    [
      'alter table users add constraint planted foreign key (bot_owner_id, organization_id) references users (id, organization_id)',
      'planted of users does not start with organization_id',
    ],
    [
      'alter table reminders add constraint planted foreign key (user_id) references organizations (id)',
      'planted of reminders does not start with organization_id',
    ],
    ['drop index imports_begun', 'imports_begun is not a key: remove its exception'],
  ])('detects a key that violates the rule: %s', async (sql, caught) => {
    // Columns of a referenced key can be in any order.
    const unique = 'alter table users add constraint planted_of_users unique (organization_id, id)'
    const found = await withTemporaryChange(
      sql.includes('references users (id') ? `${unique}; ${sql}` : sql,
      async () => keysWithoutOrganization(client),
    )
    expect(found).toEqual([caught])
  })
})

describe('statements for organizations', () => {
  const lookedThrough = async (sql: string): Promise<readonly string[]> =>
    tablesLookedThrough(client, await ownerColumns(client), sql)

  it.each([
    'select content from messages where organization_id = $1 and id = any($2)',
    'select m.id from messages m join users u on u.organization_id = m.organization_id and u.id = m.sender_id where u.organization_id = $1',
    'with place as (select organization_id, id from topics where organization_id = $1 and id = $2) select m.id from place p join messages m on m.organization_id = p.organization_id and m.topic_id = p.id',
    'select r.id from unnest($1::bigint[]) as o (id) cross join lateral (select id from reminders r where r.organization_id = o.id order by id limit 1) r',
    'update reminders set failed = true where organization_id = $1 and id = $2',
    'insert into alert_words (organization_id, user_id, word_key, word, id) values ($1, $2, $3, $4, $5)',
    'update organizations set position = position + 1 where id = $1',
  ])('accepts a statement restricted to an organization: %s', async (sql) => {
    expect(await lookedThrough(sql)).toEqual([])
  })

  it.each([
    ['select content from messages where id = $1', ['messages']],
    ['select content from messages where organization_id > $1', ['messages']],
    ['select content from messages where organization_id = $1 or id = $2', ['messages']],
    ['select content from messages where not (organization_id = $1 and id = $2)', ['messages']],
    ['select content from messages where case when organization_id = $1 then true else id = $2 end', ['messages']],
    [`select content from messages where content = ' AND messages.organization_id = $1'`, ['messages']],
    ['delete from drafts where user_id = $1', ['drafts']],
    ['update reminders set failed = true where id = $1', ['reminders']],
    [
      'select m.id from messages m join users u on u.organization_id = m.organization_id and u.id = m.sender_id where u.role = $1',
      ['messages', 'users'],
    ],
    [
      'select m.id from messages m join topics t on t.id = m.topic_id where m.organization_id = $1 and t.max_id > $2',
      ['topics'],
    ],
    ['insert into alert_words select organization_id, id, $1, $1, 1 from users where role = $2', ['users']],
    ['select (select count(*) from channels) from users where organization_id = $1', ['channels']],
    ['select id from organizations where string_id = $1', ['organizations']],
  ])('detects a statement without an organization: %s', async (sql, tables) => {
    const found = await lookedThrough(sql)
    expect(found.toSorted()).toEqual(tables)
  })
})
