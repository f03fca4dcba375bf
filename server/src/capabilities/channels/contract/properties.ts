import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { event } from '../../../kernel/event.ts'
import { boolean, id, nothing, string } from '../../../kernel/schemas.ts'

export const MAX_PROPERTIES_AT_ONCE = 1_000

/** `in_home_view` is the legacy inverse of `is_muted`. */
export const SUBSCRIPTION_PROPERTIES = [
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const
export type SubscriptionProperty = (typeof SUBSCRIPTION_PROPERTIES)[number]

const settingName = z.enum(SUBSCRIPTION_PROPERTIES)
/** A color such as `#c2c2c2`; a boolean for other properties. */
const settingValue = z.union([boolean, string])

export const updateSubscriptionSettings = endpoint({
  id: 'updateSubscriptionSettings',
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  summary: 'Set the color, muting, pinning, and notifications of subscribed channels.',
  since: 0,
  input: z.object({
    subscription_data: z
      .array(z.strictObject({ stream_id: id, property: settingName, value: settingValue }))
      .check(z.maxLength(MAX_PROPERTIES_AT_ONCE)),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const updateSubscription = endpoint({
  id: 'updateSubscription',
  method: 'PATCH',
  path: '/users/me/subscriptions/:stream_id',
  summary: 'Set one property of a subscribed channel.',
  since: 0,
  input: z.object({ stream_id: id, property: settingName, value: settingValue }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const subscriptionUpdated = event({
  type: 'subscription',
  op: 'update',
  summary: 'The user changed a property of a subscription.',
  payload: z.strictObject({ stream_id: id, property: settingName, value: settingValue }),
  touches: ['subscriptions', 'unsubscribed'],
  apply(state, { stream_id, property: name, value: chosen }) {
    const { subscriptions = [], unsubscribed = [] } = state
    for (const record of [...subscriptions, ...unsubscribed])
      if (record.stream_id === stream_id) Object.assign(record, { [name]: chosen })
  },
})
