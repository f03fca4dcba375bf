import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { boolean, integer, nothing, string } from '../../kernel/schemas.ts'
import { historyLimitDays, PRESENCE_HISTORY_DAYS } from '../presence/contract.ts'
import { MAX_NARROW_TERMS } from '../messages/contract/narrow.ts'
import { CLIENT_CAPABILITIES } from '../../kernel/viewer.ts'
import { recordWith } from '../../kernel/keys.ts'

const clientCapabilities = z.object(
  // Unspecified capabilities are false.
  recordWith(CLIENT_CAPABILITIES, () => z._default(boolean, false)),
)

/** Resumed queues read their events from the log, which by default reaches back only this far. */
const MAX_LIFESPAN_SECONDS = 86_400

/** How long an idle queue is kept for a client with the capability `long_lifespan`. */
export const LONG_LIFESPAN_SECONDS = 14 * 86_400

/** About 70 event types exist. Unknown types are allowed, within this limit. */
const eventTypes = z.array(z.string().check(z.maxLength(100))).check(z.maxLength(500))

const registrationParameters = {
  apply_markdown: z._default(boolean, false),
  /** Whether `avatar_url` is null for avatars that the client can draw itself. Signed-in clients default to true. */
  client_external_avatar: z.optional(boolean),
  /** `partial`: channels with 250 or more subscribers list only bots and users active in the last 14 days. */
  include_subscribers: z._default(z.enum(['true', 'false', 'partial']), 'false'),
  slim_presence: z._default(boolean, false),
  presence_history_limit_days: z._default(historyLimitDays, PRESENCE_HISTORY_DAYS),
  /** Null, which some libraries send, means all types, as if the parameter were missing. */
  event_types: z.nullish(eventTypes),
  /** Whether to include messages of all public channels. Defaults to the bot's setting, or to false for people. */
  all_public_streams: z.optional(boolean),
  /**
   * Only this server knows the capabilities `log_position`, `unread_ranges`, `preferences`, `registrations`,
   * `packed_lists`, `channel_pins`, `bot_commands`, `message_reports`, `held_messages`, `community`, `blocked_users`,
   * `bans`, `public_pages`, and `long_lifespan`. With `packed_lists`, the longest lists, such as `realm_users`, are sent
   * by column (`kernel/packed-rows.ts`). With `long_lifespan`, an idle queue is kept for 14 days, unless the log grows
   * too large; polling then returns `BAD_EVENT_QUEUE_ID`.
   */
  client_capabilities: z.prefault(clientCapabilities, {}),
  fetch_event_types: z.nullish(eventTypes),
  /** Seconds that an idle queue is kept, if longer than the default ten minutes; at most a day. */
  queue_lifespan_secs: z._default(z.int().check(z.minimum(0), z.maximum(MAX_LIFESPAN_SECONDS)), 0),
  narrow: z._default(z.array(z.tuple([string, string])).check(z.maxLength(MAX_NARROW_TERMS)), []),
}

export const registerQueue = endpoint({
  id: 'registerQueue',
  method: 'POST',
  path: '/register',
  summary: 'Register an event queue and get the initial state. Without authentication, get the public state.',
  since: 0,
  forTokens: 'reading',
  authentication: 'optional',
  input: z.object(registrationParameters),
  output: z.looseObject({
    queue_id: z.nullable(string),
    last_event_id: integer,
    service_feature_level: integer,
    service_version: string,
    service_merge_base: string,
    /** Only with the capability `log_position`. An event's log position is this value + floor(event ID / 1024). */
    log_position: z.optional(integer),
  }),
  errors: ['BAD_REQUEST', 'BAD_NARROW'],
})

export const getEvents = endpoint({
  id: 'getEvents',
  method: 'GET',
  path: '/events',
  summary: 'Get events from a queue, waiting for them if there are none. Without `queue_id`, registers a queue first.',
  description: 'With `Accept: text/event-stream`, the response stays open and streams events.',
  since: 0,
  forTokens: 'reading',
  stream: { each: 'events', after: 'last_event_id' },
  input: z.object({
    queue_id: z.optional(string),
    /** Highest received event ID; acknowledges all events up to it. */
    last_event_id: z.optional(integer),
    dont_block: z._default(boolean, false),
    ...registrationParameters,
  }),
  output: z.object({ events: z.array(z.looseObject({ id: integer, type: string })), queue_id: string }),
  errors: ['BAD_REQUEST', 'BAD_EVENT_QUEUE_ID', 'BAD_NARROW'],
})

export const deleteQueue = endpoint({
  id: 'deleteQueue',
  method: 'DELETE',
  path: '/events',
  summary: 'Delete an event queue.',
  since: 0,
  forTokens: 'reading',
  input: z.object({ queue_id: string }),
  output: nothing,
  errors: ['BAD_EVENT_QUEUE_ID'],
})

export const heartbeat = event({
  type: 'heartbeat',
  summary: 'Nothing happened for about a minute.',
  payload: z.strictObject({}),
  touches: [],
  apply() {
    // A heartbeat changes no state.
  },
})
