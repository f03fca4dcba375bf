import { PERMISSIONS } from '../../capabilities/groups/contract/permissions.ts'
import { CHANNEL_SETTINGS, REALM_SETTINGS } from '../../capabilities/organizations/contract/settings.ts'
import { canonicalDomain } from '../../capabilities/organizations/rules.ts'
import { USER_SETTINGS } from '../../capabilities/users/contract/settings.ts'
import { separateInvalidSettings, type Settings } from '../../kernel/setting.ts'
import type { Conversion } from '../convert.ts'
import type { ZulipContext } from './channels.ts'
import { convertPermissions } from './permissions.ts'
import {
  readRows,
  zulipDomain,
  zulipUserDefaults,
  type ZulipRealm,
  type ZulipTables,
  type ZulipUser,
} from './records.ts'

interface SettingColumns {
  /** Column names by setting, newest first. By default, the column has the setting's name. */
  readonly names: Readonly<Record<string, readonly string[]>>
  /** Meanings of stored values by column name. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Most private values by setting, for privacy settings with an unsupported value. */
  readonly narrowest: Readonly<Record<string, unknown>>
}

const MAX_WAITING_DAYS = 2_147_483_647

const ORGANIZATION_COLUMNS: SettingColumns = {
  names: {
    message_edit_history_visibility_policy: ['message_edit_history_visibility_policy', 'allow_edit_history'],
    topics_policy: ['topics_policy', 'mandatory_topics'],
    giphy_rating: ['giphy_rating', 'gif_rating_policy'],
    moderation_request_channel_id: ['moderation_request_channel'],
    new_stream_announcements_stream_id: ['new_stream_announcements_stream', 'notifications_stream'],
    signup_announcements_stream_id: ['signup_announcements_stream', 'signup_notifications_stream'],
    service_update_announcements_stream_id: ['zulip_update_announcements_stream'],
  },
  values: {
    message_edit_history_visibility_policy: { 1: 'all', 2: 'moves', 3: 'none' },
    allow_edit_history: { true: 'all', false: 'none' },
    topics_policy: { 2: 'allow_empty_topic', 3: 'disable_empty_topic' },
    mandatory_topics: { true: 'disable_empty_topic', false: 'allow_empty_topic' },
    // Older exports use null for unlimited retention.
    message_retention_days: { null: REALM_SETTINGS.message_retention_days.byDefault },
  },
  narrowest: {
    message_edit_history_visibility_policy: 'none',
    emails_restricted_to_domains: true,
    waiting_period_threshold: MAX_WAITING_DAYS,
  },
}

const SETTINGS_LEFT_OUT: Readonly<Record<string, unknown>> = { presence_disabled: false }

export async function organizationSettings(
  realm: ZulipRealm,
  tables: ZulipTables,
  known: ZulipContext,
  conversion: Conversion,
): Promise<Record<string, unknown>> {
  const { leftOut, carried } = conversion
  await readDomains(tables, conversion)
  const stays = (setting: string, value: unknown): void => {
    leftOut.add(
      'organization settings with unsupported values: set to the default, or limited to fewer people',
      `${setting}: ${JSON.stringify(value)}`,
    )
  }
  const { enable_spectator_access: isOpen, ...settings } = convertSettings(
    withChannelIds(realm, known),
    REALM_SETTINGS,
    ORGANIZATION_COLUMNS,
    stays,
  )
  // The export does not say whether the server allowed access without an account.
  if (isOpen === true) leftOut.add('access without an account: off until an administrator allows it again')
  for (const [setting, harmless] of Object.entries(SETTINGS_LEFT_OUT)) {
    if (realm[setting] !== undefined && realm[setting] !== harmless) stays(setting, realm[setting])
  }
  for (const setting of Object.keys(settings)) {
    carried.add('organization settings that differ from the defaults', setting)
  }
  return { ...settings, ...convertPermissions(realm, PERMISSIONS.realm, known.groups, 'the organization', conversion) }
}

function withChannelIds(realm: ZulipRealm, { channels }: ZulipContext): Record<string, unknown> {
  const named = CHANNEL_SETTINGS.flatMap((setting) => ORGANIZATION_COLUMNS.names[setting] ?? []).flatMap((column) => {
    const there = realm[column]
    return typeof there === 'number' ? [[column, channels.get(there)?.id ?? `channel ${there}`] as const] : []
  })
  return { ...realm, ...Object.fromEntries(named) }
}

async function readDomains(tables: ZulipTables, { organization, leftOut }: Conversion): Promise<void> {
  const known = new Set<string>()
  for (const { domain: given, allow_subdomains: isWide } of readRows(
    'zerver_realmdomain',
    tables.zerver_realmdomain,
    zulipDomain,
    leftOut,
  )) {
    // Keeps invalid domains, so that the import reports them.
    const domain = canonicalDomain(given) ?? given
    if (known.has(domain)) continue
    known.add(domain)
    await organization.addRecord('realm_domains', {
      id: organization.next(),
      domain,
      allow_subdomains: isWide === true,
    })
  }
}

const EMAIL_VISIBLE_TO_NO_ONE = 4

const PERSONAL_COLUMNS: SettingColumns = {
  names: {
    web_home_view: ['web_home_view', 'default_view'],
    web_escape_navigates_to_home_view: ['web_escape_navigates_to_home_view', 'escape_navigates_to_default_view'],
  },
  values: {
    notification_sound: { zulip: 'service' },
    web_home_view: { recent: 'recent_topics' },
    resolved_topic_notice_auto_read_policy: { 1: 'always', 2: 'except_followed', 3: 'never' },
  },
  narrowest: { email_address_visibility: EMAIL_VISIBLE_TO_NO_ONE },
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
  const settings = convertSettings(
    withEmailVisibility(user, realm),
    USER_SETTINGS,
    PERSONAL_COLUMNS,
    (setting, value) => {
      leftOut.add(
        'personal settings with unsupported values: set to the default, or visible to fewer people',
        `${user.full_name ?? user.id}, ${setting}: ${JSON.stringify(value)}`,
      )
    },
  )
  for (const setting of Object.keys(settings)) carried.add('personal settings that differ from the defaults', setting)
  return settings
}

export function newcomerSettings(
  tables: ZulipTables,
  { leftOut, carried }: Pick<Conversion, 'leftOut' | 'carried'>,
): Record<string, unknown> {
  const [row] = readRows('zerver_realmuserdefault', tables.zerver_realmuserdefault, zulipUserDefaults, leftOut)
  // Omits the default language, which is a setting of the organization.
  const { default_language: _, ...settings } = convertSettings(
    withEmailVisibility(row ?? {}, tables.zerver_realm?.[0]),
    USER_SETTINGS,
    PERSONAL_COLUMNS,
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

/** Returns settings that differ from the defaults. `unfit` is called for each unsupported value. */
function convertSettings(
  row: Readonly<Record<string, unknown>>,
  settings: Settings,
  { names, values, narrowest }: SettingColumns,
  unfit: (setting: string, value: unknown) => void,
): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [setting, { byDefault }] of Object.entries(settings)) {
    const column = (names[setting] ?? [setting]).find((one) => row[one] !== undefined)
    if (column === undefined) continue
    const given = row[column]
    const meanings = values[column] ?? {}
    const value = Object.hasOwn(meanings, String(given)) ? meanings[String(given)] : given
    const { kept } = separateInvalidSettings({ [setting]: value }, settings)
    if (Object.hasOwn(kept, setting)) {
      if (kept[setting] !== byDefault) found[setting] = kept[setting]
      continue
    }
    // Null means that no one chose a value. The default applies, except for privacy settings.
    if (value === byDefault || (value === null && !Object.hasOwn(narrowest, setting))) continue
    if (Object.hasOwn(narrowest, setting)) found[setting] = narrowest[setting]
    unfit(setting, value)
  }
  return found
}
