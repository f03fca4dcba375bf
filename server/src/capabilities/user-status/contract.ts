import { z } from 'zod'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { id, text } from '../../kernel/parameters.ts'
import { reaction } from '../messages/contract/index.ts'

/** In code points. */
export const MAX_STATUS_TEXT = 60

/** What somebody is about, without what is empty. */
export const status = z.strictObject({
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: reaction.shape.reaction_type.optional(),
})
export type Status = z.output<typeof status>

const change = {
  /** Empty for none. */
  status_text: text(MAX_STATUS_TEXT).optional(),
  /** Empty for none. */
  emoji_name: z.string().optional(),
  /** With the name alone, the emoji that has it. */
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
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
  input: z.object(change),
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

export const userStatusChanged = event({
  type: 'user_status',
  summary: 'A user is about something else. What did not change is left out, and what is empty is none any more.',
  payload: status.extend({ user_id: id }),
  apply(state, { user_id, ...changed }) {
    if (state['user_status'] === undefined) return
    // Put there by the register response, whose shape is this capability's own.
    const all = state['user_status'] as Record<string, Status>
    const { [String(user_id)]: before = {}, ...others } = all
    const after = withoutEmpty({ ...before, ...changed })
    state['user_status'] = Object.keys(after).length === 0 ? others : { ...others, [String(user_id)]: after }
  },
})

/** A status without what is empty; an emoji is its name, code and type. */
export function withoutEmpty({ status_text, ...emoji }: Status): Status {
  return {
    ...(status_text === undefined || status_text === '' ? {} : { status_text }),
    ...(emoji.emoji_name === undefined || emoji.emoji_name === '' ? {} : emoji),
  }
}
