import { covers, type Range } from '../../../kernel/ranges.ts'
import type { Db } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import type { UnreadConversations } from '../../messages/contract/index.ts'
import { MENTIONING_MESSAGES, topicNameSql, UNREAD_SPANS } from './unread.ts'

/** Inclusive ranges that can contain unread messages: the n-th goes from `firsts[n]` to `lasts[n]`. */
interface RangeBounds {
  readonly firsts: readonly number[]
  readonly lasts: readonly number[]
}

interface UnreadConversation extends RangeBounds {
  readonly topicId: number
  readonly channelId: number | null
  readonly topic: string
  readonly memberIds: readonly number[] | null
  readonly count: number
  /** Whether the topic's unread ranges can be omitted, because the channel's ranges imply them. */
  readonly isWhole: boolean
}

/** Conversations with unread messages, ordered by first unread message. */
const UNREAD_CONVERSATIONS = `
  with ${UNREAD_SPANS},
  found as (
    select c.id, min(m.first_id) as first_id, sum(m.count)::int as count,
           array_agg(m.first_id order by m.first_id) as firsts, array_agg(m.last_id order by m.first_id) as lasts
    from candidate c cross join lateral unnest(c.unread) as range
    cross join lateral (
      select count(*) as count, min(id) as first_id, max(id) as last_id from messages
      where organization_id = $1 and topic_id = c.id and id >= lower(range) and id < upper(range)) m
    where m.count > 0 group by c.id)
  select c.id as "topicId", c.channel_id as "channelId", ${topicNameSql({ topic: 'c', message: 'found.first_id' })} as topic,
         c.member_ids as "memberIds", found.count, found.firsts, found.lasts,
         coalesce(c.unread = open.span * int8multirange(int8range(c.first_id, c.max_id + 1)), false) as "isWhole"
  from found join candidate c on c.id = found.id left join open on open.channel_id = c.channel_id
  order by found.first_id`

const UNREAD_CHANNEL_RANGES = `
  with ${UNREAD_SPANS}
  select channel_id as "channelId", array_agg(lower(range) order by range) as firsts,
         array_agg(coalesce(upper(range) - 1, (select position from organizations where id = $1)) order by range) as lasts
  from open cross join lateral unnest(span) as range
  where channel_id = any($3::bigint[]) group by channel_id`

const MENTIONS_BY_TOPIC = `
  select m.id, m.topic_id as "topicId" from (${MENTIONING_MESSAGES}) mentioning
  join messages m on m.organization_id = $1 and m.id = mentioning.id order by m.id`

export async function unreadConversations(
  db: Db,
  { userId, organization, form }: Viewer,
): Promise<UnreadConversations> {
  const counted = await db.rows<UnreadConversation>('unread_conversations', UNREAD_CONVERSATIONS, [
    organization.id,
    userId,
  ])
  const unread: UnreadConversations = { channels: [], directs: [] }
  if (counted.length === 0) return unread
  const mentions = await mentionsByTopic(db, organization.id, userId, counted)
  const channelIds = new Set(counted.map(({ channelId }) => channelId).filter((channelId) => channelId !== null))
  const open = await db.rows<RangeBounds & { channelId: number }>('open_channels', UNREAD_CHANNEL_RANGES, [
    organization.id,
    userId,
    [...channelIds],
  ])
  const channels = new Map(
    open.map((channel): [number, UnreadConversations['channels'][number]] => [
      channel.channelId,
      { stream_id: channel.channelId, ranges: rangesOf(channel), topics: [] },
    ]),
  )
  unread.channels.push(...channels.values())
  for (const one of counted) {
    const { topicId, channelId, topic, memberIds, count, isWhole } = one
    const mentioning = mentions.get(topicId)
    const counts = {
      count,
      last_id: one.lasts.at(-1) ?? 0,
      ...(mentioning === undefined ? {} : { mentions: mentioning }),
    }
    if (channelId === null) unread.directs.push({ user_ids: [...(memberIds ?? [])], ...counts, ranges: rangesOf(one) })
    else {
      const name = presentTopic(topic, form.capabilities.empty_topic_name)
      channels.get(channelId)?.topics.push({ topic: name, ...counts, ...(isWhole ? {} : { ranges: rangesOf(one) }) })
    }
  }
  return unread
}

function rangesOf({ firsts, lasts }: RangeBounds): Range[] {
  return firsts.map((first, index): Range => [first, lasts[index] ?? first])
}

async function mentionsByTopic(
  db: Db,
  organizationId: number,
  userId: number,
  counted: readonly UnreadConversation[],
): Promise<Map<number, number[]>> {
  const oldest = Math.min(...counted.map(({ firsts }) => firsts[0] ?? Infinity))
  const rows = await db.rows<{ id: number; topicId: number }>('mentioning_in_topics', MENTIONS_BY_TOPIC, [
    organizationId,
    userId,
    oldest,
  ])
  const rangesIn = new Map(counted.map((one) => [one.topicId, rangesOf(one)]))
  const mentions = new Map<number, number[]>()
  for (const { id, topicId } of rows) {
    if (!covers(rangesIn.get(topicId) ?? [], id)) continue
    const known = mentions.get(topicId)
    if (known === undefined) mentions.set(topicId, [id])
    else known.push(id)
  }
  return mentions
}
