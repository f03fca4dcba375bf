/* Writes per-user data about messages: mentions, reactions, followed topics, reads, and stars. */
import { randomBelow, distinctIntegers, pick, skewedIndex } from './random.js'

/** @import { Random } from './random.js' @import { Size } from './shape.js' */
/** @import { People, Text } from './write.js' @import { Client } from 'pg' */

/** @param {Client} client @param {number} organization @param {readonly Text[]} texts */
export async function writePersonal(client, organization, texts) {
  const mentioning = texts.filter((text) => text.mentions !== null)
  await client.query(
    `insert into message_flags (organization_id, user_id, message_id, mentioned)
     select $1, t.mentions, m.id, true
     from messages m join generated_texts t on t.content = m.content
     left join channels c on c.organization_id = $1 and c.id = m.channel_id
     where m.organization_id = $1 and m.content = any($2::text[]) and (not c.invite_only
       or exists (select from subscriptions s where s.organization_id = $1 and s.user_id = t.mentions
                  and s.channel_id = m.channel_id and s.periods @> m.id)
       or exists (select from conversations v where v.organization_id = $1 and v.topic_id = m.topic_id
                  and m.channel_id is null and t.mentions = any(v.member_ids)))`,
    [organization, mentioning.map((text) => text.content)],
  )
  await client.query(
    `insert into reactions (organization_id, message_id, reaction_type, emoji_code, user_id, emoji_name, position)
     select $1, m.id, 'unicode_emoji', '1f44d', coalesce(next.sender_id, m.sender_id), '+1', m.id
     from messages m left join messages next on next.organization_id = $1 and next.id = m.id + 1 and next.topic_id = m.topic_id
     where m.organization_id = $1 and m.id % 20 = 0`,
    [organization],
  )
  // People follow the topics that they start.
  await client.query(
    `insert into user_topics (organization_id, user_id, channel_id, name_key, topic_name, visibility_policy, last_updated)
     select $1, m.sender_id, t.channel_id, t.name_key, t.name, 3, m.date_sent
     from topics t join messages m on m.organization_id = $1 and m.id = t.first_id
     where t.organization_id = $1 and t.channel_id is not null`,
    [organization],
  )
  await client.query('drop table generated_texts')
}

/**
 * Marks topics as read by each author, up to the author's last message. Most people have also read nearly everything.
 * @param {Client} client @param {Random} random @param {number} organization @param {number} end @param {People} people
 * @param {Size} size
 */
export async function writeReads(client, random, organization, end, people, size) {
  await client.query(
    `insert into topic_reads (organization_id, user_id, topic_id, read)
     select $1, sender_id, topic_id, int8multirange(int8range(0, max(id) + 1)) from messages
     where organization_id = $1 group by 2, 3 order by 2, 3`,
    [organization],
  )
  const readers = people.ids
    .map((id) => {
      const kind = random()
      const behind =
        kind < 0.75 ? skewedIndex(random, size.messages / 250, 3) : randomBelow(random, Math.ceil(size.messages / 7))
      return { id, isReader: kind < 0.95, readTo: end - Math.floor(behind) }
    })
    .filter(({ isReader }) => isReader)
  await client.query(
    `insert into user_reads (organization_id, user_id, read)
     select $1, user_id, int8multirange(int8range(0, read_to)) from unnest($2::bigint[], $3::bigint[]) as one(user_id, read_to)`,
    [organization, readers.map(({ id }) => id), readers.map(({ readTo }) => readTo)],
  )
  // Half of the readers have also read all messages of a few topics.
  const sample = distinctIntegers(random, readers.length, Math.floor(readers.length / 2)).map((index) =>
    pick(random, readers.slice(index, index + 1)),
  )
  await client.query(
    `insert into topic_reads (organization_id, user_id, topic_id, read)
     select $1, one.user_id, newest.id, int8multirange(int8range(0, newest.max_id + 1))
     from unnest($2::bigint[], $3::bigint[]) as one(user_id, read_to)
     join subscriptions s on s.organization_id = $1 and s.user_id = one.user_id and upper_inf(s.periods)
     cross join lateral (select t.id, t.max_id from topics t where t.organization_id = $1 and t.channel_id = s.channel_id
       and t.max_id >= read_to order by t.max_id desc limit 3) newest
     on conflict (organization_id, user_id, topic_id) do update set read = excluded.read`,
    [organization, sample.map(({ id }) => id), sample.map(({ readTo }) => readTo)],
  )
}

/**
 * Leaves a user with `count` unread messages, or with all messages unread if there are fewer.
 * @param {Client} client @param {number} organization @param {number} userId @param {number} count
 * @returns {Promise<number>} the actual number
 */
export async function leaveMessagesUnread(client, organization, userId, count) {
  await client.query('delete from topic_reads where organization_id = $1 and user_id = $2', [organization, userId])
  const { rows } = await client.query(
    `with unread as (
       select m.id from messages m where m.organization_id = $1 and (exists (
         select from subscriptions s cross join lateral unnest(s.periods) as period
         where s.organization_id = $1 and s.user_id = $2 and s.channel_id = m.channel_id
         and upper_inf(period) and lower(period) <= m.id)
       or m.topic_id in (select v.topic_id from conversation_members p join conversations v
         on v.organization_id = $1 and v.id = p.conversation_id where p.organization_id = $1 and p.user_id = $2))
       order by m.id desc limit $3),
     read as (
       insert into user_reads as r (organization_id, user_id, read)
       select $1, $2, int8multirange(int8range(0, min(id))) from unread having count(*) > 0
       on conflict (organization_id, user_id) do update set read = excluded.read)
     select count(*)::int as count from unread`,
    [organization, userId, count],
  )
  return Number(rows[0].count)
}
