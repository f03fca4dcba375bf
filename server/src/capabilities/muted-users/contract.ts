import * as z from 'zod/mini'
import { event } from '../../kernel/event.ts'
import { id } from '../../kernel/parameters.ts'

export const mutedUser = z.strictObject({
  id,
  /** UNIX seconds: when the user was muted. */
  timestamp: z.int(),
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
