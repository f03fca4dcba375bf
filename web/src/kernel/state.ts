import type {
  botCommands,
  channelFolders,
  channels,
  customEmoji,
  drafts,
  groups,
  heldMessages,
  linkifiers,
  messages,
  mutedUsers,
  navigationViews,
  onboarding,
  organizations,
  playgrounds,
  preferences,
  presence,
  reminders,
  scheduledMessages,
  uploads,
  snippets,
  userTopics,
  users,
} from '@parley/server/contract'
import type { Input } from '@parley/server/kernel/endpoint'

type RealmChange = Required<
  Omit<Input<typeof organizations.updateRealm>, 'wildcard_mention_policy' | organizations.HiddenSetting>
>

/** New value of a setting; for a permission, the group that has the permission. */
type ChangedValue<Change> = Change extends groups.GroupSettingUpdate
  ? groups.GroupSettingValue
  : Exclude<Change, undefined>

export type RealmSettings = { readonly [Name in keyof RealmChange]: ChangedValue<RealmChange[Name]> }

type RealmFields = { readonly [Name in keyof RealmSettings as `realm_${Name}`]: RealmSettings[Name] }

/** Fields of the register response that this client reads. Only the `apply` functions of events change them. */
export interface State extends RealmFields {
  readonly queue_id: string
  /** Log position at which the queue starts. */
  readonly log_position: number
  readonly user_id: number
  readonly full_name: string
  readonly email: string
  readonly is_admin: boolean
  readonly is_owner: boolean
  readonly is_guest: boolean
  readonly realm_url: string
  readonly realm_bot_domain: string
  readonly realm_icon_url: string
  /** `U` for an uploaded icon. */
  readonly realm_icon_source: string
  readonly realm_logo_url: string
  readonly realm_logo_source: string
  readonly realm_night_logo_url: string
  readonly realm_night_logo_source: string
  readonly server_inline_url_embed_preview: boolean
  /** Server for video calls in organizations that do not choose another server. */
  readonly server_jitsi_server_url: string | null
  /** Email domains of new users, if restricted. */
  readonly realm_domains: readonly organizations.RealmDomain[]
  readonly realm_linkifiers: readonly linkifiers.Linkifier[]
  readonly max_message_id: number
  readonly max_message_length: number
  readonly max_topic_length: number
  readonly max_file_upload_size_mib: number
  readonly subscriptions: readonly channels.SubscriptionRecord[]
  readonly unsubscribed: readonly channels.SubscriptionRecord[]
  readonly never_subscribed: readonly channels.ListedChannel[]
  readonly realm_default_streams: readonly number[]
  readonly channel_folders: readonly channelFolders.ChannelFolder[]
  readonly realm_users: readonly users.User[]
  readonly realm_non_active_users: readonly users.User[]
  readonly cross_realm_bots: readonly users.User[]
  readonly realm_user_groups: readonly groups.UserGroup[]
  readonly realm_emoji: Readonly<Record<string, customEmoji.CustomEmoji>>
  readonly realm_playgrounds: readonly playgrounds.Playground[]
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
  /** Tips that clients can still show. */
  readonly onboarding_steps: readonly onboarding.OnboardingStep[]
  readonly custom_profile_fields: readonly users.CustomProfileField[]
  readonly user_status: Readonly<Record<string, users.Status>>
  readonly avatar_source: string
  readonly server_avatar_changes_disabled: boolean
  /** False only on servers that do not send email. */
  readonly settings_send_digest_emails: boolean
  readonly presence_last_update_id: number
  readonly max_channel_folder_description_length: number
  readonly max_channel_folder_name_length: number
  readonly max_stream_name_length: number
  readonly max_stream_description_length: number
  readonly server_web_public_streams_enabled: boolean
  readonly server_supported_permission_settings: Readonly<
    Record<'realm' | 'stream' | 'group', Readonly<Record<string, GrantingRule>>>
  >
  readonly presences: Readonly<Record<string, presence.ModernPresence>>
  readonly server_presence_ping_interval_seconds: number
  readonly server_presence_offline_threshold_seconds: number
  readonly server_thumbnail_formats: readonly uploads.ThumbnailFormat[]
  readonly user_settings: Readonly<Record<string, string | number | boolean | null>>
  readonly realm_user_settings_defaults: Readonly<Record<string, unknown>>
  readonly preferences: preferences.Preferences
  /** Commands of active bots, sorted by name. Servers of the previous version lack them during an upgrade. */
  readonly bot_commands?: readonly botCommands.BotCommand[]
  /** The user's messages that wait for review. Servers of the previous version lack them during an upgrade. */
  readonly held_messages?: readonly heldMessages.HeldMessage[]
  /** UNIX seconds when the lock-down ends, if the organization is locked down. */
  readonly lock_down?: number | null
  /** Servers of the previous version lack them during an upgrade. */
  readonly blocked_users?: readonly number[]
  readonly server_typing_started_wait_period_milliseconds: number
  readonly server_typing_started_expiry_period_milliseconds: number
  readonly server_typing_stopped_wait_period_milliseconds: number
}

export interface GrantingRule {
  readonly require_system_group: boolean
  readonly allow_internet_group: boolean
  readonly allow_nobody_group: boolean
  readonly allow_everyone_group: boolean
  readonly allowed_system_groups: readonly string[]
}

/** Event types that a client must request to get the fields above. */
export const STATE_PARTS = [
  'blocked_users',
  'bot_commands',
  'channel_folders',
  'custom_profile_fields',
  'default_streams',
  'drafts',
  'held_messages',
  'lock_down',
  'message',
  'muted_users',
  'navigation_views',
  'onboarding_steps',
  'preferences',
  'presence',
  'realm',
  'realm_domains',
  'realm_emoji',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_user',
  'realm_user_groups',
  'realm_user_settings_defaults',
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
