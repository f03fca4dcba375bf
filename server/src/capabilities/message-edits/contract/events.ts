import * as z from 'zod/mini'
import { removeAll } from '../../../kernel/ascending.ts'
import { event } from '../../../kernel/event.ts'
import { boolean, id, ids, integer, string } from '../../../kernel/schemas.ts'
import { starredIn } from '../../flags/contract.ts'
import { moveUnread, removeUnread, topicLinks, updateUnreadMention } from '../../messages/contract/index.ts'

export const messageUpdated = event({
  type: 'update_message',
  summary: 'The content of a message changed, or messages that the user may read were moved.',
  payload: z.strictObject({
    user_id: z.nullable(id),
    rendering_only: boolean,
    /** The message that was named in the request, or the first of them that the user may read. */
    message_id: id,
    /** All that changed, ascending. */
    message_ids: ids,
    /** The user's flags of `message_id`. */
    flags: z.array(string),
    /** UNIX seconds. */
    edit_timestamp: integer,
    /** The channel in which the messages were; for users who may not know that, the channel in which they are. */
    stream_id: z.optional(id),
    stream_name: z.optional(string),
    /** These fields are present only when messages were moved, for users who may know where the messages were. */
    new_stream_id: z.optional(id),
    propagate_mode: z.optional(z.enum(['change_one', 'change_later', 'change_all'])),
    orig_subject: z.optional(string),
    subject: z.optional(string),
    topic_links: z.optional(topicLinks),
    /**
     * These fields are present only when the content changed; the former content only where edit history is visible.
     */
    orig_content: z.optional(string),
    orig_rendered_content: z.optional(string),
    content: z.optional(string),
    rendered_content: z.optional(string),
    is_me_message: z.optional(boolean),
  }),
  touches: ['max_message_id', 'unread_msgs'],
  apply(state, { message_id, message_ids, flags, stream_id, new_stream_id, subject, content }) {
    const newest = Math.max(...message_ids)
    // Messages that were moved may be new to the user: then they are the newest, too.
    const isMove = content === undefined || subject !== undefined || new_stream_id !== undefined
    const { max_message_id: known } = state as { max_message_id?: number }
    if (isMove && known !== undefined && stream_id !== undefined && newest > known) state['max_message_id'] = newest
    if (content !== undefined) updateUnreadMention(state, message_id, flags)
    const streamId = new_stream_id ?? stream_id
    if (subject !== undefined && streamId !== undefined)
      moveUnread(state, message_ids, { stream_id: streamId, topic: subject })
  },
})
export type MessageUpdate = z.output<typeof messageUpdated.payload>

export const messagesDeleted = event({
  type: 'delete_message',
  summary: 'Messages were deleted, or the user may not read them any more.',
  payload: z.strictObject({
    /** For clients with `bulk_message_deletion`, ascending. */
    message_ids: z.optional(ids),
    /** For others, who get an event for each. */
    message_id: z.optional(id),
    message_type: z.enum(['private', 'stream']),
    /** The channel and the topic in which they were. */
    stream_id: z.optional(id),
    topic: z.optional(string),
  }),
  touches: ['unread_msgs', 'starred_messages'],
  apply(state, { message_ids, message_id }) {
    const gone = message_ids ?? (message_id === undefined ? [] : [message_id])
    removeUnread(state, gone)
    removeAll(starredIn(state), gone)
  },
})
export type MessageDeletion = z.output<typeof messagesDeleted.payload>
