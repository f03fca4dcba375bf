import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { event } from '../../../kernel/event.ts'
import { boolean, id, nothing, string, text } from '../../../kernel/schemas.ts'

/** Kinds of emoji. Their codes are, in this order: hexadecimal code points joined by dashes; IDs; names. */
export const EMOJI_TYPES = ['unicode_emoji', 'realm_emoji', 'service_extra_emoji'] as const

export const status = z.strictObject({
  /** For older clients: present while the user's `presence_enabled` is off. */
  away: z.optional(boolean),
  status_text: z.optional(string),
  emoji_name: z.optional(string),
  emoji_code: z.optional(string),
  reaction_type: z.optional(z.enum(EMOJI_TYPES)),
})
export type Status = z.output<typeof status>

declare module '../../../kernel/event.ts' {
  interface StateFields {
    user_status: Record<string, Status>
  }
}

export const userStatusChanged = event({
  type: 'user_status',
  summary:
    "A user's status changed, or the receiver can now see it, or no longer can. Unchanged fields are omitted, and " +
    'empty fields are unset.',
  payload: z.extend(status, { user_id: id }),
  touches: ['user_status'],
  apply(state, { user_id, ...changed }) {
    const all = state['user_status']
    if (all === undefined) return
    const { [String(user_id)]: before = {}, ...others } = all
    const after = withoutEmptyFields({ ...before, ...changed })
    state['user_status'] = Object.keys(after).length === 0 ? others : { ...others, [String(user_id)]: after }
  },
})

export function withoutEmptyFields({ away, status_text, ...emoji }: Status): Status {
  return {
    ...(away === true ? { away } : {}),
    ...(status_text === undefined || status_text === '' ? {} : { status_text }),
    ...(emoji.emoji_name === undefined || emoji.emoji_name === '' ? {} : emoji),
  }
}

export const MAX_STATUS_TEXT_CHARACTERS = 60

const statusChangeParameters = {
  status_text: z.optional(text(MAX_STATUS_TEXT_CHARACTERS)),
  emoji_name: z.optional(string),
  emoji_code: z.optional(string),
  reaction_type: z.optional(string),
}

export const getUserStatus = endpoint({
  id: 'getUserStatus',
  method: 'GET',
  path: '/users/:user_id/status',
  summary: "Get a user's status.",
  since: 262,
  forTokens: 'reading',
  input: z.object({ user_id: id }),
  output: z.object({ status }),
  errors: ['BAD_REQUEST'],
})

export const updateOwnStatus = endpoint({
  id: 'updateOwnStatus',
  method: 'POST',
  path: '/users/me/status',
  summary: 'Update your status.',
  since: 0,
  forTokens: 'writing',
  input: z.object({
    ...statusChangeParameters,
    /** For older clients: sets `presence_enabled` to the opposite of this value. */
    away: z.optional(boolean),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const updateUserStatus = endpoint({
  id: 'updateUserStatus',
  method: 'POST',
  path: '/users/:user_id/status',
  summary: "Update another user's status. Administrators only.",
  since: 407,
  input: z.object({ user_id: id, ...statusChangeParameters }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
