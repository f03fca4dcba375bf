import type { OrganizationState } from '../../../kernel/projection.ts'
import { defaultsOf } from '../../../kernel/setting.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import type { TimeFormat } from '../../../platform/html/text.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import {
  HIDDEN_USER_SETTINGS,
  LEGACY_DISPLAY_SETTINGS,
  LEGACY_NOTIFICATION_SETTINGS,
  SETTING_CHOICES,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
} from '../contract/settings.ts'
import { newUserSettings, userSetting, type UserRow } from './index.ts'
import { knownUser } from '../rules/index.ts'

/** `update_display_settings` and `update_global_notifications` repeat `user_settings` for older clients. */
export function isForLegacyClients(_event: unknown, { form }: Viewer): boolean {
  return !form.capabilities.user_settings_object
}

export function userSettingsSnapshot({ organization, userId }: Viewer): Record<string, unknown> {
  return { user_settings: personalSettings(knownUser(organization, userId)) }
}

export function displaySettingsSnapshot({ organization, userId, form }: Viewer): Record<string, unknown> {
  const own = knownUser(organization, userId)
  const legacy = legacySettings(own, LEGACY_DISPLAY_SETTINGS)
  return form.capabilities.user_settings_object
    ? {}
    : { ...legacy, timezone: own.timezone, emojiset_choices: SETTING_CHOICES.emojiset_choices }
}

export function notificationSettingsSnapshot({ organization, userId, form }: Viewer): Record<string, unknown> {
  const legacy = legacySettings(knownUser(organization, userId), LEGACY_NOTIFICATION_SETTINGS)
  const { available_notification_sounds } = SETTING_CHOICES
  return form.capabilities.user_settings_object ? {} : { ...legacy, available_notification_sounds }
}

export function userSettingsDefaultsSnapshot({ organization }: Viewer): Record<string, unknown> {
  return {
    realm_user_settings_defaults: {
      ...shownSettings(defaultsOf(USER_SETTINGS)),
      ...newUserSettings(organization),
      ...SETTING_CHOICES,
    },
  }
}

function personalSettings(own: UserRow): Record<string, unknown> {
  return {
    ...shownSettings(Object.fromEntries(USER_SETTING_NAMES.map((name) => [name, userSetting(own, name)]))),
    timezone: own.timezone,
    ...SETTING_CHOICES,
  }
}

function shownSettings(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !HIDDEN_USER_SETTINGS.includes(name)))
}

function legacySettings(own: UserRow, names: readonly UserSettingName[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, userSetting(own, name)]))
}

/** Returns the language in which to write to the user: German or a variant of German if chosen, otherwise English. */
export function textLanguage(organization: OrganizationState, user: UserRow): string {
  const chosen = userSetting(user, 'default_language') || settingOf(organization, 'default_language')
  return /^de\b/.test(chosen) ? chosen : 'en'
}

export function timeFormatOf(organization: OrganizationState, user: UserRow): TimeFormat {
  return {
    language: textLanguage(organization, user),
    timeZone: user.timezone,
    uses24Hours: userSetting(user, 'twenty_four_hour_time'),
  }
}
