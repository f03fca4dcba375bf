import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { id, idInRequest, integer, nothing, string, text } from '../../kernel/schemas.ts'

export const HELD_MESSAGE_LIMIT: Limit = { most: 50, per: 'user', what: 'messages that wait for review' }
export const MAX_REJECTION_CHARACTERS = 1_000

export const heldMessage = z.strictObject({
  held_message_id: id,
  /** Account that wrote the message, and whose permissions it is sent with. */
  author_id: id,
  stream_id: id,
  topic: string,
  content: string,
  /** UNIX seconds. */
  held_at: integer,
})
export type HeldMessage = z.output<typeof heldMessage>

export const getHeldMessages = endpoint({
  id: 'getHeldMessages',
  method: 'GET',
  path: '/held_messages',
  summary: 'List your messages that wait for review, oldest first.',
  description:
    'A message that contains a reviewed word or pattern is not sent: sending it returns `MESSAGE_HELD` with ' +
    '`held_message_id`, and a moderator approves or rejects it.',
  since: 420,
  input: nothing,
  output: z.object({ held_messages: z.array(heldMessage) }),
  errors: [],
})

export const withdrawHeldMessage = endpoint({
  id: 'withdrawHeldMessage',
  method: 'DELETE',
  path: '/held_messages/:held_message_id',
  summary: 'Withdraw your message that waits for review.',
  since: 420,
  input: z.object({ held_message_id: idInRequest }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const getHeldMessageQueue = endpoint({
  id: 'getHeldMessageQueue',
  method: 'GET',
  path: '/held_messages/queue',
  summary: 'List messages that wait for review in channels that you can read, oldest first. Moderators only.',
  description: 'Clients with the capability `held_messages` get an event for each message that is held or reviewed.',
  since: 420,
  input: nothing,
  output: z.object({
    held_messages: z.array(heldMessage),
    /** The setting `held_message_patterns`. */
    patterns: string,
  }),
  errors: ['BAD_REQUEST'],
})

export const approveHeldMessage = endpoint({
  id: 'approveHeldMessage',
  method: 'POST',
  path: '/held_messages/:held_message_id/approve',
  summary: 'Send a message that waits for review. Moderators only.',
  description: 'The message is sent now, by its author, and refused if the author can no longer send it.',
  since: 420,
  input: z.object({ held_message_id: idInRequest }),
  output: z.object({ id }),
  errors: ['BAD_REQUEST', 'STREAM_WILDCARD_MENTION_NOT_ALLOWED', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
})

export const rejectHeldMessage = endpoint({
  id: 'rejectHeldMessage',
  method: 'POST',
  path: '/held_messages/:held_message_id/reject',
  summary: 'Reject a message that waits for review. Its author gets the text back as a draft. Moderators only.',
  since: 420,
  input: z.object({ held_message_id: idInRequest, reason: z._default(text(MAX_REJECTION_CHARACTERS), '') }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

/* Events are sent only to clients with the capability `held_messages`. */

declare module '../../kernel/event.ts' {
  interface StateFields {
    /** The user's own messages, oldest first. */
    held_messages: HeldMessage[]
    /** Messages that the user can review: clients of moderators add the response of `getHeldMessageQueue`. */
    held_message_queue: HeldMessage[]
  }
}

function withoutMessage(known: readonly HeldMessage[], held_message_id: number): HeldMessage[] {
  return known.filter((one) => one.held_message_id !== held_message_id)
}

export const heldMessageAdded = event({
  type: 'held_messages',
  op: 'add',
  summary: "The user's message waits for review.",
  payload: z.strictObject({ held_message: heldMessage }),
  touches: ['held_messages'],
  apply(state, { held_message: added }) {
    const known = state['held_messages']
    if (known !== undefined) state['held_messages'] = [...withoutMessage(known, added.held_message_id), added]
  },
})

export const heldMessageRemoved = event({
  type: 'held_messages',
  op: 'remove',
  summary: "The user's message was approved, rejected, or withdrawn.",
  payload: z.strictObject({ held_message_id: id }),
  touches: ['held_messages'],
  apply(state, { held_message_id }) {
    const known = state['held_messages']
    if (known !== undefined) state['held_messages'] = withoutMessage(known, held_message_id)
  },
})

export const heldMessageQueued = event({
  type: 'held_messages',
  op: 'queue_add',
  summary: 'A message waits for review by the user.',
  payload: z.strictObject({ held_message: heldMessage }),
  touches: ['held_message_queue'],
  apply(state, { held_message: added }) {
    const known = state['held_message_queue']
    if (known !== undefined) state['held_message_queue'] = [...withoutMessage(known, added.held_message_id), added]
  },
})

export const heldMessageUnqueued = event({
  type: 'held_messages',
  op: 'queue_remove',
  summary: 'A message that the user could review was approved, rejected, or withdrawn.',
  payload: z.strictObject({ held_message_id: id, stream_id: id }),
  touches: ['held_message_queue'],
  apply(state, { held_message_id }) {
    const known = state['held_message_queue']
    if (known !== undefined) state['held_message_queue'] = withoutMessage(known, held_message_id)
  },
})
