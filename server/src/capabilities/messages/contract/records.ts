import * as z from 'zod/mini'
import { id, text } from '../../../kernel/parameters.ts'
import { LIMITS } from '../../organizations/contract/index.ts'
import { EMOJI_TYPES } from '../../users/contract/status.ts'

export const messageContent = text(LIMITS.max_message_length)

export const displayRecipient = z.union([
  z.string(),
  z.array(
    z.strictObject({
      id,
      email: z.string(),
      full_name: z.string(),
      is_mirror_dummy: z.boolean(),
    }),
  ),
])

/** An emoji that a user put on a message. */
export const reaction = z.strictObject({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.enum(EMOJI_TYPES),
  user_id: id,
})
export type Reaction = z.output<typeof reaction>

/** An addition that a user made to a message, such as a vote in a poll. */
export const submessage = z.strictObject({
  id,
  message_id: id,
  sender_id: id,
  msg_type: z.string(),
  /** JSON. */
  content: z.string(),
})
export type Submessage = z.output<typeof submessage>

/** The links in a topic: matches of the organization's linkifiers, and addresses. */
export const topicLinks = z.array(z.strictObject({ text: z.string(), url: z.string() }))

/** A message as events carry it, which is the same for all receivers with one client form. */
export const message = z.strictObject({
  id,
  type: z.enum(['stream', 'private']),
  sender_id: id,
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z.nullable(z.string()),
  client: z.string(),
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  /** The channel's name, or all users in the conversation. */
  display_recipient: displayRecipient,
  recipient_id: id,
  stream_id: z.optional(id),
  /** The topic; empty for direct messages. */
  subject: z.string(),
  is_me_message: z.boolean(),
  /** UNIX seconds. */
  timestamp: z.int(),
  /** In the order in which they were added; none in the event of the message, which shows it as it was sent. */
  reactions: z.array(reaction),
  /** The submessages in the order in which they were added; the message's own event has the widget it was sent with. */
  submessages: z.array(submessage),
  topic_links: topicLinks,
})
export type Message = z.output<typeof message>
