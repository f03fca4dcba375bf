import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { id, ids, nothing, string } from '../../kernel/schemas.ts'

/** In channels with more subscribers, typing events would cost more than they are worth. */
export const MAX_NOTIFIED_SUBSCRIBERS = 100

const typingOperation = z.enum(['start', 'stop'])

export const setTypingStatus = endpoint({
  id: 'setTypingStatus',
  method: 'POST',
  path: '/typing',
  summary: 'Start or stop a typing notification.',
  since: 0,
  forTokens: 'writing',
  input: z.object({
    type: z._default(z.enum(['direct', 'stream', 'channel']), 'direct'),
    op: typingOperation,
    to: z.optional(z.array(id).check(z.minLength(1))),
    stream_id: z.optional(id),
    topic: z.optional(string),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST', 'REQUEST_VARIABLE_MISSING'],
})

export const setTypingStatusForMessageEdit = endpoint({
  id: 'setTypingStatusForMessageEdit',
  method: 'POST',
  path: '/messages/:message_id/typing',
  summary: 'Start or stop a typing notification for editing a message.',
  since: 351,
  forTokens: 'writing',
  input: z.object({ message_id: id, op: typingOperation }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

const typingPerson = z.strictObject({ user_id: id, email: string })

const typing = z.strictObject({
  message_type: z.enum(['direct', 'stream']),
  sender: typingPerson,
  recipients: z.optional(z.array(typingPerson)),
  stream_id: z.optional(id),
  topic: z.optional(string),
})

function ignoreEvent(): void {
  // Typing is not part of the state: clients just show it for a while.
}

export const typingStarted = event({
  type: 'typing',
  op: 'start',
  summary:
    'A user started typing a message to the receiver. Channel messages: only with `stream_typing_notifications`.',
  payload: typing,
  isEphemeral: true,
  touches: [],
  apply: ignoreEvent,
})

export const typingStopped = event({
  type: 'typing',
  op: 'stop',
  summary: 'A user stopped typing a message to the receiver.',
  payload: typing,
  isEphemeral: true,
  touches: [],
  apply: ignoreEvent,
})

const typingEdit = z.strictObject({
  sender_id: id,
  message_id: id,
  recipient: z.strictObject({
    type: z.enum(['direct', 'channel']),
    channel_id: z.optional(id),
    topic: z.optional(string),
    user_ids: z.optional(ids),
  }),
})

export const editTypingStarted = event({
  type: 'typing_edit_message',
  op: 'start',
  summary: 'A user started editing a message that the receiver can read.',
  payload: typingEdit,
  isEphemeral: true,
  touches: [],
  apply: ignoreEvent,
})

export const editTypingStopped = event({
  type: 'typing_edit_message',
  op: 'stop',
  summary: 'A user stopped editing a message that the receiver can read.',
  payload: typingEdit,
  isEphemeral: true,
  touches: [],
  apply: ignoreEvent,
})
