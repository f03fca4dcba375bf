import type { Db } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { subscriptionsProjection } from '../../channels/queries/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import { userTopicsOf } from '../../user-topics/queries.ts'
import { countUnread } from '../contract.ts'
import { MAX_UNREAD_LISTED, unreadByTopic, type UnreadTopic } from './unread.ts'
import * as contract from '../../messages/contract/index.ts'

export async function unreadMessages(db: Db, viewer: Viewer): Promise<contract.UnreadMessages> {
  const { userId, organization, form } = viewer
  const topics = await unreadByTopic(db, organization.id, userId)
  const unread: contract.UnreadMessages = {
    count: 0,
    pms: [],
    streams: [],
    huddles: [],
    mentions: [],
    old_unreads_missing: false,
  }
  for (const topic of topics) {
    const place =
      topic.channel_id === null
        ? { memberIds: topic.member_ids ?? [] }
        : { stream_id: topic.channel_id, topic: presentTopic(topic.name, form.capabilities.empty_topic_name) }
    contract.addUnreadList(unread, userId, place, [...topic.ids])
  }
  const userTopics = topics.some((topic) => topic.channel_id !== null) ? await userTopicsOf(db, viewer) : []
  const subscriptions = [...(organization.of(subscriptionsProjection).byUser.get(userId)?.values() ?? [])]
  const muted = subscriptions.filter(({ isMuted }) => isMuted).map(({ channelId }) => channelId)
  unread.count = countUnread(unread, new Set(muted), userTopics)
  unread.mentions = await unreadMentions(db, organization.id, userId, topics)
  unread.old_unreads_missing = topics.reduce((sum, { ids }) => sum + ids.length, 0) >= MAX_UNREAD_LISTED
  return unread
}

/** Finds mentions by name, group, or wildcard, even in muted topics. */
async function unreadMentions(
  db: Db,
  organizationId: number,
  userId: number,
  topics: readonly UnreadTopic[],
): Promise<number[]> {
  const unread = new Set(topics.flatMap((topic) => topic.ids))
  const oldest = topics.reduce((least, topic) => Math.min(least, topic.ids[0] ?? least), Infinity)
  if (oldest === Infinity) return []
  const rows = await db.rows<{ id: number }>('unread_mentions', MENTIONING_MESSAGES, [organizationId, userId, oldest])
  return rows.map(({ id }) => id).filter((id) => unread.has(id))
}

/** Parameters: organization, user, first ID. Does not check that the user received the messages. */
export const MENTIONING_MESSAGES = `
  select message_id as id from message_flags
  where organization_id = $1 and user_id = $2 and message_id >= $3 and (mentioned or topic_wildcard_mentioned)
  union select id from messages where organization_id = $1 and id >= $3 and mentions_channel
  order by id`
