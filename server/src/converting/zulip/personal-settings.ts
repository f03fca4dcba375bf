import { USER_SETTINGS } from '../../capabilities/users/contract/settings.ts'
import type { Conversion } from '../convert.ts'
import { zulipUserDefaults, type ZulipRealm, type ZulipTables, type ZulipUser } from './records.ts'
import { rowsOf } from './rows.ts'
import { settingsOf, type SettingColumns } from './setting-values.ts'

const EMAIL_SHOWN_TO_NO_ONE = 4

const COLUMNS: SettingColumns = {
  names: {
    web_home_view: ['web_home_view', 'default_view'],
    web_escape_navigates_to_home_view: ['web_escape_navigates_to_home_view', 'escape_navigates_to_default_view'],
  },
  values: {
    notification_sound: { zulip: 'service' },
    web_home_view: { recent: 'recent_topics' },
    resolved_topic_notice_auto_read_policy: { 1: 'always', 2: 'except_followed', 3: 'never' },
  },
  narrowest: { email_address_visibility: EMAIL_SHOWN_TO_NO_ONE },
}
/** Adds a setting that older exports have for the organization instead of for each person. */
function withEmailVisibility(
  row: Readonly<Record<string, unknown>>,
  realm: ZulipRealm | undefined,
): Readonly<Record<string, unknown>> {
  return { email_address_visibility: realm?.['email_address_visibility'], ...row }
}

export function personalSettings(
  user: ZulipUser,
  realm: ZulipRealm | undefined,
  { leftOut, carried }: Pick<Conversion, 'leftOut' | 'carried'>,
): Record<string, unknown> {
  const settings = settingsOf(withEmailVisibility(user, realm), USER_SETTINGS, COLUMNS, (setting, value) => {
    leftOut.add(
      'personal settings with unsupported values: set to the default, or visible to fewer people',
      `${user.full_name ?? user.id}, ${setting}: ${JSON.stringify(value)}`,
    )
  })
  for (const setting of Object.keys(settings)) carried.add('personal settings that differ from the defaults', setting)
  return settings
}

export function settingsOfNewcomers(
  tables: ZulipTables,
  { leftOut, carried }: Pick<Conversion, 'leftOut' | 'carried'>,
): Record<string, unknown> {
  const [row] = rowsOf('zerver_realmuserdefault', tables.zerver_realmuserdefault, zulipUserDefaults, leftOut)
  // Omits the default language, which is a setting of the organization.
  const { default_language: _, ...settings } = settingsOf(
    withEmailVisibility(row ?? {}, tables.zerver_realm?.[0]),
    USER_SETTINGS,
    COLUMNS,
    (setting, value) => {
      leftOut.add(
        'default settings of new users with unsupported values: set to the default, or visible to fewer people',
        `${setting}: ${JSON.stringify(value)}`,
      )
    },
  )
  for (const setting of Object.keys(settings)) carried.add('default settings of new users', setting)
  return settings
}
