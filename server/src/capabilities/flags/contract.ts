import { z } from 'zod'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { id } from '../../kernel/parameters.ts'
import { addUnread, addUnreadMention, removeUnread } from '../messages/contract/index.ts'

/** Messages that one request may name. */
export const MAX_FLAGGED_MESSAGES = 5_000

/** Flags that a user may set and take away; the server sets the others. */
export const EDITABLE_FLAGS = ['read', 'starred', 'collapsed'] as const

export const updateMessageFlags = endpoint({
  id: 'updateMessageFlags',
  method: 'POST',
  path: '/messages/flags',
  summary: 'Set or take away a personal flag of messages: `read`, `starred` or `collapsed`.',
  since: 0,
  input: z.object({ messages: z.array(id).max(MAX_FLAGGED_MESSAGES), op: z.enum(['add', 'remove']), flag: z.string() }),
  output: z.object({
    /** The messages that were named. */
    messages: z.array(id),
    /** Channels whose messages cannot be unread, because the user is not subscribed. */
    ignored_because_not_subscribed_channels: z.array(id),
  }),
  errors: ['BAD_REQUEST'],
})

/** What a client needs to list a message that is unread again. */
const messageDetails = z.strictObject({
  type: z.enum(['private', 'stream']),
  /** Present where it mentions the user, by name, group or wildcard. */
  mentioned: z.boolean().optional(),
  /** The others in a direct conversation. */
  user_ids: z.array(id).optional(),
  stream_id: id.optional(),
  topic: z.string().optional(),
})
export type MessageDetails = z.output<typeof messageDetails>

export const flagsAdded = event({
  type: 'update_message_flags',
  op: 'add',
  summary: 'The user set a flag of messages.',
  payload: z.strictObject({
    operation: z.literal('add'),
    flag: z.string(),
    messages: z.array(id),
    all: z.boolean(),
  }),
  apply(state, { flag, messages }) {
    if (flag === 'read') {
      const gone = new Set(messages)
      removeUnread(state, (messageId) => gone.has(messageId))
    }
    // Put there by the register response, whose shape is this capability's own.
    const starred = state['starred_messages'] as number[] | undefined
    if (flag === 'starred' && starred !== undefined) {
      state['starred_messages'] = [...new Set([...starred, ...messages])].toSorted((a, b) => a - b)
    }
  },
})

export const flagsRemoved = event({
  type: 'update_message_flags',
  op: 'remove',
  summary: 'The user took a flag of messages away.',
  payload: z.strictObject({
    operation: z.literal('remove'),
    flag: z.string(),
    messages: z.array(id),
    all: z.boolean(),
    /** By message id; only for `read`. */
    message_details: z.record(z.string(), messageDetails).optional(),
  }),
  apply(state, { flag, messages, message_details }) {
    const { user_id: ownId = 0 } = state as { user_id?: number }
    for (const [messageId, details] of Object.entries(message_details ?? {})) {
      const { stream_id, topic, user_ids } = details
      const place =
        stream_id !== undefined
          ? { stream_id, topic: topic ?? '' }
          : { memberIds: [...(user_ids ?? []), ownId].toSorted((a, b) => a - b) }
      addUnread(state, ownId, [Number(messageId)], place)
      if (details.mentioned === true) addUnreadMention(state, Number(messageId))
    }
    const starred = state['starred_messages'] as number[] | undefined
    if (flag === 'starred' && starred !== undefined) {
      state['starred_messages'] = starred.filter((messageId) => !messages.includes(messageId))
    }
  },
})
