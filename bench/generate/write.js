/* Writes an organization's shape into the product's tables in bulk, with the rows that sending would create. */
import { setTimeout as sleep } from 'node:timers/promises'
import { writeBatches, advanceLog, SESSION_SETTINGS, runOnTwoConnections } from './bulk.js'
import { leaveMessagesUnread, writePersonal, writeReads } from './personal.js'
import { ACTIVE_PERSON, TALKATIVE_PERSON } from './shape.js'
import { channelName, personName, topicName } from './words.js'

/** @import { Random } from './random.js' @import { Shape, Size } from './shape.js' @import { Client } from 'pg' */

/** @typedef {{ ids: number[], channelIds: number[], channelNames: string[] }} People by index */
/** @typedef {{ content: string, rendered: string, mentions: number | null }} Text `mentions`: a user ID */
/** @typedef {{ id: number, email: string, key: string }} Person */

/**
 * Accounts and IDs for measurements.
 * @typedef {object} Landmarks
 * @property {Person} active with many channels, mentions, and stars
 * @property {number} unread number of the active person's unread messages
 * @property {Person[]} behind people with `behindBy` unread messages
 * @property {number} behindBy
 * @property {Person[]} others people with few unread messages
 * @property {number} sender ID of a frequent author, who also writes to the active person
 * @property {string} channel name of the channel that contains the topics
 * @property {number} channelId
 * @property {string} topic a topic of about 100 messages
 * @property {{ name: string, messages: number, newest: number } | null} longTopic
 * @property {{ name: string, messages: number, newest: number }} shortTopic
 * @property {number} position of the newest message
 */

/** About as many messages as an active person receives in a few days. */
const ACTIVE_PERSON_UNREAD = 3_000
/** Clients list at most this many unread messages. */
const BACKLOG_MESSAGES = 50_000
const PEOPLE_WITH_BACKLOG = 24
const OTHER_PEOPLE = 200
const ACTIVE_PERSON_STARRED = 500
const AWAY_SECONDS = 60 * 86_400
const INDEXING_POLL_MILLISECONDS = 200

/** @param {Client} client @returns {Promise<{ organization: number, position: number }>} */
async function readOrganization(client) {
  const { rows } = await client.query('select id, position from organizations')
  return { organization: Number(rows[0].id), position: Number(rows[0].position) }
}

/**
 * @param {Client} client @param {Random} random @param {Size} size @param {Shape} shape
 * @param {number} sample the user to copy @param {number} now UNIX seconds @returns {Promise<People>}
 */
export async function writePeople(client, random, size, shape, sample, now) {
  await client.query(SESSION_SETTINGS)
  const { organization, position } = await readOrganization(client)
  const indexes = Array.from({ length: size.users }, (_, index) => index)
  const ids = indexes.map((index) => position + 1 + index)
  const names = indexes.map(personName)
  const joined = now - 3 * 365 * 86_400
  await client.query(
    `insert into users select made.* from users s,
       unnest($3::bigint[], $4::text[], $5::text[]) as one(user_id, name, address)
     cross join lateral jsonb_populate_record(s, jsonb_build_object('id', user_id, 'full_name', name, 'email', address,
       'email_key', address, 'delivery_email', address, 'delivery_email_key', address, 'date_joined', $6::bigint)) made
     where s.organization_id = $1 and s.id = $2`,
    [organization, sample, ids, names, names.map((name, index) => emailOf(name, index)), joined],
  )
  await client.query(
    `insert into credentials (organization_id, user_id, api_key)
     select $1, * from unnest($2::bigint[], $3::text[])`,
    [organization, ids, indexes.map(apiKeyOf)],
  )
  await client.query(
    `insert into group_members (organization_id, group_id, user_id)
     select $1, group_id, id from group_members cross join unnest($3::bigint[]) as id
     where organization_id = $1 and user_id = $2`,
    [organization, sample, ids],
  )
  await client.query(
    `insert into presences (organization_id, user_id, active_at, idle_at, update_id)
     select $1, id, $3 - n * 60, $3 - n * 60, n from unnest($2::bigint[]) with ordinality as one(id, n) where n % 3 = 0`,
    [organization, ids, now],
  )
  // Two of three people have not been active for weeks.
  await client.query(
    `insert into user_activity (organization_id, user_id, noted_at)
     select $1, id, $3 - case when n % 3 = 0 then n * 60 else $4 end from unnest($2::bigint[]) with ordinality as one(id, n)`,
    [organization, ids, now, AWAY_SECONDS],
  )
  await client.query('insert into presence_clocks (organization_id, last_update_id) values ($1, $2)', [
    organization,
    size.users,
  ])
  const channelIds = shape.isPrivate.map((_, index) => position + size.users + 1 + index)
  const channelNames = shape.isPrivate.map((_, index) => channelName(random, index))
  await client.query(
    `insert into channels select made.* from unnest($2::bigint[], $3::text[], $4::boolean[]) as one(channel_id, name, is_private)
     join channels c on c.organization_id = $1 and c.name = case when is_private then 'private sample' else 'sample' end
     cross join lateral jsonb_populate_record(c, jsonb_build_object('id', channel_id, 'name', one.name, 'name_key', one.name,
       'date_created', $5::bigint, 'creator_id', c.creator_id)) made`,
    [organization, channelIds, channelNames, shape.isPrivate, joined],
  )
  await advanceLog(client, organization, position + size.users + size.channels + 1, now)
  return { ids, channelIds, channelNames }
}

/** @param {string} name @param {number} index */
function emailOf(name, index) {
  return `${name.toLowerCase().replace(/[^a-z0-9]+/g, '.')}.${index}@example.com`
}

/** @param {number} index */
function apiKeyOf(index) {
  return `generated${String(index).padStart(23, '0')}`
}

/**
 * @param {Client} client @param {Random} random @param {Size} size @param {Shape} shape @param {People} people
 * @param {readonly Text[]} texts @param {number} now UNIX seconds @returns {Promise<Landmarks>}
 */
export async function writeHistory(client, random, size, shape, people, texts, now) {
  await client.query(SESSION_SETTINGS)
  const { organization, position } = await readOrganization(client)
  const begin = position + size.channels
  const firstMessage = begin + shape.conversations.length + 1
  const end = firstMessage + size.messages
  /** @param {number} user */
  const idOf = (user) => people.ids[user] ?? 0

  const joins = shape.memberships.map(({ joinedAt, channel }) =>
    joinedAt === 0 ? position + 1 + channel : firstMessage + joinedAt,
  )
  await writeBatches(shape.memberships.length, (from, to) => {
    const part = shape.memberships.slice(from, to)
    return client.query(
      `insert into subscriptions (organization_id, user_id, channel_id, periods, color)
       select $1, user_id, channel_id, int8multirange(int8range(since, until)), '#76ce90'
       from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) as one(user_id, channel_id, since, until)`,
      [
        organization,
        part.map(({ user }) => idOf(user)),
        part.map(({ channel }) => people.channelIds[channel] ?? 0),
        joins.slice(from, to),
        part.map(({ leftAt }) => (leftAt === null ? null : firstMessage + leftAt)),
      ],
    )
  })

  const topics = await writeTopics(client, random, organization, shape, people, begin + 1, firstMessage)
  await writeMessages(client, organization, shape, people, topics, texts, firstMessage)
  await writePersonal(client, organization, texts)
  await writeReads(client, random, organization, end, people, size)
  const active = idOf(ACTIVE_PERSON)
  await client.query(
    `insert into message_flags as f (organization_id, user_id, message_id, starred)
     select $1, $2, m.id, true from messages m
     join subscriptions s on s.organization_id = $1 and s.user_id = $2 and s.channel_id = m.channel_id
     where m.organization_id = $1 and s.periods @> m.id and m.id % $3 = 0 order by m.id limit $4
     on conflict (organization_id, user_id, message_id) do update set starred = true`,
    [organization, active, Math.max(1, Math.floor(size.messages / ACTIVE_PERSON_STARRED / 3)), ACTIVE_PERSON_STARRED],
  )
  await client.query(
    `update channels c set first_message_id = (select m.id from messages m
       where m.organization_id = $1 and m.channel_id = c.id order by m.id limit 1) where c.organization_id = $1`,
    [organization],
  )
  // Until `channel_traffic_counted` has a row for the organization, the running server also counts these messages.
  await client.query('begin')
  // Takes locks in the same order as the server, to prevent deadlocks.
  await client.query('select from organizations where id = $1 for update', [organization])
  await client.query(
    `insert into channel_traffic_counted values ($1, $2, $3)
     on conflict (organization_id) do update set counted_to = excluded.counted_to, counted_on = excluded.counted_on`,
    [organization, end, Math.floor(now / 86_400)],
  )
  await client.query(
    `insert into channel_traffic (organization_id, channel_id, day, messages)
     select $1, channel_id, date_sent / 86400, count(*) from messages
     where organization_id = $1 and channel_id is not null and date_sent / 86400 >= $2 group by 2, 3
     on conflict (organization_id, channel_id, day) do update set messages = excluded.messages`,
    [organization, Math.floor(now / 86_400) - 28],
  )
  await client.query('commit')
  await advanceLog(client, organization, end, now)
  await client.query('vacuum (analyze)')

  const unread = await leaveMessagesUnread(client, organization, active, ACTIVE_PERSON_UNREAD)
  const behind = Array.from(
    { length: Math.min(PEOPLE_WITH_BACKLOG, Math.floor(size.users / 10)) },
    (_, index) => index + 2,
  )
  let behindBy = Infinity
  for (const user of behind) {
    behindBy = Math.min(behindBy, await leaveMessagesUnread(client, organization, idOf(user), BACKLOG_MESSAGES))
  }
  await client.query('checkpoint')

  /** @param {number} user @returns {Person} */
  const personOf = (user) => ({ id: idOf(user), email: emailOf(personName(user), user), key: apiKeyOf(user) })
  const [second = 0] = people.channelIds.slice(Math.min(1, size.channels - 1))
  const newest = summarizeTopics(shape)
  /** @param {number} topic */
  const topicOf = (topic) => ({
    name: topics.names[topic] ?? '',
    messages: newest.get(topic)?.messages ?? 0,
    newest: firstMessage + (newest.get(topic)?.index ?? 0),
  })
  return {
    active: personOf(ACTIVE_PERSON),
    unread,
    behind: behind.map(personOf),
    behindBy: behind.length === 0 ? 0 : behindBy,
    others: Array.from({ length: Math.min(OTHER_PEOPLE, size.users - behind.length - 2) }, (_, index) =>
      personOf(behind.length + 2 + index),
    ),
    sender: idOf(TALKATIVE_PERSON),
    channel: people.channelNames[Math.min(1, size.channels - 1)] ?? '',
    channelId: second,
    topic: topics.names[shape.known.shortTopic] ?? '',
    longTopic: shape.known.longTopic < 0 ? null : topicOf(shape.known.longTopic),
    shortTopic: topicOf(shape.known.shortTopic),
    position: end - 1,
  }
}

/** Message count and newest message by topic. @param {Shape} shape */
function summarizeTopics({ messages }) {
  /** @type {Map<number, { messages: number, index: number }>} */
  const found = new Map()
  for (const [index, topic] of messages.topic.entries()) {
    const known = found.get(topic)
    if (known === undefined) found.set(topic, { messages: 1, index })
    else {
      known.messages += 1
      known.index = index
    }
  }
  return found
}

/**
 * @param {Client} client @param {Random} random @param {number} organization @param {Shape} shape
 * @param {People} people @param {number} firstConversation ID @param {number} firstMessage ID
 */
async function writeTopics(client, random, organization, shape, people, firstConversation, firstMessage) {
  const { rows } = await client.query('select coalesce(max(id), 0)::int as id from topics')
  const first = Number(rows[0].id) + 1
  const count = shape.topics.length
  const [firstIds, maxIds, previousIds] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)]
  for (const [index, topic] of shape.messages.topic.entries()) {
    const id = firstMessage + index
    if (firstIds[topic] === 0) firstIds[topic] = id
    previousIds[topic] = maxIds[topic] ?? 0
    maxIds[topic] = id
  }
  const names = shape.topics.map(({ channel }, index) => (channel === null ? '' : topicName(random, index)))
  // A topic exists only if it has messages; a conversation can be empty.
  const written = shape.topics
    .map((topic, index) => ({ ...topic, index }))
    .filter(({ channel, index }) => channel === null || maxIds[index] !== 0)
  await writeBatches(written.length, (from, to) => {
    const part = written.slice(from, to)
    const bounds = part.map(({ conversation, index }) => {
      const start = conversation === null ? (firstIds[index] ?? 0) : firstConversation + conversation
      return { start, end: Math.max(start, maxIds[index] ?? 0), previous: previousIds[index] ?? 0 }
    })
    return client.query(
      `insert into topics (organization_id, id, channel_id, name, name_key, first_id, max_id, previous_id)
       overriding system value
       select $1, * from unnest($2::bigint[], $3::bigint[], $4::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[])`,
      [
        organization,
        part.map(({ index }) => first + index),
        part.map(({ channel }) => (channel === null ? null : (people.channelIds[channel] ?? 0))),
        part.map(({ index }) => names[index] ?? ''),
        bounds.map(({ start }) => start),
        bounds.map(({ end }) => end),
        bounds.map(({ previous, start }) => (previous === 0 && start > firstMessage ? 0 : previous)),
      ],
    )
  })
  await client.query("select setval(pg_get_serial_sequence('topics', 'id'), $1)", [first + count])
  await client.query(
    `insert into topic_words
     select organization_id, id, message_words(name), to_tsvector('simple', name) from topics
     where organization_id = $1 and id >= $2 and channel_id is not null`,
    [organization, first],
  )
  await client.query(
    `insert into search_words
     select distinct on (word) $1::bigint, word, word_stems(word, 'en'), 'en'
     from topic_words cross join unnest(tsvector_to_array(terms)) as word
     where organization_id = $1 and length(word) > 2
     on conflict do nothing`,
    [organization],
  )
  const talks = shape.topics.map((topic, index) => ({ ...topic, index })).filter((topic) => topic.conversation !== null)
  await writeBatches(talks.length, async (from, to) => {
    const part = talks.slice(from, to)
    const ids = part.map(({ conversation }) => firstConversation + (conversation ?? 0))
    const members = part.map(({ conversation }) =>
      (shape.conversations[conversation ?? 0] ?? []).map((user) => people.ids[user] ?? 0),
    )
    await client.query(
      `insert into conversations (organization_id, id, member_ids, topic_id)
       select $1, id, members::bigint[], topic_id from unnest($2::bigint[], $3::text[], $4::bigint[]) as one(id, members, topic_id)`,
      [organization, ids, members.map((one) => `{${one.join()}}`), part.map(({ index }) => first + index)],
    )
    await client.query(
      `insert into conversation_members (organization_id, user_id, conversation_id)
       select $1, * from unnest($2::bigint[], $3::bigint[])`,
      [organization, members.flat(), members.flatMap((one, index) => one.map(() => ids[index] ?? 0))],
    )
  })
  return { first, names }
}

/**
 * @param {Client} client @param {number} organization @param {Shape} shape @param {People} people
 * @param {{ first: number }} topics @param {readonly Text[]} texts @param {number} firstMessage ID
 */
async function writeMessages(client, organization, shape, people, topics, texts, firstMessage) {
  await client.query(
    'create unlogged table generated_texts (n int primary key, content text, rendered text, mentions bigint, terms tsvector)',
  )
  await indexByProduct(client, organization, texts)
  await client.query(
    `insert into generated_texts
     select one.n - 1, m.content, m.rendered_content, one.mentions, m.terms
     from unnest($2::bigint[]) with ordinality as one(mentions, n)
     join messages m on m.organization_id = $1 and m.id = -one.n`,
    [organization, texts.map(({ mentions }) => mentions)],
  )
  await client.query('delete from messages where organization_id = $1 and id < 0', [organization])
  // Drops indexes except the primary key: recreating them after the insert is much faster than updating them.
  /** @type {import('pg').QueryResult<{ name: string, definition: string }>} */
  const { rows: indexes } = await client.query(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = 'messages'::regclass and not indisprimary`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const { topic, sender, text, sentAt } = shape.messages
  const places = shape.topics.map(({ channel }) => (channel === null ? null : (people.channelIds[channel] ?? 0)))
  await runOnTwoConnections(client, async (writer, number) => {
    await writeBatches(
      topic.length,
      async (from, to) => {
        const rows = Array.from({ length: to - from }, (_, index) => from + index)
        await writer.query(
          `insert into messages (organization_id, id, channel_id, topic_id, sender_id, content, rendered_content, date_sent, client, terms)
         select $1, $2 + place - 1, channel_id, topic_id, sender_id, t.content, t.rendered, sent_at, 'website', t.terms
         from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::int[], $7::bigint[]) with ordinality
           as one(channel_id, topic_id, sender_id, text, sent_at, place)
         join generated_texts t on t.n = one.text order by place`,
          [
            organization,
            firstMessage + from,
            rows.map((row) => places[topic[row] ?? 0] ?? null),
            rows.map((row) => topics.first + (topic[row] ?? 0)),
            rows.map((row) => people.ids[sender[row] ?? 0] ?? 0),
            rows.map((row) => text[row] ?? 0),
            rows.map((row) => sentAt[row] ?? 0),
          ],
        )
      },
      number,
    )
  })
  // Splits the work evenly: the search index takes as long as all other indexes together.
  const [search, others] = [true, false].map((isGin) =>
    indexes.filter(({ definition }) => definition.includes(' gin ') === isGin),
  )
  await runOnTwoConnections(client, async (writer, number) => {
    for (const { definition } of (number === 0 ? search : others) ?? []) await writer.query(definition)
  })
  await client.query('analyze messages')
}

/**
 * Writes texts as messages with negative IDs, and waits until the running product has indexed them for search.
 * @param {Client} client @param {number} organization @param {readonly Text[]} texts
 */
async function indexByProduct(client, organization, texts) {
  await client.query(
    `insert into messages (organization_id, id, topic_id, sender_id, content, rendered_content, date_sent, client)
     select $1, -n, 0, 0, content, rendered, 0, '' from unnest($2::text[], $3::text[]) with ordinality
       as one(content, rendered, n)`,
    [organization, texts.map(({ content }) => content), texts.map(({ rendered }) => rendered)],
  )
  for (;;) {
    const { rowCount } = await client.query(
      'select from messages where organization_id = $1 and terms is null limit 1',
      [organization],
    )
    if (rowCount === 0) return
    await sleep(INDEXING_POLL_MILLISECONDS)
  }
}
