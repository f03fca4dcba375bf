import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, id, ids, integer, string, nothing } from '../../../kernel/schemas.ts'
import { uploadedFile } from '../../uploads/contract.ts'
import { messageContent } from '../../messages/contract/index.ts'

export * from './events.ts'

export const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'] as const
export type PropagateMode = (typeof PROPAGATE_MODES)[number]

export const updateMessage = endpoint({
  id: 'updateMessage',
  method: 'PATCH',
  path: '/messages/:message_id',
  summary: "Edit a message's content, or move messages to another topic or channel.",
  since: 0,
  forTokens: 'writing',
  input: z.object({
    message_id: id,
    topic: z.optional(string),
    propagate_mode: z._default(z.enum(PROPAGATE_MODES), 'change_one'),
    send_notification_to_old_thread: z._default(boolean, false),
    send_notification_to_new_thread: z._default(boolean, true),
    content: z.optional(messageContent),
    prev_content_sha256: z.optional(string),
    stream_id: z.optional(id),
  }),
  output: z.object({
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

export const historicState = z.strictObject({
  topic: string,
  content: string,
  rendered_content: string,
  prev_topic: z.optional(string),
  stream: z.optional(id),
  prev_stream: z.optional(id),
  prev_content: z.optional(string),
  prev_rendered_content: z.optional(string),
  /** Changes are in spans of class `highlight_text_inserted` or `highlight_text_deleted`. */
  content_html_diff: z.optional(string),
  user_id: z.nullable(id),
  timestamp: integer,
})
export type HistoricState = z.output<typeof historicState>

export const getMessageHistory = endpoint({
  id: 'getMessageHistory',
  method: 'GET',
  path: '/messages/:message_id/history',
  summary: "Get a message's edit history.",
  since: 0,
  forTokens: 'reading',
  description:
    'Keeps the first version and the newest 100, up to a million bytes in total. Use `offset` and `limit` to get ' +
    'part of the list.',
  input: z.object({
    message_id: id,
    allow_empty_topic_name: z._default(boolean, false),
    offset: z._default(z.int().check(z.minimum(0)), 0),
    limit: z.optional(z.int().check(z.minimum(1))),
  }),
  output: z.object({ message_history: z.array(historicState) }),
  errors: ['BAD_REQUEST'],
})

export const messageEdit = z.strictObject({
  user_id: z.nullable(id),
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
  summary: 'List users who have read a message and share read receipts.',
  since: 137,
  forTokens: 'reading',
  input: z.object({ message_id: id }),
  output: z.object({ user_ids: ids }),
  errors: ['BAD_REQUEST'],
})

/** Limits the length of a transaction: each deleted message takes a log position. */
export const MESSAGES_DELETED_PER_TRANSACTION = 100
/** If messages of the topic remain, the response's `complete` is false. */
export const MAX_MESSAGES_DELETED_PER_REQUEST = 5_000

export const deleteMessage = endpoint({
  id: 'deleteMessage',
  method: 'DELETE',
  path: '/messages/:message_id',
  summary: 'Permanently delete a message.',
  since: 0,
  forTokens: 'writing',
  input: z.object({ message_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const deleteTopic = endpoint({
  id: 'deleteTopic',
  method: 'POST',
  path: '/streams/:stream_id/delete_topic',
  summary: 'Delete all messages in a topic, newest first. Repeat until `complete`.',
  since: 0,
  input: z.object({ stream_id: id, topic_name: string }),
  output: z.object({ complete: boolean }),
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})
