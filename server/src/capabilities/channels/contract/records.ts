import * as z from 'zod/mini'
import { boolean, composedText, composedTextAfter, id, ids, integer, string, text } from '../../../kernel/schemas.ts'
import { keysOf, recordWith } from '../../../kernel/keys.ts'
import { groupSettingValue } from '../../groups/contract/index.ts'
import { PERMISSIONS, type ChannelPermission } from '../../groups/contract/permissions.ts'
import { LIMITS } from '../../organizations/contract/index.ts'

export const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const

export const channelName = composedText(LIMITS.max_stream_name_length)
/** Prefix of resolved topics. It does not count toward the maximum length, so that every topic can be resolved. */
export const RESOLVED_PREFIX = '✔ '
export const topicName = composedTextAfter(RESOLVED_PREFIX, LIMITS.max_topic_length)
export const channelDescription = text(LIMITS.max_stream_description_length)

export function permissionFields<Field extends z.ZodMiniType>(field: Field): Record<ChannelPermission, Field> {
  return recordWith(keysOf(PERMISSIONS.stream), () => field)
}

/** Days, `realm_default`, or `unlimited`. */
export const retentionDays = z.union([integer, string])

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
  /** Null for the organization's setting; -1 for unlimited. */
  message_retention_days: z.nullable(integer),
  topics_policy: z.enum(TOPICS_POLICIES),
  /** Null if the channel has no messages, or if the account cannot read the first message. */
  first_message_id: z.nullable(id),
  folder_id: z.nullable(id),
  is_recently_active: boolean,
  stream_weekly_traffic: z.nullable(integer),
  subscriber_count: integer,
  ...permissionFields(groupSettingValue),
  /** Legacy forms of `can_send_message_group`. */
  stream_post_policy: integer,
  is_announcement_only: boolean,
})
export type ChannelRecord = z.output<typeof channel>

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
  /** Only if the client requested subscribers. */
  subscribers: z.optional(ids),
  /** Replaces `subscribers` if the client requested partial lists: all bots, and users active in the last 14 days. */
  partial_subscribers: z.optional(ids),
})
export type SubscriptionRecord = z.output<typeof subscription>

export type ListedChannel = ChannelRecord & Pick<SubscriptionRecord, 'subscribers' | 'partial_subscribers'>

export const channelSettings = {
  /** Private channels are never announced. */
  announce: z._default(boolean, false),
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
