import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, integer, nothing, string, text } from '../../kernel/schemas.ts'

export const PUSH_SUBSCRIPTION_LIMIT: Limit = {
  most: 20,
  per: 'user',
  what: 'Web Push devices; the oldest is removed',
}
export const PUSHED_CONVERSATION_LIMIT: Limit = {
  most: 100,
  per: 'account',
  what: 'unread conversations with notifications per device; the one with the oldest message is removed',
}

const MAX_KEY_CHARACTERS = 200

/** Minute of the day, 0 to 1,439. */
const minuteOfDay = integer.check(z.minimum(0), z.maximum(24 * 60 - 1))
/** Minutes from `start` to before `end`, past midnight if `end` is before `start`. */
const quietHours = z.strictObject({ start: minuteOfDay, end: minuteOfDay })
export type QuietHours = z.output<typeof quietHours>

const subscription = z.object({
  id,
  device: string,
  created_at: integer,
  is_current: boolean,
  /** Reason why the last push failed, as a clause; null if the push arrived. */
  failure: z.nullable(string),
})

export const getPushSubscriptions = endpoint({
  id: 'getPushSubscriptions',
  method: 'GET',
  path: '/push_subscriptions',
  summary: 'List your Web Push devices, and the data for subscribing a device.',
  since: 420,
  input: nothing,
  output: z.object({
    /** Server key for `applicationServerKey` of `PushManager.subscribe`. */
    application_server_key: string,
    push_subscriptions: z.array(subscription),
    /** In the user's time zone; null if the user has no quiet hours. */
    quiet_hours: z.nullable(quietHours),
    shows_content: boolean,
  }),
  errors: ['BAD_REQUEST'],
})

export const addPushSubscription = endpoint({
  id: 'addPushSubscription',
  method: 'POST',
  path: '/push_subscriptions',
  summary: 'Subscribe this device to Web Push (RFC 8030), encrypted end to end (RFC 8291).',
  description:
    'Browsers get the parameters from their `PushSubscription`, apps from their UnifiedPush distributor. ' +
    'Subscribing a device again replaces its subscription, even one of another account. A subscription ends with the session ' +
    'or API key that created it, when the push service reports it gone, and with the account. Pushes are JSON. ' +
    '`type` `message` has `message_id`, `timestamp`, `sender`, `content` (absent if the user turned it off), ' +
    '`language`, and the conversation: `channel_id`, `channel`, `topic`, and `topic_name` (for display), or ' +
    '`user_ids` and `names` of the others. A `withdrawal` has the `message_id` of a message to hide, and a `test` ' +
    'only the `language`.',
  since: 420,
  input: z.object({
    endpoint: text(2_000),
    p256dh: text(MAX_KEY_CHARACTERS),
    auth: text(MAX_KEY_CHARACTERS),
    /** Whether the device accepts pushes that show no notification, such as those that withdraw a read message. */
    allows_silent: z._default(boolean, true),
  }),
  output: z.object({ push_subscription_id: id }),
  errors: ['BAD_REQUEST'],
})

export const removePushSubscription = endpoint({
  id: 'removePushSubscription',
  method: 'DELETE',
  path: '/push_subscriptions/:push_subscription_id',
  summary: 'Unsubscribe a device from Web Push.',
  since: 420,
  input: z.object({ push_subscription_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const testPushSubscription = endpoint({
  id: 'testPushSubscription',
  method: 'POST',
  path: '/push_subscriptions/:push_subscription_id/test',
  summary: 'Send a test notification to a device. Ignores quiet hours.',
  since: 420,
  input: z.object({ push_subscription_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const updatePushSettings = endpoint({
  id: 'updatePushSettings',
  method: 'PATCH',
  path: '/push_settings',
  summary: 'Set quiet hours, and whether notifications include message text.',
  since: 420,
  input: z.object({
    quiet_hours: z.optional(z.nullable(quietHours)),
    shows_content: z.optional(boolean),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
