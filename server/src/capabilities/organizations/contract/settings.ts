import * as z from 'zod/mini'
import { text, composedText, nothing } from '../../../kernel/schemas.ts'
import {
  flagSetting,
  integerSetting,
  choiceSetting,
  type Setting,
  type ValueOf,
  parametersOf,
} from '../../../kernel/setting.ts'
import { keysOf, recordWith } from '../../../kernel/keys.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { groupSettingUpdate } from '../../groups/contract/index.ts'
import { PERMISSIONS, OWNER_PERMISSIONS, type RealmPermission } from '../../groups/contract/permissions.ts'
import { MAX_ORGANIZATION_DESCRIPTION_CHARACTERS, MAX_ORGANIZATION_NAME_CHARACTERS } from './organization.ts'
import { wildcardMentionPolicies } from './events.ts'

/** Language of the web client. Every UI text is available in each of these languages. */
export type ClientLanguage = 'en' | 'de'

let displayNames: Intl.DisplayNames | undefined

/** Returns the English name, such as `German` for `de`. */
export function languageName(code: string): string | undefined {
  displayNames ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  try {
    return displayNames.of(code)
  } catch {
    return undefined
  }
}

export const languageCode = z.string().check(
  z.refine((code) => languageName(code) !== undefined, { message: 'is not a language' }),
  z.meta({ examples: ['pt-br'] }),
)

/** Languages whose word forms a search knows. */
export const SEARCH_LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'ru', 'sv'] as const

/** Comma-separated, in alphabetical order; empty for none. */
const searchLanguages = z.string().check(
  z.refine((list) => list === SEARCH_LANGUAGES.filter((code) => list.split(',').includes(code)).join(','), {
    message: `is not a list of ${SEARCH_LANGUAGES.join(',')}`,
  }),
  z.meta({ examples: ['de,en'] }),
)

/** Largest 32-bit integer, because clients store numbers in 32 bits. */
const MAX_INT32 = 2_147_483_647
export const MAX_WEB_ADDRESS_CHARACTERS = 200
export const MAX_CODE_LANGUAGE_CHARACTERS = 40
export const MAX_WELCOME_TEXT_CHARACTERS = 8_000
export const MAX_HELD_PATTERN_CHARACTERS = 8_000

export const MAX_NEWCOMER_MESSAGES = 1_000
export const MAX_NEWCOMER_DAYS = 365

const positiveInt32 = z.int().check(z.minimum(1), z.maximum(MAX_INT32))

/** Seconds, or null for no limit, which requests write as `"unlimited"`. */
const secondsOrUnlimited = z.union([
  positiveInt32,
  z.pipe(
    z.literal('unlimited'),
    z.transform(() => null),
  ),
])

function timeLimitSetting(byDefault: number): Setting<number | null, number | 'unlimited'> {
  return { type: secondsOrUnlimited, byDefault }
}

export const VIDEO_CALL_PROVIDERS = { nothing: 0, jitsi: 1 } as const

export const UNLIMITED_RETENTION = -1

/** Channel ID; -1 for none. */
const channelOrNone = integerSetting(-1, Number.MAX_SAFE_INTEGER, -1)

const webAddress = text(MAX_WEB_ADDRESS_CHARACTERS).check(
  z.refine(isWebAddress, { message: 'is not a web address' }),
  z.meta({ examples: ['https://calls.example.com'] }),
)

function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value)
}

/** How people without an account see a person's name, from the least to the most private form. */
export const PUBLIC_NAME_FORMS = ['full', 'given', 'pseudonym'] as const
export type PublicNameForm = (typeof PUBLIC_NAME_FORMS)[number]

/** Sent at registration as `realm_<name>`. Values equal to the default are not stored, so that defaults can change. */
export const REALM_SETTINGS = {
  message_edit_history_visibility_policy: choiceSetting(['all', 'moves', 'none'], 'all'),
  default_language: { type: languageCode, byDefault: 'en' },
  search_languages: { type: searchLanguages, byDefault: 'en' },
  welcome_message_custom_text: { type: text(MAX_WELCOME_TEXT_CHARACTERS), byDefault: '' },
  digest_emails_enabled: flagSetting(false),
  disallow_disposable_email_addresses: flagSetting(true),
  email_changes_disabled: flagSetting(false),
  invite_required: flagSetting(true),
  inline_image_preview: flagSetting(true),
  inline_url_embed_preview: flagSetting(false),
  topics_policy: choiceSetting(['allow_empty_topic', 'disable_empty_topic'], 'allow_empty_topic'),
  message_retention_days: {
    type: z.union([
      positiveInt32,
      z.pipe(
        z.literal('unlimited'),
        z.transform(() => UNLIMITED_RETENTION),
      ),
    ]),
    byDefault: UNLIMITED_RETENTION,
  },
  require_e2ee_push_notifications: flagSetting(false),
  require_unique_names: flagSetting(false),
  name_changes_disabled: flagSetting(false),
  avatar_changes_disabled: flagSetting(false),
  emails_restricted_to_domains: flagSetting(false),
  send_welcome_emails: flagSetting(true),
  message_content_allowed_in_email_notifications: flagSetting(true),
  enable_spectator_access: flagSetting(false),
  /** Names that people without an account see. Each person can choose a more private form. */
  public_names: choiceSetting(PUBLIC_NAME_FORMS, 'full'),
  want_advertise_in_communities_directory: flagSetting(false),
  video_chat_provider: choiceSetting(
    [VIDEO_CALL_PROVIDERS.nothing, VIDEO_CALL_PROVIDERS.jitsi],
    VIDEO_CALL_PROVIDERS.jitsi,
  ),
  jitsi_server_url: {
    type: z.union([
      webAddress,
      z.pipe(
        z.literal('default'),
        z.transform(() => null),
      ),
    ]),
    byDefault: null,
  },
  /** 0 disabled, 1 y, 2 g, 3 pg, 4 pg-13, 5 r. */
  giphy_rating: choiceSetting([0, 1, 2, 3, 4, 5], 2),
  waiting_period_threshold: integerSetting(0, MAX_INT32, 0),
  /** Members are new until they have sent this many messages in public channels; 0 for no such limit. */
  newcomer_messages: integerSetting(0, MAX_NEWCOMER_MESSAGES, 0),
  /** Members are new for this many days after joining; 0 for no such limit. */
  newcomer_days: integerSetting(0, MAX_NEWCOMER_DAYS, 0),
  /* Restrictions for new members. */
  newcomer_limit_links: flagSetting(true),
  newcomer_limit_mentions: flagSetting(true),
  newcomer_limit_direct_messages: flagSetting(true),
  newcomer_limit_uploads: flagSetting(true),
  newcomer_limits_for_invited: flagSetting(true),
  /** 0 is Monday. */
  digest_weekday: choiceSetting([0, 1, 2, 3, 4, 5, 6], 1),
  default_code_block_language: { type: text(MAX_CODE_LANGUAGE_CHARACTERS), byDefault: '' },
  message_content_delete_limit_seconds: timeLimitSetting(600),
  allow_message_editing: flagSetting(true),
  message_content_edit_limit_seconds: timeLimitSetting(600),
  move_messages_within_stream_limit_seconds: timeLimitSetting(604_800),
  move_messages_between_streams_limit_seconds: timeLimitSetting(604_800),
  enable_read_receipts: flagSetting(false),
  // 0 unspecified, 10 business, 20 opensource, 30 education nonprofit, 35 education, 40 research, 50 event, 60
  // nonprofit, 70 government, 80 political group, 90 community, 100 personal, 1000 other.
  org_type: choiceSetting([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000], 0),
  enable_guest_user_dm_warning: flagSetting(true),
  enable_guest_user_indicator: flagSetting(true),
  moderation_request_channel_id: channelOrNone,
  /** Words, phrases, and `/expressions/`, one per line. A message that contains one waits for review. */
  held_message_patterns: { type: text(MAX_HELD_PATTERN_CHARACTERS), byDefault: '' },
  new_stream_announcements_stream_id: channelOrNone,
  signup_announcements_stream_id: channelOrNone,
  service_update_announcements_stream_id: channelOrNone,
  send_channel_events_messages: flagSetting(false),
  /** Proof of work that self-registration requires. */
  registration_challenge: choiceSetting(['off', 'easy', 'normal', 'hard'], 'off'),
  second_factor_required_of: choiceSetting(
    ['nobody', 'owners', 'administrators', 'moderators', 'members', 'everyone'],
    'nobody',
  ),
} satisfies Readonly<Record<string, Setting<boolean | number | string | null>>>

/** Settings that only owners can change. */
export const OWNER_SETTINGS: readonly RealmSettingName[] = [
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'second_factor_required_of',
  'waiting_period_threshold',
]

/** Omitted from the register response and events, because existing clients do not know these settings. Patterns are secret. */
export const HIDDEN_SETTINGS = [
  'held_message_patterns',
  'newcomer_days',
  'newcomer_limit_direct_messages',
  'newcomer_limit_links',
  'newcomer_limit_mentions',
  'newcomer_limit_uploads',
  'newcomer_limits_for_invited',
  'newcomer_messages',
  'public_names',
  'registration_challenge',
  'search_languages',
  'second_factor_required_of',
] as const

export const FIXED_SETTINGS = {
  presence_disabled: false,
  push_notifications_enabled: false,
  push_notifications_enabled_end_timestamp: null,
  plan_type: 1,
} satisfies Readonly<Record<string, boolean | number | string | null>>

export const SPECTATOR_SETTINGS: readonly (keyof typeof REALM_SETTINGS | keyof typeof FIXED_SETTINGS)[] = [
  'default_code_block_language',
  'default_language',
  'enable_guest_user_indicator',
  'enable_spectator_access',
  'inline_image_preview',
  'inline_url_embed_preview',
  'invite_required',
  'message_edit_history_visibility_policy',
  'org_type',
  'plan_type',
  'topics_policy',
]

export type RealmSettingName = keyof typeof REALM_SETTINGS
export type HiddenSetting = (typeof HIDDEN_SETTINGS)[number]

export const CHANNEL_SETTINGS = [
  'moderation_request_channel_id',
  'new_stream_announcements_stream_id',
  'service_update_announcements_stream_id',
  'signup_announcements_stream_id',
] as const satisfies readonly RealmSettingName[]
export type ChannelSetting = (typeof CHANNEL_SETTINGS)[number]

export type SettingName = RealmSettingName | keyof typeof FIXED_SETTINGS
export type SettingValue<Name extends SettingName> = Name extends RealmSettingName
  ? ValueOf<typeof REALM_SETTINGS, Name>
  : (typeof FIXED_SETTINGS)[Name & keyof typeof FIXED_SETTINGS]

export const REALM_SETTING_NAMES = keysOf(REALM_SETTINGS)

export const REALM_PERMISSIONS = keysOf(PERMISSIONS.realm)

export const OWNER_SETTINGS_AND_PERMISSIONS: readonly (RealmSettingName | RealmPermission)[] = [
  ...OWNER_SETTINGS,
  ...OWNER_PERMISSIONS,
]

const optionalGroupUpdate = z.optional(groupSettingUpdate)
const permissionUpdates = recordWith(REALM_PERMISSIONS, () => optionalGroupUpdate)

// A union, because form values are parsed as numbers for unions, but not for a literal with several values.
const wildcardMentionPolicy = z.union(wildcardMentionPolicies().map((number) => z.literal(number)))

export const updateRealm = endpoint({
  id: 'updateRealm',
  method: 'PATCH',
  path: '/realm',
  summary: "Update the organization's name, description, and settings.",
  description:
    'Administrators can change most settings; others, such as `message_retention_days`, require an owner. In a ' +
    'browser, these and `enable_spectator_access` also require a recent confirmation.',
  since: 0,
  input: z.object({
    name: z.optional(composedText(MAX_ORGANIZATION_NAME_CHARACTERS)),
    description: z.optional(text(MAX_ORGANIZATION_DESCRIPTION_CHARACTERS)),
    ...parametersOf(REALM_SETTINGS),
    ...permissionUpdates,
    /** Older form of `can_mention_many_users_group`: the number of a system group. */
    wildcard_mention_policy: z.optional(wildcardMentionPolicy),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'SYSTEM_GROUP_REQUIRED', 'EXPECTATION_MISMATCH', 'CONFIRMATION_REQUIRED'],
})
