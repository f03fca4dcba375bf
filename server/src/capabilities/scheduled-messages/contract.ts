import * as z from 'zod/mini'
import { MAX_STORED_CHARACTERS, type Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event, type ClientState } from '../../kernel/event.ts'
import { boolean, idInRequest, id, ids, integer, nothing, string } from '../../kernel/schemas.ts'
import { messageContent } from '../messages/contract/index.ts'

export const SCHEDULED_MESSAGE_LIMIT: Limit = { most: 1_000, per: 'user', what: 'pending scheduled messages' }
export const STORED_CHARACTER_LIMIT: Limit = {
  most: MAX_STORED_CHARACTERS,
  per: 'user',
  what: 'characters of scheduled messages and of their HTML',
}

export const scheduledMessage = z.strictObject({
  scheduled_message_id: id,
  type: z.enum(['stream', 'private']),
  /** Channel ID, or user IDs. The sender's own ID is included only in a message to oneself. */
  to: z.union([id, ids]),
  topic: z.optional(string),
  content: string,
  rendered_content: string,
  scheduled_delivery_timestamp: integer,
  /** Whether sending failed. The message stays until it is changed or deleted. */
  failed: boolean,
})
export type ScheduledMessage = z.output<typeof scheduledMessage>

const destinationType = z.enum(['direct', 'channel', 'stream', 'private'])
const destinationIds = z.union([idInRequest, z.array(idInRequest).check(z.minLength(1))])

const WILDCARD_MENTION_ERRORS = ['STREAM_WILDCARD_MENTION_NOT_ALLOWED', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'] as const

export const getScheduledMessages = endpoint({
  id: 'getScheduledMessages',
  method: 'GET',
  path: '/scheduled_messages',
  summary: 'List your scheduled messages, earliest first.',
  since: 173,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ scheduled_messages: z.array(scheduledMessage) }),
  errors: [],
})

export const createScheduledMessage = endpoint({
  id: 'createScheduledMessage',
  method: 'POST',
  path: '/scheduled_messages',
  summary: 'Schedule a message.',
  since: 179,
  forTokens: 'writing',
  input: z.object({
    type: destinationType,
    to: destinationIds,
    content: messageContent,
    /** Required for channel messages, with the usual length limit; ignored for direct messages. */
    topic: z.optional(string),
    scheduled_delivery_timestamp: integer,
    /** Whether the message is marked as read for its sender. By default, true if a person sends it to others. */
    read_by_sender: z.optional(boolean),
  }),
  output: z.object({ scheduled_message_id: id }),
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST', 'REQUEST_VARIABLE_MISSING', ...WILDCARD_MENTION_ERRORS],
  aliases: { subject: 'topic' },
})

export const updateScheduledMessage = endpoint({
  id: 'updateScheduledMessage',
  method: 'PATCH',
  path: '/scheduled_messages/:scheduled_message_id',
  summary: 'Update a scheduled message, or retry one that failed.',
  since: 184,
  forTokens: 'writing',
  input: z.object({
    scheduled_message_id: id,
    type: z.optional(destinationType),
    to: z.optional(destinationIds),
    content: z.optional(messageContent),
    /** Required if a direct message becomes a channel message; ignored for direct messages. */
    topic: z.optional(string),
    /** Required if an attempt to send the message failed. */
    scheduled_delivery_timestamp: z.optional(integer),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST', ...WILDCARD_MENTION_ERRORS],
  aliases: { subject: 'topic' },
})

export const deleteScheduledMessage = endpoint({
  id: 'deleteScheduledMessage',
  method: 'DELETE',
  path: '/scheduled_messages/:scheduled_message_id',
  summary: 'Delete a scheduled message.',
  since: 173,
  forTokens: 'writing',
  input: z.object({ scheduled_message_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

declare module '../../kernel/event.ts' {
  interface StateFields {
    scheduled_messages: ScheduledMessage[]
  }
}

function scheduledMessagesIn(state: ClientState): ScheduledMessage[] | undefined {
  return state['scheduled_messages']
}

function replaceScheduledMessage(state: ClientState, gone: number, added: readonly ScheduledMessage[] = []): void {
  const scheduled = scheduledMessagesIn(state)
  if (scheduled === undefined) return
  const rest = scheduled.filter((one) => one.scheduled_message_id !== gone)
  state['scheduled_messages'] = [...rest, ...added].toSorted(compareDeliveryTimes)
}

function compareDeliveryTimes(a: ScheduledMessage, b: ScheduledMessage): number {
  return (
    a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.scheduled_message_id - b.scheduled_message_id
  )
}

export const scheduledMessagesAdded = event({
  type: 'scheduled_messages',
  op: 'add',
  summary: 'The user scheduled messages.',
  payload: z.strictObject({ scheduled_messages: z.array(scheduledMessage) }),
  touches: ['scheduled_messages'],
  apply(state, { scheduled_messages }) {
    for (const added of scheduled_messages) replaceScheduledMessage(state, added.scheduled_message_id, [added])
  },
})

export const scheduledMessageUpdated = event({
  type: 'scheduled_messages',
  op: 'update',
  summary: 'A scheduled message was updated or failed.',
  payload: z.strictObject({ scheduled_message: scheduledMessage }),
  touches: ['scheduled_messages'],
  apply(state, { scheduled_message: changed }) {
    replaceScheduledMessage(state, changed.scheduled_message_id, [changed])
  },
})

export const scheduledMessageRemoved = event({
  type: 'scheduled_messages',
  op: 'remove',
  summary: 'A scheduled message was sent, or the user deleted it.',
  payload: z.strictObject({ scheduled_message_id: id }),
  touches: ['scheduled_messages'],
  apply(state, { scheduled_message_id }) {
    replaceScheduledMessage(state, scheduled_message_id)
  },
})
