import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { event } from '../../../kernel/event.ts'
import { boolean, integer, string, nothing } from '../../../kernel/schemas.ts'

const settingValue = z.union([boolean, integer, string])
/** English name of the language; only present if `default_language` changed. */
const changedLanguageName = z.optional(string)

export const userSettingUpdated = event({
  type: 'user_settings',
  op: 'update',
  summary: 'The user changed a personal setting.',
  payload: z.strictObject({ property: string, value: settingValue, language_name: changedLanguageName }),
  touches: ['user_settings'],
  apply(state, { property, value: chosen }) {
    setField(state['user_settings'], property, chosen)
  },
})

export const displaySettingUpdated = event({
  type: 'update_display_settings',
  summary: 'The user changed a display setting. For clients without `user_settings_object`.',
  payload: z.strictObject({
    user: string,
    setting_name: string,
    setting: settingValue,
    language_name: changedLanguageName,
  }),
  touches: [],
  touchesNamed: ({ setting_name }) => [setting_name],
  apply(state, { setting_name, setting }) {
    setField(state, setting_name, setting)
  },
})

export const notificationSettingUpdated = event({
  type: 'update_global_notifications',
  summary: 'The user changed a notification setting. For clients without `user_settings_object`.',
  payload: z.strictObject({
    user: string,
    notification_name: string,
    setting: settingValue,
  }),
  touches: [],
  touchesNamed: ({ notification_name }) => [notification_name],
  apply(state, { notification_name, setting }) {
    setField(state, notification_name, setting)
  },
})

export const userSettingsDefaultUpdated = event({
  type: 'realm_user_settings_defaults',
  op: 'update',
  summary: 'A default personal setting for new users changed.',
  payload: z.strictObject({ property: string, value: settingValue }),
  touches: ['realm_user_settings_defaults'],
  apply(state, { property, value: chosen }) {
    setField(state['realm_user_settings_defaults'], property, chosen)
  },
})

function setField(object: unknown, name: string, chosen: unknown): void {
  if (typeof object === 'object' && object !== null && name in object) Object.assign(object, { [name]: chosen })
}

export const runZcommand = endpoint({
  id: 'runZcommand',
  method: 'POST',
  path: '/zcommand',
  summary: 'Run a command that a user typed into a client.',
  description:
    '`/ping` only responds; `/day` or `/light` and `/night` or `/dark` set the theme, `/fluid-width` and ' +
    '`/fixed-width` the width.',
  since: 0,
  input: z.object({ command: string }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

const avatarUrlResponse = z.object({ avatar_url: string })

export const uploadAvatar = endpoint({
  id: 'uploadAvatar',
  method: 'POST',
  path: '/users/me/avatar',
  summary: 'Upload your avatar.',
  since: 0,
  file: 'picture',
  input: nothing,
  output: avatarUrlResponse,
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
})

export const removeAvatar = endpoint({
  id: 'removeAvatar',
  method: 'DELETE',
  path: '/users/me/avatar',
  summary: 'Reset your avatar.',
  since: 0,
  input: nothing,
  output: avatarUrlResponse,
  errors: ['BAD_REQUEST'],
})
