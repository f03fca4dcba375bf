import { type Audience, everyone } from '../../../kernel/audience.ts'
import type { Output, Input } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import { defaultsOf, mergeSettings } from '../../../kernel/setting.ts'
import type { Tx, Reader, ActorTx } from '../../../kernel/transaction.ts'
import { emitExportConsent } from '../../data-exports/actions.ts'
import { newestReceivedMessage } from '../../messages/queries/index.ts'
import { changeOrganization } from '../../organizations/actions/index.ts'
import { languageName } from '../../organizations/contract/settings.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import type * as contract from '../contract/index.ts'
import { presentUserWithProfile } from '../queries/people.ts'
import { knownUser } from '../rules/index.ts'
import { writeUser } from './index.ts'
import {
  displaySettingUpdated,
  notificationSettingUpdated,
  userSettingsDefaultUpdated,
  userSettingUpdated,
  userUpdated,
} from '../contract/index.ts'
import {
  HIDDEN_USER_SETTINGS,
  LEGACY_DISPLAY_SETTINGS,
  LEGACY_NOTIFICATION_SETTINGS,
  USER_SETTINGS,
  type UserSettingName,
} from '../contract/settings.ts'
import { isAway, userSetting, avatarPath, type UserRow } from '../queries/index.ts'
import { emitEmailChange, apiEmail } from './addresses.ts'
import { emitAwayChange } from './status.ts'

const DEFAULT_SETTINGS = defaultsOf(USER_SETTINGS)

type PersonalSettings = { readonly [Name in UserSettingName]?: boolean | number | string | undefined }

/** Sends an event for each change. Returns the user after the change. */
export async function changePersonalSettings(
  tx: Tx,
  before: UserRow,
  wanted: PersonalSettings & { timezone?: string | undefined },
): Promise<UserRow> {
  const { timezone = before.timezone, ...values } = wanted
  const different = definedSettingEntries(values).filter(([name, value]) => value !== userSetting(before, name))
  if (different.length === 0 && timezone === before.timezone) return before
  const settings = mergeSettings(before.settings, Object.fromEntries(different), DEFAULT_SETTINGS)
  const changed = { ...before, timezone, settings }
  const after = { ...changed, email: apiEmail(tx.organization, changed) }
  await writeUser(tx, after)
  for (const [name, value] of different)
    if (!HIDDEN_USER_SETTINGS.includes(name)) emitSettingChange(tx, after, name, value)
  if (isAway(after) !== isAway(before)) emitAwayChange(tx, after)
  if (timezone !== before.timezone) {
    emitSettingChange(tx, after, 'timezone', timezone)
    tx.emit(userUpdated, { person: { user_id: after.id, email: after.email, timezone } }, everyone)
  }
  emitEmailChange(tx, before, after)
  return after
}

function emitSettingChange(
  tx: Tx,
  { id, email: user }: UserRow,
  name: UserSettingName | 'timezone',
  setting: boolean | number | string,
): void {
  const own: Audience = { users: [id] }
  const language = name === 'default_language' ? { language_name: languageName(String(setting)) ?? '' } : {}
  tx.emit(userSettingUpdated, { property: name, value: setting, ...language }, own)
  if (name === 'allow_private_data_export') emitExportConsent(tx, id, setting === true)
  if (name === 'timezone' || LEGACY_DISPLAY_SETTINGS.includes(name)) {
    tx.emit(displaySettingUpdated, { user, setting_name: name, setting, ...language }, own)
  } else if (LEGACY_NOTIFICATION_SETTINGS.includes(name)) {
    tx.emit(notificationSettingUpdated, { user, notification_name: name, setting }, own)
  }
}

/** Changes the defaults for new users. Existing users keep their settings. */
export async function changeUserSettingsDefaults(tx: Tx, values: PersonalSettings): Promise<void> {
  const { userDefaults } = organizationOf(tx.organization)
  const now: Readonly<Record<string, unknown>> = { ...DEFAULT_SETTINGS, ...userDefaults }
  const different = definedSettingEntries(values).filter(([name, value]) => value !== now[name])
  if (different.length === 0) return
  await changeOrganization(tx, {
    userDefaults: mergeSettings(userDefaults, Object.fromEntries(different), DEFAULT_SETTINGS),
  })
  for (const [property, value] of different) tx.emit(userSettingsDefaultUpdated, { property, value }, everyone)
}

function definedSettingEntries(values: PersonalSettings): [UserSettingName, boolean | number | string][] {
  // Safe: the type declares these entries, but absent values can be present as undefined.
  return Object.entries(values).filter(([, value]) => value !== undefined) as [
    UserSettingName,
    boolean | number | string,
  ][]
}

export async function getOwnUser(reader: Reader): Promise<Output<typeof contract.getOwnUser>> {
  const { organization, actor, db, organizationId } = reader
  const own = knownUser(organization, actor.userId)
  const { bot_type: _, bot_owner_id: __, ...shown } = presentUserWithProfile(own, actor, false)
  return {
    ...shown,
    avatar_url: avatarPath(own),
    delivery_email: own.deliveryEmail,
    max_message_id: await newestReceivedMessage(db, organizationId, actor.userId),
  }
}

const [DARK, LIGHT] = [2, 3]

const SLASH_COMMANDS = new Map<string, PersonalSettings>([
  ['/ping', {}],
  ['/day', { color_scheme: LIGHT }],
  ['/light', { color_scheme: LIGHT }],
  ['/night', { color_scheme: DARK }],
  ['/dark', { color_scheme: DARK }],
  ['/fluid-width', { fluid_layout_width: true }],
  ['/fixed-width', { fluid_layout_width: false }],
])

export async function runZcommand(
  tx: ActorTx,
  input: Input<typeof contract.runZcommand>,
): Promise<Record<string, never>> {
  const settings = SLASH_COMMANDS.get(input.command)
  if (settings === undefined) {
    throw new ApiError(
      'BAD_REQUEST',
      input.command.startsWith('/') ? 'No such command' : 'A command begins with a slash.',
    )
  }
  await changePersonalSettings(tx, knownUser(tx.organization, tx.actor.userId), settings)
  return {}
}
