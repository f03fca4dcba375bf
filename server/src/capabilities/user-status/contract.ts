import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { id, text } from '../../kernel/parameters.ts'
import { status } from '../users/contract/status.ts'

/** In code points. */
export const MAX_STATUS_TEXT = 60

const change = {
  /** Empty for none. */
  status_text: z.optional(text(MAX_STATUS_TEXT)),
  /** Empty for none. */
  emoji_name: z.optional(z.string()),
  /** Where the code is absent, the name alone finds the emoji. */
  emoji_code: z.optional(z.string()),
  reaction_type: z.optional(z.string()),
}

export const getUserStatus = endpoint({
  id: 'getUserStatus',
  method: 'GET',
  path: '/users/:user_id/status',
  summary: 'Show what a user is about.',
  since: 262,
  input: z.object({ user_id: id }),
  output: z.object({ status }),
  errors: ['BAD_REQUEST'],
})

export const updateOwnStatus = endpoint({
  id: 'updateOwnStatus',
  method: 'POST',
  path: '/users/me/status',
  summary: 'Say what the user is about.',
  since: 0,
  input: z.object({
    ...change,
    /** The opposite of the personal setting `presence_enabled`, which is changed: for older clients. */
    away: z.optional(z.boolean()),
  }),
  output: z.object({}),
  errors: ['BAD_REQUEST'],
})

export const updateUserStatus = endpoint({
  id: 'updateUserStatus',
  method: 'POST',
  path: '/users/:user_id/status',
  summary: 'Say what somebody else is about, for administrators.',
  since: 407,
  input: z.object({ user_id: id, ...change }),
  output: z.object({}),
  errors: ['BAD_REQUEST'],
})
