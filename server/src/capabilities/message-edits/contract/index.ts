import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, id, ids, integer, string } from '../../../kernel/schemas.ts'
import { uploadedFile } from '../../uploads/contract.ts'
import { topicName } from '../../channels/contract/records.ts'
import { messageContent } from '../../messages/contract/index.ts'

export * from './deletion.ts'
export * from './events.ts'

/** Which messages a move takes: the one named, it and those after it in its topic, or all of the topic. */
export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const
export type PropagateMode = (typeof PROPAGATE_MODES)[number]

export const updateMessage = endpoint({
  id: 'updateMessage',
  method: 'PATCH',
  path: '/messages/:message_id',
  summary: "Change a message's content, or move messages to another topic or channel.",
  since: 0,
  forTokens: 'writing',
  input: z.object({
    message_id: id,
    topic: z.optional(topicName),
    propagate_mode: z._default(z.enum(PROPAGATE_MODES), 'change_one'),
    /** Whether the topic that messages leave is told. */
    send_notification_to_old_thread: z._default(boolean, false),
    /** Whether the topic that messages come to is told. */
    send_notification_to_new_thread: z._default(boolean, true),
    /**
     * The new content; a message that is left without any says `(deleted)`. A message that was sent as a widget, such
     * as a poll, keeps its content.
     */
    content: z.optional(messageContent),
    /** The SHA-256 digest of the content that the client knows, in hexadecimal digits. */
    prev_content_sha256: z.optional(string),
    /** The channel to which the messages are moved; not together with `content`. */
    stream_id: z.optional(id),
  }),
  output: z.object({
    /** Files of the actor that no message refers to any more since this edit. */
    detached_uploads: z.array(uploadedFile),
  }),
  errors: [
    'BAD_REQUEST',
    'EXPECTATION_MISMATCH',
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  aliases: { subject: 'topic' },
})

/** The state of a message at one time, with the former values of the fields that changed then. */
export const historicState = z.strictObject({
  topic: string,
  content: string,
  rendered_content: string,
  prev_topic: z.optional(string),
  stream: z.optional(id),
  prev_stream: z.optional(id),
  prev_content: z.optional(string),
  prev_rendered_content: z.optional(string),
  /**
   * `rendered_content` with what changed since `prev_rendered_content`: text that is new is in spans of the class
   * `highlight_text_inserted`, text that is gone in spans of `highlight_text_deleted`.
   */
  content_html_diff: z.optional(string),
  user_id: z.nullable(id),
  /** UNIX seconds. */
  timestamp: integer,
})
export type HistoricState = z.output<typeof historicState>

export const getMessageHistory = endpoint({
  id: 'getMessageHistory',
  method: 'GET',
  path: '/messages/:message_id/history',
  summary: 'List what a message was, from when it was sent until now.',
  since: 0,
  forTokens: 'reading',
  description:
    'A message keeps its first state and the newest 100, of a million bytes in all. `offset` and `limit` give a part of ' +
    'the list; without them it is whole.',
  input: z.object({
    message_id: id,
    allow_empty_topic_name: z._default(boolean, false),
    /** States to leave out, from the first one on. */
    offset: z._default(z.int().check(z.minimum(0)), 0),
    limit: z.optional(z.int().check(z.minimum(1))),
  }),
  output: z.object({ message_history: z.array(historicState) }),
  errors: ['BAD_REQUEST'],
})

/** One change of a message, as messages list it, the newest first. */
export const messageEdit = z.strictObject({
  user_id: z.nullable(id),
  /** UNIX seconds. */
  timestamp: integer,
  prev_content: z.optional(string),
  prev_rendered_content: z.optional(string),
  prev_topic: z.optional(string),
  topic: z.optional(string),
  prev_stream: z.optional(id),
  stream: z.optional(id),
})
export type MessageEdit = z.output<typeof messageEdit>

export const getReadReceipts = endpoint({
  id: 'getReadReceipts',
  method: 'GET',
  path: '/messages/:message_id/read_receipts',
  summary: 'List who has read a message, of those who let others know what they read.',
  since: 137,
  forTokens: 'reading',
  input: z.object({ message_id: id }),
  output: z.object({ user_ids: ids }),
  errors: ['BAD_REQUEST'],
})
