import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, idInRequest, id, string, text, nothing } from '../../../kernel/schemas.ts'
import { messageContent, submessage } from './records.ts'
import type { Limit } from '../../../kernel/limits.ts'
import { event } from '../../../kernel/event.ts'

export * from './conversations.ts'
export * from './events.ts'
export * from './records.ts'

const MAX_LOCAL_ID_CHARACTERS = 1_000
const MAX_IDEMPOTENCY_KEY_CHARACTERS = 100

export const IDEMPOTENCY_KEY_SECONDS = 7 * 86_400

/** Audience size above which mentioning everyone requires `can_mention_many_users_group`. */
export const WILDCARD_MENTION_THRESHOLD = 15

export const sendMessage = endpoint({
  id: 'sendMessage',
  method: 'POST',
  path: '/messages',
  summary: 'Send a message to a channel or directly to users.',
  since: 0,
  forTokens: 'writing',
  forChannelTokens: true,
  forWriteOnlyBots: true,
  input: z.object({
    type: z.enum(['direct', 'channel', 'stream', 'private']),
    /** A channel's name or ID, or `""` for a bot's `default_sending_stream`; or a list of user IDs or API emails. */
    to: z.union([idInRequest, string, z.array(idInRequest), z.array(string)]),
    /**
     * Markdown. `/poll question` or `/todo title`, followed by one option or `task: description` per line, becomes a
     * poll or to-do list: its first submessage has the type `widget`.
     */
    content: messageContent,
    /** Required for channel messages, with the topic length limit; ignored for direct messages. */
    topic: z.optional(string),
    /** Sender's queue, whose message event will contain `local_id`. */
    queue_id: z.optional(z.string().check(z.maxLength(100))),
    local_id: z.optional(text(MAX_LOCAL_ID_CHARACTERS)),
    /**
     * Name that the client chooses for the message, such as a UUID: 1 to 100 characters. A second request with the same
     * key within a week sends nothing and returns the first message's ID, regardless of later changes to that message,
     * the queue, or permissions. Keys are per user. Refused requests do not use up a key. Reusing a key with another
     * `type`, `to`, `topic`, `content`, or `widget_content` gives `BAD_REQUEST`.
     */
    idempotency_key: z.optional(text(MAX_IDEMPOTENCY_KEY_CHARACTERS).check(z.minLength(1))),
    read_by_sender: z.optional(boolean),
    /** JSON with `widget_type` and `extra_data`, shown instead of the text. Has the same limit as `content`. */
    widget_content: z.optional(messageContent),
  }),
  output: z.object({
    id,
    /** Present if sending made the sender unmute (2) or follow (3) the topic. */
    automatic_new_visibility_policy: z.optional(z.union([z.literal(2), z.literal(3)])),
  }),
  errors: [
    'BAD_REQUEST',
    'STREAM_DOES_NOT_EXIST',
    'REQUEST_VARIABLE_MISSING',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    'MESSAGE_HELD',
    'SLOW_MODE',
  ],
  aliases: { subject: 'topic' },
})

export const renderContent = endpoint({
  id: 'renderContent',
  method: 'POST',
  path: '/messages/render',
  summary: 'Render a message without sending it.',
  since: 0,
  forTokens: 'reading',
  input: z.object({ content: messageContent }),
  output: z.object({
    /** HTML. */
    rendered: string,
  }),
  errors: [],
})

export const SUBMESSAGE_LIMIT: Limit = { most: 1_000, per: 'message', what: 'submessages' }
/** Everyone who reads the message gets all its submessages. */
export const SUBMESSAGE_BYTES_LIMIT: Limit = { most: 1_000_000, per: 'message', what: 'bytes of submessages as JSON' }
const MAX_MESSAGE_TYPE_CHARACTERS = 50

export const WIDGET_MESSAGE_TYPE = 'widget'

/** Data that clients show instead of the text; sent as JSON. */
export const widget = z.object({
  widget_type: z.string().check(z.minLength(1)),
  extra_data: z.nullish(z.record(string, z.unknown())),
})

export const sendSubmessage = endpoint({
  id: 'sendSubmessage',
  method: 'POST',
  path: '/submessage',
  summary: 'Add a submessage to a message, such as a poll vote.',
  since: 0,
  forTokens: 'writing',
  input: z.object({
    message_id: id,
    /** Type of `content`; `widget` for the widget that the message was sent with. */
    msg_type: text(MAX_MESSAGE_TYPE_CHARACTERS),
    content: messageContent,
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const submessageAdded = event({
  type: 'submessage',
  summary: 'A user added a submessage to a message that the receiver can read.',
  payload: z.extend(z.omit(submessage, { id: true }), { submessage_id: id }),
  touches: [],
  apply: () => undefined,
})
