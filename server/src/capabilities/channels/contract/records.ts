import * as z from 'zod/mini'
import { boolean, id, ids, integer, string, text, textAfter } from '../../../kernel/schemas.ts'
import { groupSettingValue } from '../../groups/contract/index.ts'
import { PERMISSIONS, type ChannelPermission } from '../../groups/contract/permissions.ts'
import { LIMITS } from '../../organizations/contract/index.ts'

export const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const

export const channelName = text(LIMITS.max_stream_name_length)
/** The prefix of the name of a resolved topic. It does not count toward the length, so that every topic can be resolved. */
export const RESOLVED_PREFIX = '✔ '
export const topicName = textAfter(RESOLVED_PREFIX, LIMITS.max_topic_length)
export const channelDescription = text(LIMITS.max_stream_description_length)

/** Every permission setting of a channel, as a group setting value. */
export function permissionFields<Field extends z.ZodMiniType>(field: Field): Record<ChannelPermission, Field> {
  const names = Object.keys(PERMISSIONS.stream) as ChannelPermission[]
  return Object.fromEntries(names.map((name) => [name, field])) as Record<ChannelPermission, Field>
}

/** Days, `realm_default` or `unlimited`. */
export const retentionDays = z.union([integer, string])

/** A channel as every account sees it that may know of the channel. */
export const channel = z.strictObject({
  stream_id: id,
  name: string,
  description: string,
  rendered_description: string,
  date_created: integer,
  creator_id: z.nullable(id),
  invite_only: boolean,
  is_web_public: boolean,
  history_public_to_subscribers: boolean,
  is_archived: boolean,
  /** Null: the organization's setting; -1: for ever. */
  message_retention_days: z.nullable(integer),
  topics_policy: z.enum(TOPICS_POLICIES),
  /** Null also for accounts that may not read that message. */
  first_message_id: z.nullable(id),
  folder_id: z.nullable(id),
  is_recently_active: boolean,
  stream_weekly_traffic: z.nullable(integer),
  subscriber_count: integer,
  ...permissionFields(groupSettingValue),
  /** Older words for `can_send_message_group`. */
  stream_post_policy: integer,
  is_announcement_only: boolean,
})
export type ChannelRecord = z.output<typeof channel>

/** A channel with what one subscriber has chosen for it. */
export const subscription = z.extend(channel, {
  color: string,
  is_muted: boolean,
  in_home_view: boolean,
  pin_to_top: boolean,
  desktop_notifications: z.nullable(boolean),
  audible_notifications: z.nullable(boolean),
  push_notifications: z.nullable(boolean),
  email_notifications: z.nullable(boolean),
  wildcard_mentions_notify: z.nullable(boolean),
  /** Present only when the client asked for subscribers. */
  subscribers: z.optional(ids),
  /**
   * Present instead of `subscribers` where the client asked for part of them: all bots, and users who were active in
   * the last 14 days.
   */
  partial_subscribers: z.optional(ids),
})
export type SubscriptionRecord = z.output<typeof subscription>

/** A channel that the user could subscribe to, with its subscribers, or part of them, when they were asked for. */
export type ListedChannel = ChannelRecord & Pick<SubscriptionRecord, 'subscribers' | 'partial_subscribers'>

/** Parameters that configure a channel when it is made. */
export const channelSettings = {
  /** Whether the new channel is announced in the organization's channel for that, unless it is private. */
  announce: z._default(boolean, false),
  /** Whether users whom the actor subscribes are sent a message about it. */
  send_new_subscription_messages: z._default(boolean, true),
  invite_only: z._default(boolean, false),
  is_web_public: z._default(boolean, false),
  is_default_stream: z._default(boolean, false),
  history_public_to_subscribers: z.optional(boolean),
  message_retention_days: z.optional(retentionDays),
  topics_policy: z.optional(z.enum(TOPICS_POLICIES)),
  folder_id: z.optional(id),
  ...permissionFields(z.optional(groupSettingValue)),
}
