import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { composedText, id, idInRequest, integer, nothing, string } from '../../kernel/schemas.ts'

const MAX_REASON_CHARACTERS = 1_000
const DAY_SECONDS = 86_400
const MIN_BAN_SECONDS = 60
const MAX_BAN_SECONDS = 3_650 * DAY_SECONDS

const ban = z.strictObject({
  user_id: id,
  reason: string,
  /** Null if the operator banned the user. */
  banned_by: z.nullable(id),
  /** UNIX seconds. */
  banned_at: integer,
  /** UNIX seconds; null until someone lifts the ban. */
  ends_at: z.nullable(integer),
})
export type Ban = z.output<typeof ban>

const MAX_BANS_PER_PAGE = 100

export const getBans = endpoint({
  id: 'getBans',
  method: 'GET',
  path: '/bans',
  summary: 'List banned users, most recent first.',
  description:
    'Requires the role moderator or above. Clients with the capability `bans` get `bans` events for changes. Page with ' +
    'the `banned_at` and `user_id` of the last ban.',
  since: 420,
  input: z.object({
    /** Returns only bans before this time, in UNIX seconds. */
    before: z.optional(integer),
    /** Also returns the bans of the second `before` that come after this user's. */
    before_user_id: z.optional(idInRequest),
    limit: z._default(z.int().check(z.minimum(1), z.maximum(MAX_BANS_PER_PAGE)), MAX_BANS_PER_PAGE),
  }),
  output: z.object({ bans: z.array(ban), has_older: z.boolean() }),
  errors: ['BAD_REQUEST'],
})

export const banUser = endpoint({
  id: 'banUser',
  method: 'POST',
  path: '/users/:user_id/ban',
  summary: 'Ban a user with a lower role.',
  description:
    'Requires the role moderator or above. Deactivates the account and its bots: their sessions, API tokens, and event ' +
    'queues end, and nobody can register with their email address. When signing in with the right password, the user ' +
    'gets the reason and the end. When the ban ends, the account is reactivated, but its bots are not.',
  since: 420,
  input: z.object({
    user_id: idInRequest,
    /** Shown to the user and to those who can lift the ban. */
    reason: composedText(MAX_REASON_CHARACTERS),
    /** If omitted, the ban lasts until someone lifts it. */
    duration_seconds: z.optional(z.int().check(z.minimum(MIN_BAN_SECONDS), z.maximum(MAX_BAN_SECONDS))),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const liftBan = endpoint({
  id: 'liftBan',
  method: 'DELETE',
  path: '/users/:user_id/ban',
  summary: "End a user's ban.",
  description: 'Requires the permission to ban the user. Reactivates the account.',
  since: 420,
  input: z.object({ user_id: idInRequest }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const MESSAGES_OF_BANNED_PER_REQUEST = 1_000

export const deleteMessagesOfBanned = endpoint({
  id: 'deleteMessagesOfBanned',
  method: 'POST',
  path: '/users/:user_id/ban/delete_messages',
  summary: 'Delete what a banned user and their bots wrote in channels shortly before the ban.',
  description:
    'Requires the permission to ban the user. Deletes only messages in channels whose whole history the actor can ' +
    'read. If `complete` is false, repeat the request to delete more.',
  since: 420,
  input: z.object({
    user_id: idInRequest,
    /** How long before the ban the messages were sent. */
    within_seconds: z.int().check(z.minimum(1), z.maximum(DAY_SECONDS)),
  }),
  output: z.object({ complete: z.boolean() }),
  errors: ['BAD_REQUEST'],
})

/** Only for clients with the capability `bans`. */
export const banAdded = event({
  type: 'bans',
  op: 'add',
  summary: 'A user was banned. Fetch the list again. For moderators and above.',
  payload: z.strictObject({ user_id: id }),
  touches: [],
  apply() {},
})

/** Only for clients with the capability `bans`. */
export const banRemoved = event({
  type: 'bans',
  op: 'remove',
  summary: "A user's ban ended. Fetch the list again. For moderators and above.",
  payload: z.strictObject({ user_id: id }),
  touches: [],
  apply() {},
})
