import { caseKey } from '../../../../../kernel/case-key.ts'
import { channelById } from '../../../../channels/queries/index.ts'
import type { SendBatch, StatementPart } from '../part.ts'

export const conversationsPart: StatementPart = {
  name: 'direct',
  isNeeded: ({ inserts }) => inserts.some(({ message }) => message.channelId === null),
  given: [
    {
      name: 'conversation_topic_id',
      type: 'bigint',
      valueOf: ({ message }) => message.conversation?.topicId ?? null,
    },
  ],
  sql: () => `
conversation_topic as (
  update topics t set max_id = newest.id, previous_id = t.max_id
  from (select conversation_topic_id as topic_id, max(id) as id from new_message where channel_id is null group by 1) newest
  where t.organization_id = $organization and t.id = newest.topic_id
  returning t.id, t.previous_id)`,
}

/** In protected history, the topic's visible messages can spell its name differently from hidden ones. */
export const spellingsPart: StatementPart = {
  name: 'spelled',
  isNeeded: (batch) => protectedChannels(batch).length > 0,
  values: (batch) => ({ protected_channels: protectedChannels(batch) }),
}

/**
 * `placed` has all messages with `topic_id`, `topic_name` as in the message, and the IDs of the topic's first message
 * (`first_id`) and its last before the batch (`previous_id`). In protected history, also a deviating `topic_spelling`.
 */
export const topicsPart: StatementPart = {
  name: 'topics',
  given: [
    { name: 'channel_id', type: 'bigint', valueOf: ({ message }) => message.channelId },
    { name: 'topic', type: 'text', valueOf: ({ message }) => message.topic },
    { name: 'topic_key', type: 'text', valueOf: ({ message }) => caseKey(message.topic) },
  ],
  sql: (needed) => `
touched as materialized (
  select channel_id, topic_key, (array_agg(topic order by id))[1] as topic, min(id) as first_id, max(id) as max_id
  from new_message where channel_id is not null group by channel_id, topic_key),
known_topic as (
  update topics t set max_id = touched.max_id, previous_id = t.max_id
  from touched
  where t.organization_id = $organization and t.channel_id = touched.channel_id and t.name_key = touched.topic_key
  returning t.id, t.channel_id, t.name, t.name_key, t.first_id, t.previous_id),
other_topic as (
  insert into topics as t (organization_id, channel_id, name, name_key, first_id, max_id)
  select $organization, channel_id, topic, topic_key, first_id, max_id from touched
  where not exists (
    select from known_topic known where known.channel_id = touched.channel_id and known.name_key = touched.topic_key)
  on conflict (organization_id, channel_id, name_key)
  do update set max_id = excluded.max_id, previous_id = t.max_id
  returning t.id, t.channel_id, t.name, t.name_key, t.first_id, t.previous_id),
channel_topic as (select * from known_topic union all select * from other_topic),
placed as materialized (${placedMessagesSql(needed)})`,
}

function placedMessagesSql(needed: ReadonlySet<StatementPart>): string {
  const isSpelled = needed.has(spellingsPart)
  const name = isSpelled
    ? 'case when m.channel_id = any($protected_channels::bigint[]) then m.topic else t.name end'
    : 't.name'
  const spelling = isSpelled ? `, nullif(${name}, t.name) as topic_spelling` : ''
  const inChannels = `
  select m.*, t.id as topic_id, ${name} as topic_name, t.first_id, t.previous_id${spelling}
  from new_message m join channel_topic t on t.channel_id = m.channel_id and t.name_key = m.topic_key`
  const inConversations = `
  select m.*, t.id, '', 0, t.previous_id${isSpelled ? ', null' : ''}
  from new_message m join conversation_topic t on t.id = m.conversation_topic_id`
  return needed.has(conversationsPart) ? `${inChannels}\n  union all${inConversations}` : inChannels
}

/** Senders must not learn the spelling or existence of hidden messages' topics. */
function protectedChannels({ organization, inserts }: SendBatch): number[] {
  const ids = new Set(inserts.map(({ message }) => message.channelId).filter((id) => id !== null))
  return [...ids].filter((id) => channelById(organization, id)?.historyPublic === false)
}
