import * as z from 'zod/mini'
import { removeAll } from '../../../kernel/ascending.ts'
import { event } from '../../../kernel/event.ts'
import { boolean, id, ids, integer, string } from '../../../kernel/schemas.ts'
import { starredIn } from '../../flags/contract.ts'
import {
  conversation,
  isMention,
  moveUnread,
  moveUnreadBetween,
  removeUnread,
  removeUnreadFrom,
  topicLinks,
  updateMentionIn,
  updateUnreadMention,
} from '../../messages/contract/index.ts'

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
    removeAll(starredIn(state), gone)
  },
})
export type MessageDeletion = z.output<typeof messagesDeleted.payload>
