import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { boolean, id, ids, integer, string } from '../../kernel/schemas.ts'

/** Conversations that one request may ask for. */
export const MAX_CONVERSATIONS_PER_FETCH = 100
const USUAL_CONVERSATIONS = 50

/** Of a conversation's unread messages, so many are counted; there may be more than that. */
export const MAX_UNREAD_COUNTED = 1_000
/** The senders of a conversation are looked for among so many of its newest messages. */
export const MAX_MESSAGES_OF_SENDERS = 1_000
export const LATEST_SENDERS = 5
/** Code points of a snippet. */
export const MAX_SNIPPET_CHARACTERS = 200

const flag = z._default(boolean, false)

/** A topic of a channel, or a direct conversation, as far as the user may read it. */
const conversation = z.strictObject({
  type: z.enum(['stream', 'private']),
  /** Of a topic. */
  stream_id: z.optional(id),
  /** Of a topic, as its newest message spells it. */
  topic: z.optional(string),
  /** The others in a direct conversation; none where the user writes to themself. */
  user_ids: z.optional(ids),
  /** The newest message. */
  max_message_id: id,
  sender_id: id,
  /** UNIX seconds. */
  timestamp: integer,
  /**
   * The beginning of the newest message as plain text with emoji as characters, at most 200 characters: without what a
   * spoiler hides, and without quotes where there is more.
   */
  snippet: string,
  first_unread_message_id: z.nullable(id),
  /** 1,000 stands for as many or more. */
  unread_count: integer,
  /** Those of the counted messages that mention the user, by name, group or wildcard. */
  unread_mention_count: integer,
  /** At most five, the one who wrote last first. */
  latest_sender_ids: ids,
  /** The people who wrote any of the newest 1,000 messages. */
  participant_count: integer,
})
export type RecentConversation = z.output<typeof conversation>

export const getRecentConversations = endpoint({
  id: 'getRecentConversations',
  method: 'GET',
  path: '/recent',
  summary: 'List conversations, the one with the newest message first.',
  description:
    'The topics of the channels to which the user is subscribed, and direct conversations, with what `GET /messages` would show of them: messages that the user may not read count nowhere. All conversations come, page by page.',
  since: 420,
  forTokens: 'reading',
  input: z.object({
    limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_CONVERSATIONS_PER_FETCH)), USUAL_CONVERSATIONS),
    /** The `max_message_id` of the last conversation seen: those whose newest message is older follow. */
    before: z.optional(id),
    /** Only conversations with unread messages. */
    unread: flag,
    /** Only conversations in which the user wrote. */
    participated: flag,
    /** No resolved topics. */
    unresolved: flag,
    /** Only followed topics. */
    followed: flag,
    /**
     * Also what the user has muted: topics, channels of which no topic is unmuted or followed, and direct conversations
     * of which all others are muted.
     */
    muted: flag,
    /** Only the topics of this channel, which the user need not be subscribed to. Whether it is muted does not matter then. */
    channel_id: z.optional(id),
    allow_empty_topic_name: flag,
  }),
  output: z.object({
    conversations: z.array(conversation),
    /** Whether no older ones follow. */
    found_oldest: boolean,
  }),
  errors: ['BAD_REQUEST', 'REQUEST_VARIABLE_INVALID'],
})
