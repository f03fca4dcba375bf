import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import { execute } from '../../platform/db/database.ts'

/*
 * Read state in two levels, both multiranges of positions: what a user has read of everything, and of each topic. In
 * a topic a message owns the interval from the previous message of the topic to itself, so neighbours merge. A message
 * is unread when it was sent during the user's present subscription (or directly) and neither level covers it.
 */

/** Ids listed at most; who has more is told that older ones are missing. */
export const MAX_UNREAD_LISTED = 50_000

export interface UnreadTopic {
  readonly topic_id: number
  /** Null for direct conversations. */
  readonly channel_id: number | null
  readonly name: string
  readonly member_ids: readonly number[] | null
  readonly ids: readonly number[]
}

/** All unread messages of a user, by topic and conversation, the newest `MAX_UNREAD_LISTED`. */
export async function unreadByTopic(
  db: Kysely<Tables>,
  organizationId: number,
  userId: number,
): Promise<UnreadTopic[]> {
  return execute<UnreadTopic>(
    db,
    `with mine as materialized (
       select coalesce((select read from user_reads where organization_id = $1 and user_id = $2), '{}') as read),
     open as materialized (
       select s.channel_id, int8multirange(int8range(lower(range), null)) - mine.read as span
       from mine cross join subscriptions s cross join lateral unnest(s.periods) as range
       where s.organization_id = $1 and s.user_id = $2 and upper_inf(range)),
     candidate as materialized (
       select t.id, t.channel_id, t.name, null::bigint[] as member_ids,
              open.span * int8multirange(int8range(t.first_id, t.max_id + 1)) - coalesce(r.read, '{}') as unread
       from open
       join topics t on t.organization_id = $1 and t.channel_id = open.channel_id and t.max_id >= lower(open.span)
       left join topic_reads r on r.organization_id = $1 and r.user_id = $2 and r.topic_id = t.id
       where not isempty(open.span)
       union all
       select t.id, null, t.name, c.member_ids,
              int8multirange(int8range(t.first_id, t.max_id + 1)) - mine.read - coalesce(r.read, '{}')
       from mine cross join conversation_members m
       join conversations c on c.organization_id = $1 and c.id = m.conversation_id
       join topics t on t.organization_id = $1 and t.id = c.topic_id
       left join topic_reads r on r.organization_id = $1 and r.user_id = $2 and r.topic_id = t.id
       where m.organization_id = $1 and m.user_id = $2),
     found as materialized (
       select candidate.id as topic_id, m.id
       from candidate cross join lateral unnest(candidate.unread) as range
       join messages m on m.organization_id = $1 and m.topic_id = candidate.id
                      and m.id >= lower(range) and m.id < upper(range)
       where not isempty(candidate.unread)
       order by m.id desc limit $3)
     select c.id as topic_id, c.channel_id, c.name, c.member_ids, array_agg(found.id order by found.id) as ids
     from found join candidate c on c.id = found.topic_id
     group by c.id, c.channel_id, c.name, c.member_ids
     order by c.id`,
    [organizationId, userId, MAX_UNREAD_LISTED],
  )
}

/**
 * Part of the statement that sends messages: marks them as read by those for whom they start so. Expects a query
 * `reader` with `user_id`, `topic_id` and the message's `span`; $1 is the organization.
 */
export const MARK_SENT_READ = `
  insert into topic_reads as x (organization_id, user_id, topic_id, read)
  select $1, user_id, topic_id, range_agg(span) from reader group by 2, 3 order by 2, 3
  on conflict (organization_id, user_id, topic_id) do update set read = x.read + excluded.read`
