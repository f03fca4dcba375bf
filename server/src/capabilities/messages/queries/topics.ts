import type { Input, Output } from '../../../kernel/endpoint.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { requireInScope } from '../../api-tokens/rules.ts'
import { channelById } from '../../channels/queries/index.ts'
import { readable } from '../../channels/rules/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import type * as contract from '../contract/topics.ts'
import { MAX_TOPICS_LISTED } from '../contract/topics.ts'

/**
 * Unlike the query for protected history, does not use the reader ($2). Topics are spelled as in their newest message.
 */
const ALL_TOPICS = `
  select coalesce(newest.topic_spelling, t.name) as name, t.max_id from topics t
  left join messages newest on newest.organization_id = $1 and newest.topic_id = t.id and newest.id = t.max_id
    and newest.topic_spelling is not null
  where t.organization_id = $1 and $2::bigint is not null and t.channel_id = $3
  order by t.era desc, t.max_id desc limit $4`

/** Topics visible in protected history: those with messages sent while the reader was subscribed. */
const TOPICS_WHILE_SUBSCRIBED = `
  select (array_agg(coalesce(newest.topic_spelling, t.name) order by newest.id desc))[1] as name, max(newest.id) as max_id
  from subscriptions s cross join lateral unnest(s.periods) as period
  join topics t on t.organization_id = $1 and t.channel_id = $3
               and t.era >= lower(period) >> 10 and t.max_id >= lower(period) and (upper_inf(period) or t.first_id < upper(period))
  cross join lateral (
    select m.id, m.topic_spelling from messages m
    where m.organization_id = $1 and m.topic_id = t.id
    and m.id >= lower(period) and (upper_inf(period) or m.id < upper(period)) order by m.id desc limit 1) newest
  where s.organization_id = $1 and s.user_id = $2 and s.channel_id = $3
  group by t.id order by max_id desc limit $4`

export async function getStreamTopics(
  { organizationId, organization, actor, db }: Reader,
  input: Input<typeof contract.getStreamTopics>,
): Promise<Output<typeof contract.getStreamTopics>> {
  requireInScope(actor, input.stream_id)
  const channel = channelById(organization, input.stream_id)
  const part = channel === undefined ? 'none' : readable(organization, actor, channel)
  if (part === 'none') throw new Refusal('BAD_REQUEST', 'Invalid channel ID')
  const parameters = [organizationId, actor.userId, input.stream_id, MAX_TOPICS_LISTED]
  const rows = await (part === 'all'
    ? db.rows<{ name: string; max_id: number }>('all_topics', ALL_TOPICS, parameters)
    : db.rows<{ name: string; max_id: number }>('topics_while_subscribed', TOPICS_WHILE_SUBSCRIBED, parameters))
  return {
    topics: rows.map(({ name, max_id }) => ({ name: presentTopic(name, input.allow_empty_topic_name), max_id })),
  }
}
