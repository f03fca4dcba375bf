import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { COUNT_LIMITS } from '../../kernel/limits.ts'
import { id, integer, nothing } from '../../kernel/schemas.ts'

export const mutedUser = z.strictObject({
  id,
  /** UNIX seconds: when the user was muted. */
  timestamp: integer,
})
export type MutedUser = z.output<typeof mutedUser>

export const mutedUsersChanged = event({
  type: 'muted_users',
  summary: 'The users that the user muted changed; the event has all of them.',
  payload: z.strictObject({ muted_users: z.array(mutedUser) }),
  apply(state, { muted_users }) {
    if (state['muted_users'] !== undefined) state['muted_users'] = muted_users
  },
})

/** Users that one user may mute. Every change sends all of them. */
export const MAX_MUTED_USERS = COUNT_LIMITS.mutedUsers.most

export const muteUser = endpoint({
  id: 'muteUser',
  method: 'POST',
  path: '/users/me/muted_users/:muted_user_id',
  summary: 'Mute a user: what they wrote and write is read.',
  since: 48,
  input: z.object({ muted_user_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const unmuteUser = endpoint({
  id: 'unmuteUser',
  method: 'DELETE',
  path: '/users/me/muted_users/:muted_user_id',
  summary: 'Mute a user no longer. What was read meanwhile stays read.',
  since: 48,
  input: z.object({ muted_user_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
