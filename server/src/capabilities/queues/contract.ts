import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { boolean, integer, nothing, string } from '../../kernel/schemas.ts'
import { historyLimitDays, PRESENCE_HISTORY_DAYS } from '../presence/contract.ts'
import { MAX_NARROW_TERMS } from '../messages/contract/narrow.ts'
import { CLIENT_CAPABILITIES } from '../../kernel/viewer.ts'

const clientCapabilities = z.object(
  // Every capability by its name, false when the client does not say.
  Object.fromEntries(CLIENT_CAPABILITIES.map((name) => [name, z._default(boolean, false)])) as Record<
    (typeof CLIENT_CAPABILITIES)[number],
    z.ZodMiniDefault<z.ZodMiniBoolean<boolean>>
  >,
)

/** The log, from which a queue that comes back is filled, goes back no further. */
const MAX_LIFESPAN_SECONDS = 86_400

/** How long the queue of a client with the capability `long_lifespan` stays without use. */
export const LONG_LIFESPAN_SECONDS = 14 * 86_400

/** There are about seventy types; unknown ones are allowed, but not without end. */
const eventTypes = z.array(z.string().check(z.maxLength(100))).check(z.maxLength(500))

const registration = {
  /** Rendered HTML instead of the text as written. */
  apply_markdown: z._default(boolean, false),
  /**
   * `avatar_url` is null where the client draws the picture itself. The default is true for clients that are logged
   * in.
   */
  client_external_avatar: z.optional(boolean),
  /**
   * The subscribers that are listed for each channel: none, all, or with `partial` for channels of 250 or more only
   * bots and users who were active in the last 14 days, then as `partial_subscribers`.
   */
  include_subscribers: z._default(z.enum(['true', 'false', 'partial']), 'false'),
  slim_presence: z._default(boolean, false),
  /** Days that `presences` goes back. */
  presence_history_limit_days: z._default(historyLimitDays, PRESENCE_HISTORY_DAYS),
  /** Null, as some libraries send it, is all types like its absence. */
  event_types: z.nullish(eventTypes),
  /** Whether messages of all public channels come too; a bot’s own default where it is not given, else false. */
  all_public_streams: z.optional(boolean),
  /**
   * What the client understands. Other servers do not know `log_position`, `unread_ranges`, `preferences`, `registrations`
   * and `long_lifespan`, with which the queue stays for 14 days without use, unless very much happens meanwhile: polling it
   * then answers `BAD_EVENT_QUEUE_ID`.
   */
  client_capabilities: z.prefault(clientCapabilities, {}),
  fetch_event_types: z.nullish(eventTypes),
  /** How long the queue stays without use, where that is to be longer than the usual ten minutes; no longer than a day. */
  queue_lifespan_secs: z._default(z.int().check(z.minimum(0), z.maximum(MAX_LIFESPAN_SECONDS)), 0),
  narrow: z._default(z.array(z.tuple([string, string])).check(z.maxLength(MAX_NARROW_TERMS)), []),
}

export const registerQueue = endpoint({
  id: 'registerQueue',
  method: 'POST',
  path: '/register',
  summary:
    'Register an event queue and get the state that its events will change; without a login, see what is open to all.',
  since: 0,
  forTokens: 'reading',
  authentication: 'optional',
  input: z.object(registration),
  output: z.looseObject({
    /** Null for clients that are not logged in: there are no events of what is open to all. */
    queue_id: z.nullable(string),
    last_event_id: integer,
    service_feature_level: integer,
    service_version: string,
    service_merge_base: string,
    /**
     * Only for clients with the capability `log_position`: where in the organization's log the queue begins. An event of
     * the queue is at this position plus its id divided by 1,024, rounded down.
     */
    log_position: z.optional(integer),
  }),
  errors: ['BAD_REQUEST', 'BAD_NARROW'],
})

export const getEvents = endpoint({
  id: 'getEvents',
  method: 'GET',
  path: '/events',
  summary: 'Wait for events of a queue. Without `queue_id`, registers one with the parameters of registration.',
  description: 'With `Accept: text/event-stream` the answer stays open and sends all events that follow, as they come.',
  since: 0,
  forTokens: 'reading',
  stream: { each: 'events', after: 'last_event_id' },
  input: z.object({
    queue_id: z.optional(string),
    /** The highest event id received: events up to it are acknowledged. */
    last_event_id: z.optional(integer),
    dont_block: z._default(boolean, false),
    ...registration,
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
    // A heartbeat changes nothing.
  },
})
