import * as z from 'zod/mini'
import type { Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { id, nothing, string } from '../../kernel/schemas.ts'
import { reaction } from '../messages/contract/index.ts'

export const EXTRA_EMOJI = 'service'
export const MESSAGE_EMOJI_LIMIT: Limit = { most: 200, per: 'message', what: 'different emoji in reactions' }

export const addReaction = endpoint({
  id: 'addReaction',
  method: 'POST',
  path: '/messages/:message_id/reactions',
  summary: 'Add a reaction to a message.',
  since: 0,
  forTokens: 'writing',
  input: z.object({
    message_id: id,
    emoji_name: string,
    /** Without a code, the name alone identifies the emoji. */
    emoji_code: z.optional(string),
    reaction_type: z.optional(string),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'REACTION_ALREADY_EXISTS'],
})

export const removeReaction = endpoint({
  id: 'removeReaction',
  method: 'DELETE',
  path: '/messages/:message_id/reactions',
  summary: 'Remove your reaction from a message.',
  since: 0,
  forTokens: 'writing',
  input: z.object({
    message_id: id,
    emoji_name: z.optional(string),
    /** Together with the type, identifies the reaction even if the emoji was renamed. */
    emoji_code: z.optional(string),
    reaction_type: z.optional(string),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'REACTION_DOES_NOT_EXIST'],
})

const reactionPayload = z.extend(reaction, {
  message_id: id,
  /** Sent for older clients, which do not read `user_id`. */
  user: z.optional(z.strictObject({ user_id: id, email: string, full_name: string })),
})
export type ReactionEvent = z.output<typeof reactionPayload>

export const reactionAdded = event({
  type: 'reaction',
  op: 'add',
  summary: 'A user added a reaction to a message that the receiver can read.',
  payload: reactionPayload,
  touches: [],
  apply: () => undefined,
})

export const reactionRemoved = event({
  type: 'reaction',
  op: 'remove',
  summary: 'A user removed a reaction from a message that the receiver can read.',
  payload: reactionPayload,
  touches: [],
  apply: () => undefined,
})
