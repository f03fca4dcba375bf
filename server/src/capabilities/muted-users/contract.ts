import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, ids, integer, nothing } from '../../kernel/schemas.ts'

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

/** Sent only to clients with the capability `blocked_users`. */
export const blockedUsersChanged = event({
  type: 'blocked_users',
  summary: 'The users whom the user blocks changed. Contains all of their IDs.',
  payload: z.strictObject({ blocked_users: ids }),
  touches: ['blocked_users'],
  apply(state, { blocked_users }) {
    if (state['blocked_users'] !== undefined) state['blocked_users'] = blocked_users
  },
})

export const MUTED_USER_LIMIT: Limit = { most: 1_000, per: 'user', what: 'muted users, including those blocked' }

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
  summary: 'Unmute a user, which also ends a block. Messages marked as read stay read.',
  since: 48,
  input: z.object({ muted_user_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const blockUser = endpoint({
  id: 'blockUser',
  method: 'POST',
  path: '/users/me/blocked_users/:blocked_user_id',
  summary: 'Block a user.',
  description:
    'Mutes the user. In addition, direct messages from the user to this user alone are sent, but only their author can ' +
    'ever read them, and mentions, reactions, and typing notifications of the user and the bots they own do not reach ' +
    'this user. The blocked user cannot tell. This user cannot send direct messages to the blocked user alone. ' +
    'Moderators, administrators, and owners cannot be blocked.',
  since: 420,
  input: z.object({ blocked_user_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const unblockUser = endpoint({
  id: 'unblockUser',
  method: 'DELETE',
  path: '/users/me/blocked_users/:blocked_user_id',
  summary: 'Unblock a user. Direct messages sent during the block stay hidden.',
  since: 420,
  input: z.object({
    blocked_user_id: id,
    /** Whether the user stays muted. */
    keep_muted: z._default(boolean, false),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
