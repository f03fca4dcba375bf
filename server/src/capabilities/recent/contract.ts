import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { boolean, id, ids, integer, string } from '../../kernel/schemas.ts'

export const MAX_CONVERSATIONS_PER_FETCH = 100
const DEFAULT_CONVERSATIONS = 50

export const MAX_UNREAD_COUNTED = 1_000
export const MAX_MESSAGES_READ_FOR_SENDERS = 1_000
export const MAX_LATEST_SENDERS = 5
/** In code points. */
export const MAX_SNIPPET_CHARACTERS = 200

const filterFlag = z._default(boolean, false)

const conversation = z.strictObject({
  type: z.enum(['stream', 'private']),
  stream_id: z.optional(id),
  /** Absent for direct conversations; spelled as in the newest message. */
  topic: z.optional(string),
  user_ids: z.optional(ids),
  max_message_id: id,
  sender_id: id,
  /** UNIX seconds. */
  timestamp: integer,
  /** Start of the newest message in plain text, up to 200 code points. Omits spoilers and, if possible, quotes. */
  snippet: string,
  first_unread_message_id: z.nullable(id),
  /** Counted up to 1,000, which means 1,000 or more. */
  unread_count: integer,
  /** Number of the counted unread messages that mention the user by name, group, or wildcard. */
  unread_mention_count: integer,
  latest_sender_ids: ids,
  /** Number of different senders among the newest 1,000 messages. */
  participant_count: integer,
})
export type RecentConversation = z.output<typeof conversation>

export const getRecentConversations = endpoint({
  id: 'getRecentConversations',
  method: 'GET',
  path: '/recent',
  summary: 'List conversations, most recent first.',
  description:
    'Topics of subscribed channels and direct conversations, with their messages as in `GET /messages`. Ignores ' +
    'messages that the user cannot read. Paged.',
  since: 420,
  forTokens: 'reading',
  input: z.object({
    limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_CONVERSATIONS_PER_FETCH)), DEFAULT_CONVERSATIONS),
    /** `max_message_id` of the last conversation of the previous page. */
    before: z.optional(id),
    unread: filterFlag,
    participated: filterFlag,
    unresolved: filterFlag,
    followed: filterFlag,
    /** Whether to include muted topics, all topics of muted channels, and conversations with only muted users. */
    muted: filterFlag,
    /** Only topics of this channel, even if the user is not subscribed or has muted it. */
    channel_id: z.optional(id),
    allow_empty_topic_name: filterFlag,
  }),
  output: z.object({
    conversations: z.array(conversation),
    found_oldest: boolean,
  }),
  errors: ['BAD_REQUEST', 'REQUEST_VARIABLE_INVALID'],
})
