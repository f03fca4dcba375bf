import * as z from 'zod/mini'
import { boolean, id, integer, string, text } from '../../../kernel/schemas.ts'
import { LIMITS } from '../../organizations/contract/index.ts'
import { EMOJI_TYPES } from '../../users/contract/status.ts'

export const messageContent = text(LIMITS.max_message_length)

export const displayRecipient = z.union([
  string,
  z.array(
    z.strictObject({
      id,
      email: string,
      full_name: string,
      is_mirror_dummy: boolean,
    }),
  ),
])

export const reaction = z.strictObject({
  emoji_name: string,
  emoji_code: string,
  reaction_type: z.enum(EMOJI_TYPES),
  user_id: id,
})
export type Reaction = z.output<typeof reaction>

export const submessage = z.strictObject({
  id,
  message_id: id,
  sender_id: id,
  msg_type: string,
  content: string,
})
export type Submessage = z.output<typeof submessage>

export const topicLinks = z.array(z.strictObject({ text: string, url: string }))

/** Message as in events. Receivers whose clients use the same form get the same message. */
export const message = z.strictObject({
  id,
  type: z.enum(['stream', 'private']),
  sender_id: id,
  sender_email: string,
  sender_full_name: string,
  sender_realm_str: string,
  avatar_url: z.nullable(string),
  client: string,
  content: string,
  content_type: z.enum(['text/html', 'text/x-markdown']),
  display_recipient: displayRecipient,
  recipient_id: id,
  stream_id: z.optional(id),
  subject: string,
  is_me_message: boolean,
  /** UNIX seconds. */
  timestamp: integer,
  /** Ordered by when they were added. Empty in message events, which show the message as sent. */
  reactions: z.array(reaction),
  /** Ordered by when they were added. Message events contain the widget that the message was sent with. */
  submessages: z.array(submessage),
  topic_links: topicLinks,
})
export type Message = z.output<typeof message>
