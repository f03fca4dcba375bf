import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, integer, nothing, string, text } from '../../kernel/schemas.ts'

export const PUSH_SUBSCRIPTION_LIMIT: Limit = {
  most: 20,
  per: 'user',
  what: 'devices that are pushed to; the one that was subscribed longest ago is not any more',
}
export const PUSHED_CONVERSATION_LIMIT: Limit = {
  most: 100,
  per: 'account',
  what: 'conversations of which one device is told before they are read; the one whose message is oldest is forgotten',
}

const MAX_KEY = 200

/** Minute of the day, 0 to 1,439. */
const minute = integer.check(z.minimum(0), z.maximum(24 * 60 - 1))
/** Includes the start, excludes the end; crosses midnight if the end is before the start. */
const quietHours = z.strictObject({ start: minute, end: minute })
export type QuietHours = z.output<typeof quietHours>

const subscription = z.object({
  id,
  /** Browser and system, such as `Firefox on Linux`. */
  device: string,
  /** UNIX seconds. */
  created_at: integer,
  is_current: boolean,
  /** Why the last push failed, as a clause; null if it arrived. */
  failure: z.nullable(string),
})

export const getPushSubscriptions = endpoint({
  id: 'getPushSubscriptions',
  method: 'GET',
  path: '/push_subscriptions',
  summary: 'List the devices that you are pushed notifications to, with what a device needs to be subscribed.',
  since: 420,
  input: nothing,
  output: z.object({
    /** Server key for `applicationServerKey` of `PushManager.subscribe`. */
    application_server_key: string,
    /** Newest first. */
    push_subscriptions: z.array(subscription),
    /** In the user's time zone; null for none. */
    quiet_hours: z.nullable(quietHours),
    shows_content: boolean,
  }),
  errors: ['BAD_REQUEST'],
})

export const addPushSubscription = endpoint({
  id: 'addPushSubscription',
  method: 'POST',
  path: '/push_subscriptions',
  summary: 'Have notifications pushed to this device by Web Push (RFC 8030), encrypted for it alone (RFC 8291).',
  description:
    'A browser takes the parameters from its `PushSubscription`, an app from its distributor of UnifiedPush. A device that ' +
    'is subscribed again, by whomever, is no longer what it was before. The subscription ends with the session, or with the API ' +
    'key, by which it was made; when the push service says that it is over; and with the account. What is pushed is JSON. With the ' +
    '`type` `message` it has `message_id`, `timestamp`, `sender`, `content` (text, absent where the user wants that) and `language`, ' +
    'and where the message is: `channel_id`, `channel`, `topic` and `topic_name` (the same for people to read), or `user_ids` and ' +
    '`names` of the others. A `withdrawal` has the `message_id` of the message that is to be shown no more, and a `test` only the `language`.',
  since: 420,
  input: z.object({
    endpoint: text(2_000),
    /** Public key of the device, base64url. */
    p256dh: text(MAX_KEY),
    /** Secret that authenticates pushes to the device, base64url. */
    auth: text(MAX_KEY),
    /** Whether the device accepts pushes that show nothing, which withdraw messages read elsewhere. */
    allows_silent: z._default(boolean, true),
  }),
  output: z.object({ push_subscription_id: id }),
  errors: ['BAD_REQUEST'],
})

export const removePushSubscription = endpoint({
  id: 'removePushSubscription',
  method: 'DELETE',
  path: '/push_subscriptions/:push_subscription_id',
  summary: 'Push nothing more to a device.',
  since: 420,
  input: z.object({ push_subscription_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const testPushSubscription = endpoint({
  id: 'testPushSubscription',
  method: 'POST',
  path: '/push_subscriptions/:push_subscription_id/test',
  summary: 'Push a notification to a device, to see whether that works. Quiet hours do not hold it back.',
  since: 420,
  input: z.object({ push_subscription_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const updatePushSettings = endpoint({
  id: 'updatePushSettings',
  method: 'PATCH',
  path: '/push_settings',
  summary: 'Choose when nothing is pushed, and whether pushes say what messages say.',
  since: 420,
  input: z.object({
    quiet_hours: z.optional(z.nullable(quietHours)),
    shows_content: z.optional(boolean),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
