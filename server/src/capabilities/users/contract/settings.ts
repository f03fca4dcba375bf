import { flagSetting, integerSetting, choiceSetting, type Setting, type ValueOf } from '../../../kernel/setting.ts'
import { keysOf } from '../../../kernel/keys.ts'
import { languageCode, PUBLIC_NAME_FORMS } from '../../organizations/contract/settings.ts'

export const NOTIFICATION_SOUNDS = ['service', 'ding', 'none'] as const
const MAX_BATCHING_SECONDS = 604_800

/** Settings stored only if they differ from the default. `timezone` is a column instead, because other users see it. */
export const USER_SETTINGS = {
  twenty_four_hour_time: flagSetting(false),
  /** 1 always, 2 conversation views, 3 never. */
  web_mark_read_on_scroll_policy: choiceSetting([1, 2, 3], 1),
  /** 1 first topic, 2 channel feed, 3 topic list, 4 top unread. */
  web_channel_default_view: choiceSetting([1, 2, 3, 4], 1),
  starred_message_counts: flagSetting(true),
  receives_typing_notifications: flagSetting(true),
  web_suggest_update_timezone: flagSetting(true),
  fluid_layout_width: flagSetting(false),
  high_contrast_mode: flagSetting(false),
  web_font_size_px: integerSetting(1, 200, 16),
  web_line_height_percent: integerSetting(50, 400, 140),
  color_scheme: choiceSetting([1, 2, 3], 1),
  translate_emoticons: flagSetting(false),
  display_emoji_reaction_users: flagSetting(true),
  default_language: { type: languageCode, byDefault: 'en' },
  web_home_view: choiceSetting(['inbox', 'recent_topics', 'all_messages'], 'inbox'),
  web_escape_navigates_to_home_view: flagSetting(true),
  left_side_userlist: flagSetting(false),
  emojiset: choiceSetting(['google', 'google-blob', 'text', 'twitter'], 'google'),
  /** 1 automatic, 2 always, 3 never. */
  demote_inactive_streams: choiceSetting([1, 2, 3], 1),
  /** 1 compact, 2 with status, 3 with avatar. */
  user_list_style: choiceSetting([1, 2, 3], 3),
  web_animate_image_previews: choiceSetting(['always', 'on_hover', 'never'], 'on_hover'),
  /** 1 all, 2 unmuted, 3 none. */
  web_stream_unreads_count_display_policy: choiceSetting([1, 2, 3], 2),
  hide_ai_features: flagSetting(false),
  web_left_sidebar_show_channel_folders: flagSetting(true),
  web_left_sidebar_unreads_count_summary: flagSetting(true),
  enter_sends: flagSetting(false),
  enable_drafts_synchronization: flagSetting(true),
  enable_stream_desktop_notifications: flagSetting(false),
  enable_stream_email_notifications: flagSetting(false),
  enable_stream_push_notifications: flagSetting(false),
  enable_stream_audible_notifications: flagSetting(false),
  notification_sound: choiceSetting(NOTIFICATION_SOUNDS, 'service'),
  enable_desktop_notifications: flagSetting(true),
  enable_sounds: flagSetting(true),
  enable_followed_topic_desktop_notifications: flagSetting(true),
  enable_followed_topic_email_notifications: flagSetting(true),
  enable_followed_topic_push_notifications: flagSetting(true),
  enable_followed_topic_audible_notifications: flagSetting(true),
  email_notifications_batching_period_seconds: integerSetting(0, MAX_BATCHING_SECONDS, 120),
  enable_offline_email_notifications: flagSetting(true),
  enable_offline_push_notifications: flagSetting(true),
  enable_online_push_notifications: flagSetting(true),
  enable_digest_emails: flagSetting(true),
  enable_marketing_emails: flagSetting(true),
  enable_login_emails: flagSetting(true),
  message_content_in_email_notifications: flagSetting(true),
  pm_content_in_desktop_notifications: flagSetting(true),
  wildcard_mentions_notify: flagSetting(true),
  enable_followed_topic_wildcard_mentions_notify: flagSetting(true),
  /** 1 all unread, 2 DMs, mentions, and followed topics, 3 DMs and mentions, 4 none. */
  desktop_icon_count_display: choiceSetting([1, 2, 3, 4], 1),
  /** 1 automatic, 2 always, 3 never. */
  realm_name_in_email_notifications_policy: choiceSetting([1, 2, 3], 1),
  /** 1 participation, 2 send, 3 initiation, 4 never. */
  automatically_follow_topics_policy: choiceSetting([1, 2, 3, 4], 3),
  /** 1 participation, 2 send, 3 initiation, 4 never. */
  automatically_unmute_topics_in_muted_streams_policy: choiceSetting([1, 2, 3, 4], 2),
  automatically_follow_topics_where_mentioned: flagSetting(true),
  resolved_topic_notice_auto_read_policy: choiceSetting(['always', 'except_followed', 'never'], 'except_followed'),
  presence_enabled: flagSetting(true),
  send_private_typing_notifications: flagSetting(true),
  send_stream_typing_notifications: flagSetting(true),
  send_read_receipts: flagSetting(true),
  allow_private_data_export: flagSetting(false),
  /** 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators. */
  email_address_visibility: choiceSetting([1, 2, 3, 4, 5], 1),
  web_navigate_to_sent_message: flagSetting(true),
  /** Most revealing name that people without an account see; the organization's `public_names` can be more private. */
  public_name: choiceSetting(PUBLIC_NAME_FORMS, 'full'),
} satisfies Readonly<Record<string, Setting<boolean | number | string>>>

export type UserSettingName = keyof typeof USER_SETTINGS
export type UserSettingValue<Name extends UserSettingName> = ValueOf<typeof USER_SETTINGS, Name>

export const USER_SETTING_NAMES = keysOf(USER_SETTINGS)

/** Omitted from the register response and events, because existing clients do not know these settings. */
export const HIDDEN_USER_SETTINGS: readonly string[] = ['public_name'] satisfies readonly UserSettingName[]

export const SETTING_CHOICES = {
  available_notification_sounds: NOTIFICATION_SOUNDS,
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'google-blob', text: 'Google blobs' },
    { key: 'text', text: 'Plain text' },
    { key: 'twitter', text: 'Twitter' },
  ],
} as const

export const LEGACY_DISPLAY_SETTINGS: readonly UserSettingName[] = [
  'color_scheme',
  'default_language',
  'demote_inactive_streams',
  'emojiset',
  'enable_drafts_synchronization',
  'enter_sends',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'receives_typing_notifications',
  'starred_message_counts',
  'translate_emoticons',
  'twenty_four_hour_time',
  'web_home_view',
]
export const LEGACY_NOTIFICATION_SETTINGS: readonly UserSettingName[] = [
  'desktop_icon_count_display',
  'email_notifications_batching_period_seconds',
  'enable_desktop_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_sounds',
  'enable_stream_audible_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'message_content_in_email_notifications',
  'notification_sound',
  'pm_content_in_desktop_notifications',
  'presence_enabled',
  'realm_name_in_email_notifications_policy',
  'wildcard_mentions_notify',
]
