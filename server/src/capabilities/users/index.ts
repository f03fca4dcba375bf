import { ROLE } from '../../kernel/actor.ts'
import type { World } from '../../kernel/fold.ts'
import { capability, query } from '../../platform/capability.ts'
import { groupSetting } from '../organizations/queries.ts'
import { isCovered } from '../groups/rules.ts'
import type { RealmPermission } from '../groups/contract/permissions.ts'
import * as contract from './contract/index.ts'
import { USER_SETTING_DEFAULTS, type UserSettingName } from './contract/settings.ts'
import {
  avatarPath,
  avatarUrl,
  members,
  NEWEST_RECEIVED_MESSAGE,
  notificationBot,
  presentUser,
  presentUserWithProfile,
  userById,
  usersFold,
  userSetting,
  type UserRow,
} from './queries.ts'
import { knownUser, knownUserByEmail } from './rules.ts'

/** Users: accounts of people and bots, their roles and personal settings. */
export const users = capability({
  name: 'users',
  tables: ['users'],
  folds: [usersFold],
  routes: [
    query(contract.getUsers, ({ world }, input) => {
      const named = input.user_ids === undefined ? undefined : new Set(input.user_ids)
      const wanted = named === undefined ? members(world) : [...named].map((id) => userById(world, id))
      const shown = wanted.filter((row) => row !== undefined).filter((row) => !row.isSystemBot)
      return { members: shown.map((row) => show(row, input)) }
    }),
    query(contract.getOwnUser, async ({ world, actor, db, organizationId }) => {
      const own = knownUser(world, actor.userId)
      const { bot_type: _, bot_owner_id: __, ...shown } = presentUserWithProfile(own, false, true)
      const [newest] = await db.rows<{ id: number | null }>('newest_received_message', NEWEST_RECEIVED_MESSAGE, [
        organizationId,
        actor.userId,
      ])
      return {
        ...shown,
        avatar_url: avatarPath(own),
        delivery_email: own.deliveryEmail,
        max_message_id: newest?.id ?? -1,
      }
    }),
    query(contract.getUser, ({ world }, input) => ({ user: show(knownUser(world, input.user_id), input) })),
    query(contract.getUserByEmail, ({ world }, input) => ({ user: show(knownUserByEmail(world, input.email), input) })),
  ],
  events: [
    {
      event: contract.userAdded,
      present: ({ payload }, { form }) => {
        // The payload is the declared one: a person with the address of the picture the server draws.
        const { person } = payload as { person: contract.User }
        return { person: { ...person, avatar_url: form.clientExternalAvatar ? null : person.avatar_url } }
      },
    },
    { event: contract.userUpdated },
  ],
  snapshot: [
    {
      eventTypes: ['realm_user'],
      observe: ({ world, userId, form }, { server }) => {
        const everybody = members(world)
        const listed = (row: UserRow): contract.User => presentUserWithProfile(row, form.clientExternalAvatar, true)
        const own = knownUser(world, userId)
        return {
          realm_users: everybody.filter((row) => row.isActive).map(listed),
          realm_non_active_users: everybody.filter((row) => !row.isActive).map(listed),
          cross_realm_bots: [
            { ...presentUser(notificationBot(world), form.clientExternalAvatar), is_system_bot: true },
          ],
          ...ownFields(world, own),
          avatar_source: 'G',
          avatar_url: avatarUrl(own, server.urlOf, world),
          avatar_url_medium: avatarUrl(own, server.urlOf, world),
        }
      },
    },
    {
      eventTypes: ['user_settings'],
      observe: ({ world, userId }) => ({ user_settings: personalSettings(knownUser(world, userId)) }),
    },
    {
      eventTypes: ['update_display_settings'],
      observe: ({ world, userId, form }) => {
        const own = knownUser(world, userId)
        const legacy = legacySettings(own, LEGACY_DISPLAY_SETTINGS)
        return form.capabilities.user_settings_object
          ? {}
          : { ...legacy, timezone: own.timezone, emojiset_choices: SETTING_CHOICES.emojiset_choices }
      },
    },
    {
      eventTypes: ['update_global_notifications'],
      observe: ({ world, userId, form }) => {
        const legacy = legacySettings(knownUser(world, userId), LEGACY_NOTIFICATION_SETTINGS)
        const { available_notification_sounds } = SETTING_CHOICES
        return form.capabilities.user_settings_object ? {} : { ...legacy, available_notification_sounds }
      },
    },
    {
      eventTypes: ['realm_user_settings_defaults'],
      observe: () => ({ realm_user_settings_defaults: { ...USER_SETTING_DEFAULTS, ...SETTING_CHOICES } }),
    },
  ],
})

function show(
  row: UserRow,
  input: { client_external_avatar: boolean; include_custom_profile_fields: boolean },
): contract.User {
  return presentUserWithProfile(row, input.client_external_avatar, input.include_custom_profile_fields)
}

/** What the register response says of the user who asks. */
function ownFields(world: World, own: UserRow): Record<string, unknown> {
  const may = (name: RealmPermission): boolean =>
    isCovered(world, { userId: own.id, role: own.role }, groupSetting(world, name))
  return {
    user_id: own.id,
    email: own.email,
    delivery_email: own.deliveryEmail,
    full_name: own.fullName,
    ...contract.roleFlags(own.role),
    is_moderator: own.role === ROLE.moderator,
    can_create_streams: may('can_create_public_channel_group') || may('can_create_private_channel_group'),
    can_create_public_streams: may('can_create_public_channel_group'),
    can_create_private_streams: may('can_create_private_channel_group'),
    can_create_web_public_streams: false,
    can_subscribe_other_users: may('can_add_subscribers_group'),
    can_invite_others_to_realm: may('can_invite_users_group'),
  }
}

/** What a client may choose from, sent beside the settings. */
const SETTING_CHOICES = {
  available_notification_sounds: ['service', 'ding', 'none'],
  emojiset_choices: [{ key: 'google', text: 'Google' }],
}

function personalSettings(own: UserRow): Record<string, unknown> {
  const names = Object.keys(USER_SETTING_DEFAULTS) as UserSettingName[]
  return {
    ...Object.fromEntries(names.map((name) => [name, userSetting(own, name)])),
    timezone: own.timezone,
    ...SETTING_CHOICES,
  }
}

/** Settings that the oldest clients read at the top level of the register response. */
const LEGACY_DISPLAY_SETTINGS: readonly UserSettingName[] = [
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
const LEGACY_NOTIFICATION_SETTINGS: readonly UserSettingName[] = [
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

function legacySettings(own: UserRow, names: readonly UserSettingName[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, userSetting(own, name)]))
}

/** For delivery: the role number of an active user. */
export function activeRole(world: World, userId: number): number | undefined {
  const user = userById(world, userId)
  return user?.isActive === true ? user.role : undefined
}
