import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { givenId } from '../../../kernel/parameters.ts'
import { channel, channelDescription, channelName, channelSettings, subscription } from './records.ts'

export * from './administering.ts'
export * from './events.ts'
export * from './properties.ts'
export * from './reading.ts'
export * from './records.ts'

/**
 * The most channels in one request, and the most channels times users: they bound how long one request holds the
 * organization up.
 */
export const MAX_CHANNELS_AT_ONCE = 1_000
export const MAX_SUBSCRIPTIONS_AT_ONCE = 25_000

/** Users by id (preferred) or by API email. */
const principals = z.optional(z.union([z.array(givenId), z.array(z.string())]))

export const getStreams = endpoint({
  id: 'getStreams',
  method: 'GET',
  path: '/streams',
  summary: 'List the channels that the user may know of.',
  since: 0,
  input: z.object({
    include_public: z._default(z.boolean(), true),
    include_web_public: z._default(z.boolean(), false),
    include_subscribed: z._default(z.boolean(), true),
    exclude_archived: z._default(z.boolean(), true),
    include_all: z._default(z.boolean(), false),
    include_default: z._default(z.boolean(), false),
    include_owner_subscribed: z._default(z.boolean(), false),
    include_can_access_content: z._default(z.boolean(), false),
  }),
  output: z.object({ streams: z.array(z.extend(channel, { is_default: z.optional(z.boolean()) })) }),
  errors: ['BAD_REQUEST'],
  aliases: { include_all_active: 'include_all' },
})

export const getSubscriptions = endpoint({
  id: 'getSubscriptions',
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'List the channels that the user is subscribed to.',
  since: 0,
  input: z.object({
    /** As at registration. */
    include_subscribers: z._default(z.enum(['true', 'false', 'partial']), 'false'),
  }),
  output: z.object({ subscriptions: z.array(subscription) }),
  errors: [],
})

const subscribed = {
  /** Names by user id. */
  subscribed: z.record(z.string(), z.array(z.string())),
  already_subscribed: z.record(z.string(), z.array(z.string())),
}

export const subscribe = endpoint({
  id: 'subscribe',
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribe users to channels, making those that do not exist.',
  since: 0,
  input: z.object({
    subscriptions: z.array(z.strictObject({ name: channelName, description: z.optional(channelDescription) })),
    principals,
    authorization_errors_fatal: z._default(z.boolean(), true),
    ...channelSettings,
  }),
  output: z.object({
    ...subscribed,
    unauthorized: z.optional(z.array(z.string())),
    /** Whether there were few enough to be sent messages, where these were wanted. */
    new_subscription_messages_sent: z.optional(z.boolean()),
  }),
  errors: ['BAD_REQUEST'],
})

export const updateSubscriptions = endpoint({
  id: 'updateSubscriptions',
  method: 'PATCH',
  path: '/users/me/subscriptions',
  summary: 'Subscribe to channels, making those that do not exist, and unsubscribe from others.',
  since: 0,
  input: z.object({
    delete: z._default(z.array(z.string()), []),
    add: z._default(
      z.array(
        z.strictObject({
          name: channelName,
          /** `#c2c2c2`; only for channels that the user was never subscribed to. */
          color: z.optional(z.string()),
          description: z.optional(channelDescription),
        }),
      ),
      [],
    ),
  }),
  output: z.object({ ...subscribed, removed: z.array(z.string()), not_removed: z.array(z.string()) }),
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST'],
})

export const unsubscribe = endpoint({
  id: 'unsubscribe',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribe users from channels.',
  since: 0,
  input: z.object({ subscriptions: z.array(z.string()), principals }),
  output: z.object({ removed: z.array(z.string()), not_removed: z.array(z.string()) }),
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST'],
})
