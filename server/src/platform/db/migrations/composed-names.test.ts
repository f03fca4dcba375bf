import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { objectsIn } from '../../../testing/json.ts'
import { startTestServer, startTestServerOn, type TestServer } from '../../../testing/server.ts'
import { TestUser } from '../../../testing/user.ts'
import { composedMessages, composedNames, spacedNames } from './2026-11-29.ts'

const NFC = 'Café'
const NFD = NFC.normalize('NFD')

let migratedServer: TestServer | undefined
afterEach(async () => migratedServer?.close())

/**
 * Rewrites rows in the form that earlier releases stored, and starts the server after the migration.
 * @returns the user on that server
 */
async function migrateServer(before: TestServer, user: TestUser, planted: readonly string[]): Promise<TestUser> {
  await before.close()
  const client = new pg.Client(before.database)
  await client.connect()
  for (const sql of planted) expect(await client.query(sql)).toMatchObject({ rowCount: 1 })
  for (const sql of [composedNames, composedMessages, spacedNames]) await client.query(sql)
  const { rows } = await client.query(`select name from channels where name_key is not normalized`)
  expect(rows).toEqual([])
  await client.end()
  migratedServer = await startTestServerOn(before.database)
  return new TestUser(migratedServer.parley.url, user.host, user.email, user.apiKey, user.id)
}

const renameSql = (table: string, from: string, to: string): string =>
  `update ${table} set name = '${to}', name_key = lower('${to}') where name = '${from}'`

it('converts stored names to NFC and adds numbers to names that become equal', async () => {
  const before = await startTestServer()
  const { owner } = await before.organization('Names')
  const long = 'a'.repeat(59)
  await owner.subscribe([NFC, 'taken', 'alone', `${NFC} (2)`, `${long}é`, 'long'])
  for (const name of [NFC, 'group']) {
    await owner.call('POST', '/user_groups/create', { name, description: '', members: [owner.id] })
  }
  for (const name of [NFC, 'folder']) await owner.call('POST', '/channel_folders/create', { name, description: '' })
  await owner.call('POST', '/users/me/alert_words', { alert_words: [NFC, 'word', 'other'] })
  const later = await migrateServer(before, owner, [
    renameSql('channels', 'taken', NFD),
    renameSql('channels', 'alone', 'Zürich'.normalize('NFD')),
    renameSql('channels', 'long', `${long}e\u0301`),
    renameSql('user_groups', 'group', NFD),
    renameSql('channel_folders', 'folder', NFD),
    `update organization_settings set name = '${NFD}' where name = 'Names'`,
    `update users set full_name = '${NFD}' where id = ${owner.id}`,
    `update alert_words set word = '${NFD}', word_key = lower('${NFD}') where word = 'word'`,
    `update alert_words set word = 'e\u0301', word_key = 'e\u0301' where word = 'other'`,
  ])
  const { state } = await later.register()
  const namesIn = (key: string): unknown[] => objectsIn(state[key]).map(({ name }) => name)
  const channels = [NFC, `${NFC} (2)`, `${NFC} (3)`, 'Zürich', `${long}é`, `${'a'.repeat(56)} (2)`]
  expect(namesIn('subscriptions')).toEqual(expect.arrayContaining(channels))
  expect(namesIn('realm_user_groups')).toEqual(expect.arrayContaining([NFC, `${NFC} (2)`]))
  expect(namesIn('channel_folders')).toEqual([NFC, `${NFC} (2)`])
  expect(state).toMatchObject({ realm_name: NFC, full_name: NFC, alert_words: [NFC, 'é'] })
  for (const channel of channels)
    expect(await later.send(channel.normalize('NFD'), 'hello', 'hello')).toBeGreaterThan(0)
})

it('keeps messages, read state, and policies of topics whose names become equal', async () => {
  const before = await startTestServer()
  const { owner, user } = await before.organization()
  const reader = await user('Reader')
  for (const one of [owner, reader]) await one.subscribe(['general'])
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'general' })
  const [first, second] = [await owner.send('general', NFC, 'one'), await owner.send('general', 'other', `zum ${NFD}`)]
  await reader.call('POST', '/mark_topic_as_read', { stream_id, topic_name: 'other' })
  const policies = [
    ['other', 1],
    [NFC, 3],
    ['none', 2],
    ['Zürich', 1],
  ] as const
  for (const [topic, visibility_policy] of policies) {
    await reader.call('POST', '/user_topics', { stream_id, topic, visibility_policy })
  }
  const policy = (from: string, to: string, at: number): string =>
    `update user_topics set topic_name = '${to}', name_key = lower('${to}'), last_updated = ${at}
     where topic_name = '${from}' and user_id = ${reader.id}`
  const later = await migrateServer(before, reader, [
    renameSql('topics', 'other', NFD),
    policy(NFC, NFC, 1),
    policy('other', NFD, 2),
    policy('Zürich', 'Zürich', 3),
    policy('none', 'Zürich'.normalize('NFD'), 4),
    `update messages set search = to_tsvector('parley_search', content) where id = ${second}`,
  ])
  const { state } = await later.register()
  expect(state['user_topics']).toMatchObject([
    { topic_name: NFC, visibility_policy: 3 },
    { topic_name: `${NFC} (2)`, visibility_policy: 1 },
    { topic_name: 'Zürich', visibility_policy: 2 },
  ])
  expect(state['unread_msgs']).toMatchObject({ streams: [{ topic: NFC, unread_message_ids: [first] }] })
  const narrow = [
    { operator: 'topic', operand: `${NFD} (2)` },
    { operator: 'search', operand: NFC },
  ]
  const { messages } = await later.call('GET', '/messages', { narrow, anchor: 'newest', num_before: 5, num_after: 0 })
  const found = {
    id: second,
    subject: `${NFC} (2)`,
    flags: ['read'],
    match_content: `<p>zum <span class="highlight">${NFD}</span></p>`,
  }
  expect(messages).toMatchObject([found])
})

it('adds numbers to names that differ only in spaces or in a final sigma', async () => {
  const before = await startTestServer()
  const { owner, user } = await before.organization()
  const reader = await user('Reader')
  for (const one of [owner, reader]) {
    await one.subscribe(['a b', 'taken', 'also taken', 'alone', 'ης'])
  }
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'a b' })
  const [first, second] = [await owner.send('a b', 'x y', 'one'), await owner.send('a b', 'other', 'two')]
  for (const [topic, visibility_policy] of [['x y', 3] as const, ['other', 1] as const]) {
    await reader.call('POST', '/user_topics', { stream_id, topic, visibility_policy })
  }
  await reader.call('POST', '/users/me/alert_words', { alert_words: ['on call', 'word'] })
  const later = await migrateServer(before, reader, [
    renameSql('channels', 'taken', 'A  b'),
    renameSql('channels', 'also taken', 'a\u3000b'),
    renameSql('channels', 'alone', 'c\u00a0d'),
    `update channels set name_key = 'ης' where name = 'ης'`,
    renameSql('topics', 'other', 'x\u00a0y'),
    `update user_topics set topic_name = 'x\u00a0y', name_key = 'x\u00a0y'
     where topic_name = 'other' and user_id = ${reader.id}`,
    `update alert_words set word = 'on  call', word_key = 'on  call' where word = 'word'`,
    `update users set delivery_email_key = 'ς@example.com' where id = ${owner.id}`,
  ])
  const { state } = await later.register()
  const channels = objectsIn(state['subscriptions']).map(({ name }) => name)
  expect(channels).toEqual(expect.arrayContaining(['a b', 'A b (2)', 'a b (3)', 'c\u00a0d', 'ης']))
  expect(state['user_topics']).toMatchObject([
    { topic_name: 'x y', visibility_policy: 3 },
    { topic_name: 'x y (2)', visibility_policy: 1 },
  ])
  expect(state['alert_words']).toEqual(['on call'])
  for (const channel of ['A\u2003b (2)', 'c d', 'ΗΣ']) expect(await later.send(channel, 'x', 'y')).toBeGreaterThan(0)
  const bySubject = async (topic: string): Promise<unknown> => {
    const narrow = [
      { operator: 'channel', operand: stream_id },
      { operator: 'topic', operand: topic },
    ]
    const { messages } = await later.call('GET', '/messages', { narrow, anchor: 'oldest', num_before: 0, num_after: 5 })
    return objectsIn(messages).map(({ id }) => id)
  }
  expect([await bySubject('x\u3000y'), await bySubject('X  y (2)')]).toEqual([[first], [second]])
})
