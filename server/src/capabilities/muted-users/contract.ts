import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { id, integer, nothing } from '../../kernel/schemas.ts'

export const mutedUser = z.strictObject({
  id,
  timestamp: integer,
})
export type MutedUser = z.output<typeof mutedUser>

export const mutedUsersChanged = event({
  type: 'muted_users',
  summary: "The user's muted users changed. Contains all of them.",
  payload: z.strictObject({ muted_users: z.array(mutedUser) }),
  touches: ['muted_users'],
  apply(state, { muted_users }) {
    if (state['muted_users'] !== undefined) state['muted_users'] = muted_users
  },
})

export const MUTED_USER_LIMIT: Limit = { most: 1_000, per: 'user', what: 'muted users' }

export const muteUser = endpoint({
  id: 'muteUser',
  method: 'POST',
  path: '/users/me/muted_users/:muted_user_id',
  summary: 'Mute a user. Their messages are marked as read.',
  since: 48,
  input: z.object({ muted_user_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const unmuteUser = endpoint({
  id: 'unmuteUser',
  method: 'DELETE',
  path: '/users/me/muted_users/:muted_user_id',
  summary: 'Unmute a user. Messages marked as read stay read.',
  since: 48,
  input: z.object({ muted_user_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
