import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { COUNT_LIMITS } from '../kernel/limits.ts'
import { sendFiles } from './files.ts'
import { startTestServer, startTestServerOn, type TestServer } from './server.ts'
import { TestUser, type Answer } from './user.ts'
import { watch } from './watch.ts'

/** Of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

interface Making {
  readonly refusal: string
  /** Puts as many rows there as may be, without asking for each. */
  fill(server: TestServer, organizationId: number, ownerId: number, most: number): Promise<void>
  make(owner: TestUser, other: TestUser): Promise<Answer>
}

async function run(server: TestServer, text: string, values: readonly unknown[]): Promise<void> {
  await server.parley.database.pool.query(text, [...values])
}

/** Makes bots of an owner, whose ids are above a million. */
async function addBots(server: TestServer, organizationId: number, ownerId: number, count: number): Promise<void> {
  await run(
    server,
    `insert into users (organization_id, id, email, email_key, delivery_email, delivery_email_key, full_name, role,
       is_active, bot_type, bot_owner_id, is_system_bot, date_joined)
     select $1, 1000000 + n, 'b' || n, 'b' || n, 'b' || n, 'b' || n, 'Bot ' || n, 400, false, 1, $2, false, 0
     from generate_series(1, $3::int) n`,
    [organizationId, ownerId, count],
  )
}

const MAKING: Readonly<Record<string, Making>> = {
  bots: {
    refusal: `A person can own no more than ${COUNT_LIMITS.bots.most} bots.`,
    fill: addBots,
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
  alertWords: {
    refusal: `No more than ${COUNT_LIMITS.alertWords.most} alert words can be kept.`,
    fill: async (server, ...values) =>
      run(
        server,
        `insert into alert_words (organization_id, user_id, word_key, word, id)
         select $1, $2, 'w' || n, 'w' || n, 1000000 + n from generate_series(1, $3::int) n`,
        values,
      ),
    make: async (owner) => owner.try('POST', '/users/me/alert_words', { alert_words: ['more'] }),
  },
  mutedUsers: {
    refusal: `No more than ${COUNT_LIMITS.mutedUsers.most} users can be muted.`,
    fill: async (server, ...values) => {
      await addBots(server, ...values)
      await run(
        server,
        `insert into muted_users (organization_id, user_id, muted_user_id, date_muted, id)
         select $1, $2, 1000000 + n, 0, 1000000 + n from generate_series(1, $3::int) n`,
        values,
      )
    },
    make: async (owner, other) => owner.try('POST', `/users/me/muted_users/${other.id}`),
  },
  emailDomains: {
    refusal: `No more than ${COUNT_LIMITS.emailDomains.most} domains can be added.`,
    fill: async (server, organizationId, _, most) =>
      run(
        server,
        `insert into realm_domains (organization_id, id, domain, allow_subdomains)
         select $1, 1000000 + n, 'd' || n || '.example.org', false from generate_series(1, $2::int) n`,
        [organizationId, most],
      ),
    make: async (owner) => owner.try('POST', '/realm/domains', { domain: 'more.example.org', allow_subdomains: false }),
  },
  customEmoji: {
    refusal: `An organization can have no more than ${COUNT_LIMITS.customEmoji.most} emoji of its own.`,
    fill: async (server, ...values) =>
      run(
        server,
        `insert into realm_emoji (organization_id, id, author_id, name, file, is_animated, deactivated)
         select $1, 1000000 + n, $2, 'e' || n, '', false, false from generate_series(1, $3::int) n`,
        values,
      ),
    make: async (owner) => sendFiles(owner, '/realm/emoji/more', [{ name: 'x.png', content: PICTURE }]),
  },
  scheduledMessages: {
    refusal: `No more than ${COUNT_LIMITS.scheduledMessages.most} messages can be scheduled.`,
    fill: async (server, ...values) =>
      run(
        server,
        `insert into scheduled_messages (organization_id, id, user_id, member_ids, topic, content, rendered_content,
           delivery_at, read_by_sender, client, failed)
         select $1, 1000000 + n, $2, array[$2::bigint], '', 'x', '', 4000000000, true, '', false
         from generate_series(1, $3::int) n`,
        values,
      ),
    make: async (owner) =>
      owner.try('POST', '/scheduled_messages', {
        type: 'direct',
        to: [owner.id],
        content: 'One more',
        scheduled_delivery_timestamp: 4_000_000_000,
      }),
  },
}

/** Limits that the tests of their capability reach, by its folder. */
const TESTED_THERE: Readonly<Record<string, string>> = {
  eventQueues: 'queues/limits',
  drafts: 'drafts/drafts',
  reminders: 'reminders/reminders',
  savedSnippets: 'snippets/snippets',
  keptCharacters: 'drafts/drafts',
  navigationViews: 'navigation-views/navigation-views',
  topicSettings: 'user-topics/user-topics',
  storedKeys: 'bots/storage',
  storedCharacters: 'bots/storage',
  linkifiers: 'linkifiers/linkifiers',
  playgrounds: 'playgrounds/playgrounds',
  profileFields: 'users/profile',
  channelFolders: 'channel-folders/channel-folders',
  emojiOfMessage: 'reactions/reactions',
  submessages: 'messages/submessages',
}

it('knows a test of each limit', () => {
  expect([...Object.keys(MAKING), ...Object.keys(TESTED_THERE)].toSorted()).toEqual(
    Object.keys(COUNT_LIMITS).toSorted(),
  )
  for (const name of Object.values(TESTED_THERE)) {
    expect([name, existsSync(join(import.meta.dirname, '../capabilities', `${name}.test.ts`))]).toEqual([name, true])
  }
})

it.each(Object.entries(MAKING))(
  'refuses more %s than one person may make, and changes nothing',
  async (name, making) => {
    const first = await startTestServer()
    const { id, host, owner, user } = await first.organization()
    const other = await user('Otto Other')
    await owner.subscribe(['first'])
    await owner.call('POST', '/user_groups/create', { name: 'first', description: '', members: [] })
    // Its keys are those of the table.
    const { most } = COUNT_LIMITS[name as keyof typeof COUNT_LIMITS]
    await making.fill(first, id, owner.id, most)
    // A server that starts now reads what is there.
    const second = await startTestServerOn(first.database)
    const there = new TestUser(second.parley.url, host, owner.email, owner.apiKey, owner.id)
    const look = await watch({ there })
    const { status, body } = await making.make(there, other)
    expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', making.refusal])
    expect(await look()).toEqual({ there: [] })
    await second.close()
    await first.close()
  },
)
