import type { Kysely } from 'kysely'
import type { Tables } from '../../kernel/tables.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { capability, direct, query } from '../../platform/capability.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import { execute } from '../../platform/db/database.ts'
import { channelById } from '../channels/queries.ts'
import { readable } from '../channels/rules.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import { conditionsOfQueue, matchesNarrow } from '../narrow/queries.ts'
import { unreadByTopic, MAX_UNREAD_LISTED, type UnreadTopic } from '../unread/queries.ts'
import { NEWEST_RECEIVED_MESSAGE, userById } from '../users/queries.ts'
import { isLimitedGuestViewer, viewingMember } from '../users/rules/visibility.ts'
import type { MessagePayload } from './actions/insert.ts'
import { render } from './actions/prepare.ts'
import { send } from './actions/send.ts'
import { sendSubmessage } from './actions/submessages.ts'
import * as contract from './contract/index.ts'
import {
  mayRead,
  MENTIONING,
  messagesById,
  messagesWithin,
  presentMessage,
  RECENT_CONVERSATIONS,
  wasSentTo,
  withTopicLinks,
  type LinkedMessage,
} from './queries.ts'
import { messageChangesProjection } from './queries/changes.ts'
import { submessageBinding } from './queries/submessages.ts'
import { topicsOf } from './queries/topics.ts'
import { flagNames } from './rules/recipients.ts'

const MAX_RECENT_CONVERSATIONS = 1_000

/** Messages: sending them, and how they reach their readers. */
export const messages = capability({
  name: 'messages',
  tables: ['messages', 'topics', 'conversations', 'conversation_members', 'sent_local_ids', 'submessages'],
  projections: [messageChangesProjection],
  routes: [
    direct(contract.sendMessage, send),
    direct(contract.renderContent, render),
    direct(contract.sendSubmessage, sendSubmessage),
    query(contract.getStreamTopics, topicsOf),
  ],
  events: [
    {
      event: contract.messageSent,
      hydrate: async (db, organization, events, mostBytes) => {
        const ids = events.map((event) => event.refId).filter((id) => id !== null)
        const { messages: stored, firstLeft } =
          mostBytes === undefined
            ? { messages: [...(await messagesById(db, organization.id, ids)).values()], firstLeft: null }
            : await messagesWithin(db, organization.id, ids, mostBytes)
        const linked = await withTopicLinks(organization, stored)
        const byId = new Map(linked.map((message) => [message.id, message]))
        for (const event of events) event.attached = byId.get(event.refId ?? 0)
        return firstLeft === null ? events.length : events.findIndex(({ refId }) => refId === firstLeft)
      },
      isWanted: (event, viewer, registration) => {
        const role = userById(viewer.organization, viewer.userId)?.role
        const stored = storedOf(event)
        if (role === undefined || stored === undefined) return false
        const member = { userId: viewer.userId, role }
        // Who was in the audience then may have lost the channel since, and then reads it as little as history.
        if (!mayRead(viewer.organization, member, stored)) return false
        if (registration.narrow.length === 0) return true
        return matchesNarrow({ ...stored, flags: flagsIn(event, viewer) }, conditionsOfQueue(registration))
      },
      public: (event, viewer) => isOpenTo(event, viewer),
      encodeSeparately: isLimitedGuestViewer,
      toClient: (event, viewer) => {
        const { organization, form } = viewer
        const stored = storedOf(event)
        return stored === undefined
          ? undefined
          : {
              message: Object.assign(
                presentMessage(
                  organization,
                  stored,
                  {
                    applyMarkdown: form.applyMarkdown,
                    clientExternalAvatar: form.clientExternalAvatar,
                    emptyTopicName: form.capabilities.empty_topic_name,
                    reader: viewingMember(viewer),
                  },
                  [],
                  sentWith(event, stored),
                ),
                { topic_links: stored.topicLinks },
              ),
            }
      },
      perUserFields: (event, viewer, queueId) => {
        // Written by the batch that sends messages.
        const { queue_id, local_id } = event.payload as MessagePayload
        const flags = flagsIn(event, viewer)
        // A sender may name any queue, and only the sender's own gets back what it was sent with.
        const isSenders = queue_id === queueId && storedOf(event)?.senderId === viewer.userId
        return isSenders && local_id !== undefined ? { flags, local_message_id: local_id, local_id } : { flags }
      },
    },
    submessageBinding,
  ],
  snapshot: [
    {
      eventTypes: ['message'],
      read: async (db, { userId, organization }) => ({
        max_message_id: await newestMessage(db, organization.id, userId),
      }),
    },
    {
      eventTypes: ['message', 'update_message_flags'],
      read: async (db, viewer) => ({ unread_msgs: await unreadMessages(db, viewer) }),
    },
    {
      eventTypes: ['recent_private_conversations'],
      read: async (db, { userId, organization }) => {
        const rows = await execute<{ member_ids: number[]; max_id: number }>(db, RECENT_CONVERSATIONS, [
          organization.id,
          userId,
          MAX_RECENT_CONVERSATIONS,
        ])
        return {
          recent_private_conversations: rows.map((row) => ({
            user_ids: row.member_ids.filter((memberId) => memberId !== userId),
            max_message_id: row.max_id,
          })),
        }
      },
    },
  ],
})

/** The message of an event; undefined when it has been deleted since. */
function storedOf(event: LoggedEvent): LinkedMessage | undefined {
  // Attached by the batch that sent it or by `hydrate`.
  return event.attached as LinkedMessage | undefined
}

const NOTHING_MORE: readonly contract.Submessage[] = []

/** What a message is beside its text as it arrives. */
function sentWith({ payload }: LoggedEvent, { id, senderId }: LinkedMessage): readonly contract.Submessage[] {
  // Written by the batch that sends messages.
  const { widget } = payload as MessagePayload
  if (widget === undefined) return NOTHING_MORE
  return [{ id, message_id: id, sender_id: senderId, msg_type: contract.WIDGET, content: widget }]
}

/** Longer lists are made into sets: each of ten thousand receivers is looked for in them. */
const MAX_SEARCHED = 16

const sets = new WeakMap<readonly number[], ReadonlySet<number>>()

function isAmong(userIds: readonly number[] | undefined, userId: number): boolean {
  if (userIds === undefined) return false
  if (userIds.length <= MAX_SEARCHED) return userIds.includes(userId)
  let set = sets.get(userIds)
  if (set === undefined) {
    set = new Set(userIds)
    sets.set(userIds, set)
  }
  return set.has(userId)
}

/** A message's flags as it arrives. */
function flagsIn(event: LoggedEvent, { organization, userId }: Viewer): string[] {
  const stored = storedOf(event)
  if (stored === undefined) return []
  // Written by the batch that sends messages.
  const payload = event.payload as MessagePayload
  return flagNames(
    {
      isRead: isAmong(payload.read_by, userId),
      mentioned: isAmong(payload.mentioned, userId),
      topicWildcardMentioned: isAmong(payload.topic_mentioned, userId),
      hasAlertWord: isAmong(payload.alerted, userId),
      received: wasSentTo(organization, userId, stored),
    },
    stored.mentionsChannel,
  )
}

/** Whether a message is in a channel that its reader could read without being subscribed. */
function isOpenTo(event: LoggedEvent, { organization, userId }: Viewer): boolean {
  const channelId = storedOf(event)?.channelId ?? null
  const channel = channelId === null ? undefined : channelById(organization, channelId)
  const role = userById(organization, userId)?.role
  if (channel === undefined || channel.inviteOnly || role === undefined) return false
  return readable(organization, { userId, role }, channel) === 'all'
}

/** The newest message that the user received; -1 for none. */
async function newestMessage(db: Kysely<Tables>, organizationId: number, userId: number): Promise<number> {
  const [row] = await execute<{ id: number | null }>(db, NEWEST_RECEIVED_MESSAGE, [organizationId, userId])
  return row?.id ?? -1
}

async function unreadMessages(
  db: Kysely<Tables>,
  { userId, organization, form }: Viewer,
): Promise<contract.UnreadMessages> {
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
    contract.beginList(unread, userId, place, [...topic.ids])
  }
  unread.mentions = await unreadMentions(db, organization.id, userId, topics)
  unread.old_unreads_missing = unread.count >= MAX_UNREAD_LISTED
  return unread
}

/** Those of the unread messages that mention the user, by name, group or wildcard; muted topics included. */
async function unreadMentions(
  db: Kysely<Tables>,
  organizationId: number,
  userId: number,
  topics: readonly UnreadTopic[],
): Promise<number[]> {
  const unread = new Set(topics.flatMap((topic) => topic.ids))
  const oldest = topics.reduce((least, topic) => Math.min(least, topic.ids[0] ?? least), Infinity)
  if (oldest === Infinity) return []
  const rows = await execute<{ id: number }>(db, MENTIONING, [organizationId, userId, oldest])
  return rows.map(({ id }) => id).filter((id) => unread.has(id))
}
