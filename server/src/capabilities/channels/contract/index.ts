import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import type { Limit } from '../../../kernel/limits.ts'
import { boolean, idInRequest, string, id, ids } from '../../../kernel/schemas.ts'
import { channel, channelDescription, channelName, channelSettings, subscription } from './records.ts'

export * from './administering.ts'
export * from './events.ts'
export * from './properties.ts'
export * from './records.ts'

export const CHANNEL_LIMIT: Limit = { most: 5_000, per: 'creator', what: 'channels, including archived ones' }

/** Both limit how long a request holds the organization's lock. The second counts channels times users. */
export const MAX_CHANNELS_AT_ONCE = 1_000
export const MAX_SUBSCRIPTIONS_AT_ONCE = 25_000

/** Users by ID (preferred) or API email. */
const principals = z.optional(z.union([z.array(idInRequest), z.array(string)]))

export const getStreams = endpoint({
  id: 'getStreams',
  method: 'GET',
  path: '/streams',
  summary: 'List the channels that the user can see.',
  since: 0,
  forTokens: 'reading',
  input: z.object({
    include_public: z._default(boolean, true),
    include_web_public: z._default(boolean, false),
    include_subscribed: z._default(boolean, true),
    exclude_archived: z._default(boolean, true),
    include_all: z._default(boolean, false),
    include_default: z._default(boolean, false),
    include_owner_subscribed: z._default(boolean, false),
    include_can_access_content: z._default(boolean, false),
  }),
  output: z.object({ streams: z.array(z.extend(channel, { is_default: z.optional(boolean) })) }),
  errors: ['BAD_REQUEST'],
  aliases: { include_all_active: 'include_all' },
})

export const getSubscriptions = endpoint({
  id: 'getSubscriptions',
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'List the channels that the user is subscribed to.',
  since: 0,
  forTokens: 'reading',
  input: z.object({
    include_subscribers: z._default(z.enum(['true', 'false', 'partial']), 'false'),
  }),
  output: z.object({ subscriptions: z.array(subscription) }),
  errors: [],
})

const subscribedFields = {
  /** Channel names by user ID. */
  subscribed: z.record(string, z.array(string)),
  already_subscribed: z.record(string, z.array(string)),
}

export const subscribe = endpoint({
  id: 'subscribe',
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribe users to channels. Creates channels that do not exist.',
  since: 0,
  forTokens: 'writing',
  input: z.object({
    subscriptions: z.array(z.strictObject({ name: channelName, description: z.optional(channelDescription) })),
    principals,
    authorization_errors_fatal: z._default(boolean, true),
    ...channelSettings,
  }),
  output: z.object({
    ...subscribedFields,
    unauthorized: z.optional(z.array(string)),
    /** Whether the requested notices were sent; false if there were too many users. */
    new_subscription_messages_sent: z.optional(boolean),
  }),
  errors: ['BAD_REQUEST'],
})

export const updateSubscriptions = endpoint({
  id: 'updateSubscriptions',
  method: 'PATCH',
  path: '/users/me/subscriptions',
  summary: 'Subscribe to channels, creating those that do not exist, and unsubscribe from others.',
  since: 0,
  input: z.object({
    delete: z._default(z.array(string), []),
    add: z._default(
      z.array(
        z.strictObject({
          name: channelName,
          /** For example `#c2c2c2`; only for channels without an earlier subscription. */
          color: z.optional(string),
          description: z.optional(channelDescription),
        }),
      ),
      [],
    ),
  }),
  output: z.object({ ...subscribedFields, removed: z.array(string), not_removed: z.array(string) }),
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST'],
})

export const unsubscribe = endpoint({
  id: 'unsubscribe',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribe users from channels.',
  since: 0,
  forTokens: 'writing',
  input: z.object({ subscriptions: z.array(string), principals }),
  output: z.object({ removed: z.array(string), not_removed: z.array(string) }),
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST'],
})

export const getStreamId = endpoint({
  id: 'getStreamId',
  method: 'GET',
  path: '/get_stream_id',
  summary: "Get a channel's ID by name.",
  since: 0,
  forTokens: 'reading',
  input: z.object({ stream: string }),
  output: z.object({ stream_id: id }),
  errors: ['BAD_REQUEST'],
})

export const getStream = endpoint({
  id: 'getStream',
  method: 'GET',
  path: '/streams/:stream_id',
  summary: 'Get a channel.',
  since: 132,
  forTokens: 'reading',
  input: z.object({ stream_id: id }),
  output: z.object({ stream: channel }),
  errors: ['BAD_REQUEST'],
})

export const getSubscribers = endpoint({
  id: 'getSubscribers',
  method: 'GET',
  path: '/streams/:stream_id/members',
  summary: "List a channel's subscribers.",
  since: 0,
  forTokens: 'reading',
  input: z.object({ stream_id: id }),
  output: z.object({ subscribers: ids }),
  errors: ['BAD_REQUEST'],
})

export const getSubscriptionStatus = endpoint({
  id: 'getSubscriptionStatus',
  method: 'GET',
  path: '/users/:user_id/subscriptions/:stream_id',
  summary: 'Check whether a user is subscribed to a channel.',
  since: 12,
  forTokens: 'reading',
  input: z.object({ user_id: id, stream_id: id }),
  output: z.object({ is_subscribed: boolean }),
  errors: ['BAD_REQUEST'],
})

export const getUserChannels = endpoint({
  id: 'getUserChannels',
  method: 'GET',
  path: '/users/:user_id/channels',
  summary: 'List the channels that a user is subscribed to and that you can see.',
  since: 440,
  forTokens: 'reading',
  input: z.object({ user_id: id }),
  output: z.object({ subscribed_channel_ids: ids }),
  errors: ['BAD_REQUEST'],
})
