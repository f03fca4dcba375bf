import * as z from 'zod/mini'
import { id, text } from '../../../kernel/parameters.ts'
import { groupSettingValue } from '../../groups/contract/index.ts'
import { PERMISSIONS, type ChannelPermission } from '../../groups/contract/permissions.ts'
import { LIMITS } from '../../organizations/contract/index.ts'

export const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const

export const channelName = text(LIMITS.max_stream_name_length)
export const topicName = text(LIMITS.max_topic_length)
export const channelDescription = text(LIMITS.max_stream_description_length)

/** Every permission setting of a channel, as a group setting value. */
export function permissionFields<Field extends z.ZodMiniType>(field: Field): Record<ChannelPermission, Field> {
  const names = Object.keys(PERMISSIONS.stream) as ChannelPermission[]
  return Object.fromEntries(names.map((name) => [name, field])) as Record<ChannelPermission, Field>
}

/** Days, `realm_default` or `unlimited`. */
export const retentionDays = z.union([z.int(), z.string()])

/** A channel as every account sees it that may know of the channel. */
export const channel = z.strictObject({
  stream_id: id,
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.nullable(id),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  is_archived: z.boolean(),
  /** Null: the organization's setting; -1: for ever. */
  message_retention_days: z.nullable(z.int()),
  topics_policy: z.enum(TOPICS_POLICIES),
  /** Null also for accounts that may not read that message. */
  first_message_id: z.nullable(id),
  folder_id: z.nullable(id),
  is_recently_active: z.boolean(),
  stream_weekly_traffic: z.nullable(z.int()),
  subscriber_count: z.int(),
  ...permissionFields(groupSettingValue),
  /** Older words for `can_send_message_group`. */
  stream_post_policy: z.int(),
  is_announcement_only: z.boolean(),
})
export type ChannelRecord = z.output<typeof channel>

/** A channel with what one subscriber has chosen for it. */
export const subscription = z.extend(channel, {
  color: z.string(),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  pin_to_top: z.boolean(),
  desktop_notifications: z.nullable(z.boolean()),
  audible_notifications: z.nullable(z.boolean()),
  push_notifications: z.nullable(z.boolean()),
  email_notifications: z.nullable(z.boolean()),
  wildcard_mentions_notify: z.nullable(z.boolean()),
  /** Present only when the client asked for subscribers. */
  subscribers: z.optional(z.array(id)),
  /**
   * Present instead of `subscribers` where the client asked for part of them: all bots, and users who were active in
   * the last 14 days.
   */
  partial_subscribers: z.optional(z.array(id)),
})
export type SubscriptionRecord = z.output<typeof subscription>

/** A channel that the user could subscribe to, with its subscribers, or part of them, when they were asked for. */
export type ListedChannel = ChannelRecord & Pick<SubscriptionRecord, 'subscribers' | 'partial_subscribers'>

/** Parameters that configure a channel when it is made. */
export const channelSettings = {
  /** Whether the new channel is announced in the organization's channel for that, unless it is private. */
  announce: z._default(z.boolean(), false),
  /** Whether users whom the actor subscribes are sent a message about it. */
  send_new_subscription_messages: z._default(z.boolean(), true),
  invite_only: z._default(z.boolean(), false),
  is_web_public: z._default(z.boolean(), false),
  is_default_stream: z._default(z.boolean(), false),
  history_public_to_subscribers: z.optional(z.boolean()),
  message_retention_days: z.optional(retentionDays),
  topics_policy: z.optional(z.enum(TOPICS_POLICIES)),
  folder_id: z.optional(id),
  ...permissionFields(z.optional(groupSettingValue)),
}
