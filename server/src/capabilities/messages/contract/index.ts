import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, givenId, id, string, text } from '../../../kernel/schemas.ts'
import { messageContent } from './records.ts'

export * from './conversations.ts'
export * from './events.ts'
export * from './records.ts'
export * from './submessages.ts'
export * from './topics.ts'

const MAX_LOCAL_ID = 1_000
const MAX_IDEMPOTENCY_KEY = 100

/** How long a send is known again by its `idempotency_key`. */
export const IDEMPOTENCY_KEY_SECONDS = 7 * 86_400

/** The most users that any user may mention at once; above it, only members of `can_mention_many_users_group` may. */
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
    /** A channel's name or id, empty for a bot's `default_sending_stream`; or the ids or API emails of users. */
    to: z.union([givenId, string, z.array(givenId), z.array(string)]),
    /**
     * Markdown. What begins with `/poll question` or `/todo title`, with an option or a `task: description` in each line
     * that follows, is a poll or a list of tasks as well: its first submessage is of the type `widget`.
     */
    content: messageContent,
    /** Required for channel messages, of which it has the limit; ignored for others. */
    topic: z.optional(string),
    /** The sender's own queue, which gets `local_id` back in the message event. */
    queue_id: z.optional(z.string().check(z.maxLength(100))),
    local_id: z.optional(text(MAX_LOCAL_ID)),
    /**
     * A name of the client's choice for this send, of 1 to 100 characters, such as a UUID. A second send with the same key
     * within a week sends nothing and is answered with the id of the first message, whatever became of it, of the queue or
     * of the right to send it. Each user has keys of their own. A send that is refused does not use up its key. With the
     * same key and another `type`, `to`, `topic`, `content` or `widget_content` the answer is `BAD_REQUEST`.
     */
    idempotency_key: z.optional(text(MAX_IDEMPOTENCY_KEY).check(z.minLength(1))),
    read_by_sender: z.optional(boolean),
    /**
     * The widget as which clients show the message, whatever its text says: `widget_type` and `extra_data` as JSON,
     * with the limit of `content`.
     */
    widget_content: z.optional(messageContent),
  }),
  output: z.object({
    id,
    /** Present when sending made the sender unmute (2) or follow (3) the topic. */
    automatic_new_visibility_policy: z.optional(z.union([z.literal(2), z.literal(3)])),
  }),
  errors: [
    'BAD_REQUEST',
    'STREAM_DOES_NOT_EXIST',
    'REQUEST_VARIABLE_MISSING',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  aliases: { subject: 'topic' },
})

export const renderContent = endpoint({
  id: 'renderContent',
  method: 'POST',
  path: '/messages/render',
  summary: 'Show a text as the user would send it, without sending it.',
  since: 0,
  forTokens: 'reading',
  input: z.object({ content: messageContent }),
  output: z.object({
    /** HTML. */
    rendered: string,
  }),
  errors: [],
})
