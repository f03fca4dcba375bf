import type {
  channelFolders,
  channels,
  customEmoji,
  drafts,
  groups,
  linkifiers,
  messages,
  mutedUsers,
  navigationViews,
  preferences,
  presence,
  reminders,
  scheduledMessages,
  uploads,
  snippets,
  userTopics,
  users,
} from '@parley/server/contract'

/**
 * The fields of the register response that this client asks for and reads. The events that follow change them by the
 * folds that each event declares; nothing here is changed in any other way.
 */
export interface State {
  readonly queue_id: string
  /** The position of the organization's log at which the queue begins. */
  readonly log_position: number
  readonly user_id: number
  readonly full_name: string
  readonly email: string
  readonly is_admin: boolean
  readonly is_guest: boolean
  readonly realm_name: string
  readonly realm_url: string
  readonly realm_default_code_block_language: string
  readonly realm_inline_image_preview: boolean
  readonly realm_linkifiers: readonly linkifiers.Linkifier[]
  readonly realm_enable_read_receipts: boolean
  readonly realm_allow_message_editing: boolean
  readonly realm_message_edit_history_visibility_policy: string
  /** Seconds since a message was sent; null is no limit. */
  readonly realm_message_content_edit_limit_seconds: number | null
  readonly realm_message_content_delete_limit_seconds: number | null
  readonly realm_move_messages_within_stream_limit_seconds: number | null
  readonly realm_move_messages_between_streams_limit_seconds: number | null
  readonly realm_can_delete_any_message_group: groups.GroupSettingValue
  readonly realm_can_delete_own_message_group: groups.GroupSettingValue
  readonly realm_can_move_messages_between_channels_group: groups.GroupSettingValue
  readonly realm_can_move_messages_between_topics_group: groups.GroupSettingValue
  readonly realm_can_resolve_topics_group: groups.GroupSettingValue
  readonly realm_can_mention_many_users_group: groups.GroupSettingValue
  /** Whether one is told that guests read what one writes. */
  readonly realm_enable_guest_user_dm_warning: boolean
  readonly realm_topics_policy: string
  readonly max_message_id: number
  readonly max_message_length: number
  readonly max_topic_length: number
  readonly max_file_upload_size_mib: number
  readonly subscriptions: readonly channels.SubscriptionRecord[]
  readonly unsubscribed: readonly channels.SubscriptionRecord[]
  readonly never_subscribed: readonly channels.ListedChannel[]
  /** Into which new people are put. */
  readonly realm_default_streams: readonly number[]
  readonly channel_folders: readonly channelFolders.ChannelFolder[]
  readonly realm_users: readonly users.User[]
  readonly realm_non_active_users: readonly users.User[]
  readonly cross_realm_bots: readonly users.User[]
  readonly realm_user_groups: readonly groups.UserGroup[]
  readonly realm_emoji: Readonly<Record<string, customEmoji.CustomEmoji>>
  readonly unread_conversations: messages.UnreadConversations
  readonly recent_private_conversations: readonly { readonly user_ids: readonly number[]; max_message_id: number }[]
  readonly starred_messages: readonly number[]
  readonly user_topics: readonly userTopics.UserTopic[]
  readonly muted_users: readonly mutedUsers.MutedUser[]
  readonly drafts: readonly drafts.Draft[]
  readonly scheduled_messages: readonly scheduledMessages.ScheduledMessage[]
  readonly saved_snippets: readonly snippets.SavedSnippet[]
  readonly reminders: readonly reminders.ListedReminder[]
  readonly navigation_views: readonly navigationViews.NavigationView[]
  readonly custom_profile_fields: readonly users.CustomProfileField[]
  readonly user_status: Readonly<Record<string, users.Status>>
  readonly avatar_source: string
  readonly realm_name_changes_disabled: boolean
  readonly realm_avatar_changes_disabled: boolean
  readonly server_avatar_changes_disabled: boolean
  readonly realm_direct_message_permission_group: groups.GroupSettingValue
  readonly presence_last_update_id: number
  readonly max_channel_folder_description_length: number
  readonly max_channel_folder_name_length: number
  readonly max_stream_name_length: number
  readonly max_stream_description_length: number
  readonly realm_can_create_public_channel_group: groups.GroupSettingValue
  readonly realm_can_create_private_channel_group: groups.GroupSettingValue
  readonly realm_can_create_web_public_channel_group: groups.GroupSettingValue
  readonly realm_can_add_subscribers_group: groups.GroupSettingValue
  readonly realm_enable_spectator_access: boolean
  readonly server_web_public_streams_enabled: boolean
  readonly server_supported_permission_settings: { readonly stream: Readonly<Record<string, GrantingRule>> }
  readonly presences: Readonly<Record<string, presence.ModernPresence>>
  readonly server_presence_ping_interval_seconds: number
  readonly server_presence_offline_threshold_seconds: number
  readonly server_thumbnail_formats: readonly uploads.ThumbnailFormat[]
  readonly user_settings: Readonly<Record<string, string | number | boolean | null>>
  readonly preferences: preferences.Preferences
  readonly server_typing_started_wait_period_milliseconds: number
  readonly server_typing_started_expiry_period_milliseconds: number
  readonly server_typing_stopped_wait_period_milliseconds: number
}

/** Which groups the server lets a permission be granted to. */
export interface GrantingRule {
  readonly require_system_group: boolean
  readonly allow_internet_group: boolean
  readonly allow_nobody_group: boolean
  readonly allow_everyone_group: boolean
  readonly allowed_system_groups: readonly string[]
}

/** What the registration asks for so that these fields are there. */
export const STATE_PARTS = [
  'channel_folders',
  'custom_profile_fields',
  'default_streams',
  'drafts',
  'message',
  'muted_users',
  'navigation_views',
  'preferences',
  'presence',
  'realm',
  'realm_emoji',
  'realm_linkifiers',
  'realm_user',
  'realm_user_groups',
  'recent_private_conversations',
  'reminders',
  'saved_snippets',
  'scheduled_messages',
  'starred_messages',
  'stream',
  'subscription',
  'update_message_flags',
  'user_settings',
  'user_status',
  'user_topic',
] as const
