import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { boolean, composedText, nothing, string, text } from '../../../kernel/schemas.ts'
import { parametersOf } from '../../../kernel/setting.ts'
import { languageCode } from '../../organizations/contract/settings.ts'
import { MAX_FULL_NAME_CHARACTERS } from './users.ts'
import { USER_SETTINGS } from './settings.ts'

const SETTINGS_WITH_DEFAULTS = settingsWithDefaults()

function settingsWithDefaults() {
  const { default_language: _language, public_name: _name, ...settings } = USER_SETTINGS
  return settings
}

const settingsEndpoint = {
  summary: 'Update your name, email address, password, and personal settings.',
  description:
    "A browser may have to confirm the user's identity before changing the address: see `POST /session/confirm`.",
  since: 0,
  input: z.object({
    full_name: z.optional(composedText(MAX_FULL_NAME_CHARACTERS)),
    email: z.optional(string),
    old_password: z._default(string, ''),
    new_password: z.optional(string),
    /** Name from the time zone database, e.g. `Europe/Berlin`; empty for none. */
    timezone: z.optional(
      z
        .string()
        .check(
          z.refine(isTimezone, { message: 'is not a recognized time zone' }),
          z.meta({ examples: ['Europe/Berlin'] }),
        ),
    ),
    ...parametersOf(USER_SETTINGS),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
} as const

const MAX_TIMEZONE_CHARACTERS = 100

/** Settings that the sign-up page chooses for a new account. An existing account keeps its settings. */
export const newAccountSettings = {
  /** Language of the page. Defaults to the organization's language. */
  default_language: z.optional(languageCode),
  /** Time zone of the browser, e.g. `Europe/Berlin`. A name unknown to the server is ignored. */
  timezone: z.optional(text(MAX_TIMEZONE_CHARACTERS)),
  /** Whether the Enter key sends a message. Defaults to the organization's default for new users. */
  enter_sends: z.optional(boolean),
}

export function isTimezone(name: string): boolean {
  if (name === '') return true
  try {
    // `Intl` also accepts offsets, such as `+01:00`, which are not names of time zones.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}

export const updateSettings = endpoint({
  id: 'updateSettings',
  method: 'PATCH',
  path: '/settings',
  ...settingsEndpoint,
})

export const updateDisplaySettings = endpoint({
  id: 'updateDisplaySettings',
  method: 'PATCH',
  path: '/settings/display',
  ...settingsEndpoint,
})

export const updateNotificationSettings = endpoint({
  id: 'updateNotificationSettings',
  method: 'PATCH',
  path: '/settings/notifications',
  ...settingsEndpoint,
})

export const updateUserSettingsDefaults = endpoint({
  id: 'updateUserSettingsDefaults',
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  summary: 'Update the default personal settings for new users.',
  since: 96,
  input: z.object(parametersOf(SETTINGS_WITH_DEFAULTS)),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
