import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, idInRequest, integer, nothing, string } from '../../kernel/schemas.ts'

export const MAX_SLOW_MODE_SECONDS = 21_600
export const SLOW_TOPIC_LIMIT: Limit = { most: 100, per: 'channel', what: 'topics with their own slow mode' }

const slowModeSeconds = z.int().check(z.minimum(0), z.maximum(MAX_SLOW_MODE_SECONDS))

export const slowTopic = z.strictObject({ topic: string, seconds: integer })

const slowModeFields = {
  /** Seconds between messages of one person in the channel; 0 if slow mode is off. */
  seconds: integer,
  /** Topics with their own slow mode, which replaces the channel's, in order of their names. */
  topics: z.array(slowTopic),
}

const slowMode = z.strictObject(slowModeFields)
export type SlowMode = z.output<typeof slowMode>

export const getSlowMode = endpoint({
  id: 'getSlowMode',
  method: 'GET',
  path: '/streams/:stream_id/slow_mode',
  summary: "Get a channel's slow mode.",
  description:
    'In slow mode, a person has to wait between messages; the messages of their bots count too. Moderators and people ' +
    'who administer the channel need not wait. A message sent too early is refused with `SLOW_MODE`. Clients with the ' +
    'capability `community` get `slow_mode` events for changes.',
  since: 420,
  input: z.object({ stream_id: idInRequest }),
  output: z.object({
    ...slowModeFields,
    /** How long ago the person last sent a message that counts, for the channel (`topic` is null) and these topics. */
    turns: z.array(z.object({ topic: z.nullable(string), seconds_ago: integer })),
  }),
  errors: ['BAD_REQUEST'],
})

export const updateSlowMode = endpoint({
  id: 'updateSlowMode',
  method: 'PATCH',
  path: '/streams/:stream_id/slow_mode',
  summary: 'Set the slow mode of a channel or topic. Only for moderators and people who administer the channel.',
  since: 420,
  input: z.object({
    stream_id: idInRequest,
    /** Omit for the whole channel. */
    topic: z.optional(string),
    /** 0 turns slow mode off; a topic then has its channel's. */
    seconds: slowModeSeconds,
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

const HOUR_SECONDS = 3_600
export const MIN_LOCK_DOWN_SECONDS = 60
export const MAX_LOCK_DOWN_SECONDS = 7 * 24 * HOUR_SECONDS

/** UNIX seconds when the lock-down ends, or null for none. */
const lockDownEnd = z.nullable(integer)

export const startLockDown = endpoint({
  id: 'startLockDown',
  method: 'POST',
  path: '/lock_down',
  summary: 'Lock the organization down against a raid, or change when a lock-down ends. Moderators only.',
  description:
    'Until it ends, nobody can register or join by an invitation link, only moderators can send invitations, and ' +
    'only moderators and full members who are past the limits for new members can post in public channels. Clients with the capability `community` get ' +
    '`lock_down` when they register, and events about changes.',
  since: 420,
  input: z.object({
    seconds: z._default(
      z.int().check(z.minimum(MIN_LOCK_DOWN_SECONDS), z.maximum(MAX_LOCK_DOWN_SECONDS)),
      HOUR_SECONDS,
    ),
  }),
  output: z.object({ ends_at: integer }),
  errors: ['BAD_REQUEST'],
})

export const endLockDown = endpoint({
  id: 'endLockDown',
  method: 'DELETE',
  path: '/lock_down',
  summary: 'End the lock-down now. Moderators only.',
  since: 420,
  input: nothing,
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const getOwnLimits = endpoint({
  id: 'getOwnLimits',
  method: 'GET',
  path: '/users/me/limits',
  summary: 'Get the limits for new members that apply to you.',
  since: 420,
  input: nothing,
  output: z.object({
    /** Whether the following applies to the person, as a new member. */
    is_newcomer: boolean,
    links: boolean,
    mentions: boolean,
    direct_messages: boolean,
    uploads: boolean,
    /** Whether the person can post in public channels during a lock-down. */
    may_post_in_lock_down: boolean,
  }),
  errors: [],
})

const newcomerSettings = z.strictObject({
  newcomer_messages: integer,
  newcomer_days: integer,
  newcomer_limit_links: boolean,
  newcomer_limit_mentions: boolean,
  newcomer_limit_direct_messages: boolean,
  newcomer_limit_uploads: boolean,
  newcomer_limits_for_invited: boolean,
})
export type NewcomerSettings = z.output<typeof newcomerSettings>

export const getNewcomerSettings = endpoint({
  id: 'getNewcomerSettings',
  method: 'GET',
  path: '/realm/newcomer_limits',
  summary: "Get the organization's limits for new members, which `PATCH /realm` changes.",
  since: 420,
  input: nothing,
  output: newcomerSettings,
  errors: [],
})

/* Events are sent only to clients with the capability `community`. */

declare module '../../kernel/event.ts' {
  interface StateFields {
    lock_down: z.output<typeof lockDownEnd>
  }
}

export const slowModeUpdated = event({
  type: 'slow_mode',
  op: 'update',
  summary: 'The slow mode of a channel or topic changed.',
  payload: z.strictObject({
    stream_id: id,
    /** Null for the whole channel. */
    topic: z.nullable(string),
    seconds: integer,
  }),
  touches: [],
  apply: () => undefined,
})

export const lockDownUpdated = event({
  type: 'lock_down',
  op: 'update',
  summary: 'A lock-down started, was extended or shortened, or ended.',
  payload: z.strictObject({ ends_at: lockDownEnd }),
  touches: ['lock_down'],
  apply(state, { ends_at }) {
    if (state['lock_down'] !== undefined) state['lock_down'] = ends_at
  },
})
