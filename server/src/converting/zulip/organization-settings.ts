import { CHANNEL_SETTINGS, REALM_SETTINGS } from '../../capabilities/organizations/contract/settings.ts'
import { canonicalDomain } from '../../capabilities/organizations/rules.ts'
import { PERMISSIONS } from '../../capabilities/groups/contract/permissions.ts'
import type { Conversion } from '../convert.ts'
import type { ZulipContext } from './known.ts'
import { permissionsOf } from './permissions.ts'
import { zulipDomain, type ZulipRealm, type ZulipTables } from './records.ts'
import { rowsOf } from './rows.ts'
import { settingsOf, type SettingColumns } from './setting-values.ts'

const MAX_WAITING_DAYS = 2_147_483_647

const COLUMNS: SettingColumns = {
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
  const { enable_spectator_access: isOpen, ...settings } = settingsOf(
    withChannelIds(realm, known),
    REALM_SETTINGS,
    COLUMNS,
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
  return { ...settings, ...permissionsOf(realm, PERMISSIONS.realm, known.groups, 'the organization', conversion) }
}

function withChannelIds(realm: ZulipRealm, { channels }: ZulipContext): Record<string, unknown> {
  const named = CHANNEL_SETTINGS.flatMap((setting) => COLUMNS.names[setting] ?? []).flatMap((column) => {
    const there = realm[column]
    return typeof there === 'number' ? [[column, channels.get(there)?.id ?? `channel ${there}`] as const] : []
  })
  return { ...realm, ...Object.fromEntries(named) }
}

async function readDomains(tables: ZulipTables, { organization, leftOut }: Conversion): Promise<void> {
  const known = new Set<string>()
  for (const { domain: given, allow_subdomains: isWide } of rowsOf(
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
