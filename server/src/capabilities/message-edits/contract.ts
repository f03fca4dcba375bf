import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { boolean, id, ids, integer, string, nothing } from '../../kernel/schemas.ts'
import { uploadedFile } from '../uploads/contract.ts'
import {
  messageContent,
  conversation,
  isMention,
  moveUnread,
  moveUnreadBetween,
  removeUnread,
  removeUnreadFrom,
  topicLinks,
  updateMentionIn,
  updateUnreadMention,
} from '../messages/contract/index.ts'
import { removeSorted } from '../../kernel/ascending.ts'
import { event } from '../../kernel/event.ts'
import { starredIn } from '../flags/contract.ts'

export const messageUpdated = event({
  type: 'update_message',
  summary: "A message's content changed, or messages were moved.",
  payload: z.strictObject({
    user_id: z.nullable(id),
    rendering_only: boolean,
    message_id: id,
    message_ids: ids,
    /** The user's flags on the message `message_id`. */
    flags: z.array(string),
    /** UNIX seconds. */
    edit_timestamp: integer,
    /** The former channel, or the current channel for users who must not know the former channel. */
    stream_id: z.optional(id),
    stream_name: z.optional(string),
    /** Only for moves, and only for users who are allowed to know the former location. */
    new_stream_id: z.optional(id),
    propagate_mode: z.optional(z.enum(['change_one', 'change_later', 'change_all'])),
    orig_subject: z.optional(string),
    subject: z.optional(string),
    topic_links: z.optional(topicLinks),
    /** Content is included only if it changed, and former content only if edit history is visible. */
    orig_content: z.optional(string),
    orig_rendered_content: z.optional(string),
    content: z.optional(string),
    rendered_content: z.optional(string),
    is_me_message: z.optional(boolean),
    /** Only for clients with `unread_ranges`: the current conversation. */
    conversation: z.optional(conversation),
  }),
  touches: ['max_message_id', 'unread_msgs', 'unread_conversations'],
  apply(state, update) {
    const { message_id, message_ids, flags, stream_id, new_stream_id, orig_subject, subject, content } = update
    const newest = Math.max(...message_ids)
    // Moved messages may be new to the user, and newer than all known messages.
    const isMove = content === undefined || subject !== undefined || new_stream_id !== undefined
    const { max_message_id: known } = state
    if (isMove && known !== undefined && stream_id !== undefined && newest > known) state['max_message_id'] = newest
    if (content !== undefined) updateUnreadMention(state, message_id, flags)
    const streamId = new_stream_id ?? stream_id
    if (subject !== undefined && streamId !== undefined)
      moveUnread(state, message_ids, { stream_id: streamId, topic: subject })
    if (update.conversation === undefined) return
    if (content !== undefined) updateMentionIn(state, update.conversation, message_id, isMention(flags))
    if (!isMove) return
    const from = stream_id === undefined || orig_subject === undefined ? undefined : { stream_id, topic: orig_subject }
    moveUnreadBetween(state, message_ids, from, update.conversation)
  },
})
export type MessageUpdate = z.output<typeof messageUpdated.payload>

export const messagesDeleted = event({
  type: 'delete_message',
  summary: 'Messages were deleted, or the user can no longer read them.',
  payload: z.strictObject({
    /** Only for clients with `bulk_message_deletion`: all deleted IDs, ascending. */
    message_ids: z.optional(ids),
    /** Only for clients without `bulk_message_deletion`, which get one event per message. */
    message_id: z.optional(id),
    message_type: z.enum(['private', 'stream']),
    stream_id: z.optional(id),
    topic: z.optional(string),
    /** Only for clients with `unread_ranges`: all users in the direct conversation of the deleted message. */
    user_ids: z.optional(ids),
  }),
  touches: ['unread_msgs', 'unread_conversations', 'starred_messages'],
  apply(state, { message_ids, message_id, stream_id, topic, user_ids }) {
    const gone = message_ids ?? (message_id === undefined ? [] : [message_id])
    removeUnread(state, gone)
    if (stream_id !== undefined && topic !== undefined) removeUnreadFrom(state, { stream_id, topic }, gone)
    else if (user_ids !== undefined) removeUnreadFrom(state, { user_ids }, gone)
    removeSorted(starredIn(state), gone)
  },
})
export type MessageDeletion = z.output<typeof messagesDeleted.payload>

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
    /**
     * Whether to delete the notices about the user's own last move, at most 5 minutes ago, if this move takes it back.
     * Notices with reactions stay, and so does a notice about resolving that is not the topic's newest message. Taking
     * back resolving then posts no notice.
     */
    withdraw_notices: z._default(boolean, false),
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
    'SLOW_MODE',
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
