import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { EventOf } from '../../../kernel/event-binding.ts'
import type { Projection, OrganizationState } from '../../../kernel/projection.ts'
import type { Tables } from '../../../kernel/tables.ts'
import { defaultsOf } from '../../../kernel/setting.ts'
import type { Output } from '../../../kernel/endpoint.ts'
import type { Db } from '../../../kernel/transaction.ts'
import type { Viewer } from '../../../kernel/viewer.ts'
import { keysOf } from '../../../kernel/keys.ts'
import type { OpenCall } from '../../../platform/request.ts'
import { OPENID_PATH } from '../../../platform/openid/openid.ts'
import { MIN_PASSWORD_GUESSES } from '../../../platform/passwords/strength.ts'
import type { ServerFacts, SharedFields, SpectatorViewer } from '../../../platform/server-facts.ts'
import type { GroupSettingValue } from '../../groups/contract/index.ts'
import { omittedPermissions, PERMISSIONS, type RealmPermission } from '../../groups/contract/permissions.ts'
import { systemGroupId } from '../../groups/rules.ts'
import { groupsProjection, presentSetting } from '../../groups/queries.ts'
import {
  CHANNEL_SETTINGS,
  FIXED_SETTINGS,
  SPECTATOR_SETTINGS,
  REALM_SETTINGS,
  HIDDEN_SETTINGS,
  type SettingName,
  type SettingValue,
} from '../contract/settings.ts'
import { LEGACY_POLICIES, legacyPolicy, type realmSettingsUpdated } from '../contract/events.ts'
import type * as contract from '../contract/index.ts'
import {
  EMPTY_TOPIC_DISPLAY_NAME,
  VIDEO_CALL_PROVIDERS,
  API_VERSION,
  FEATURE_LEVEL,
  LIMITS,
  MAX_NEW_SUBSCRIPTION_MESSAGES,
  MAX_PICTURE_MEBIBYTES,
} from '../contract/index.ts'

export const PICTURE_KINDS = ['icon', 'logo', 'night_logo'] as const
export type PictureKind = (typeof PICTURE_KINDS)[number]
type Pictures = Readonly<Partial<Record<PictureKind, string>>>

export interface Organization {
  /** Subdomain; empty for the root domain. */
  readonly stringId: string
  readonly name: string
  readonly description: string
  readonly renderedDescription: string
  readonly dateCreated: number
  readonly settings: Readonly<Record<string, unknown>>
  readonly userDefaults: Readonly<Record<string, unknown>>
  readonly pictures: Pictures
  readonly isDeactivated: boolean
}

export const SETTING_DEFAULTS: Readonly<Record<SettingName, boolean | number | string | null>> = {
  ...defaultsOf(REALM_SETTINGS),
  ...FIXED_SETTINGS,
}

interface OrganizationSettings {
  current: Organization
}

export const organizationProjection: Projection<OrganizationSettings, Organization> = {
  name: 'organization',
  takesRights: ({ current }, next) =>
    (next.isDeactivated && !current.isDeactivated) || !isDeepStrictEqual(next.settings, current.settings),
  empty: () => ({
    current: {
      stringId: '',
      name: '',
      description: '',
      renderedDescription: '',
      dateCreated: 0,
      settings: {},
      userDefaults: {},
      pictures: {},
      isDeactivated: false,
    },
  }),
  async load(state, db, organizationId) {
    const row = await db
      .selectFrom('organizations')
      .innerJoin('organization_settings', 'organization_settings.organization_id', 'organizations.id')
      .select([
        'string_id',
        'name',
        'description',
        'rendered_description',
        'date_created',
        'settings',
        'user_settings_defaults',
        'pictures',
        'deactivated',
      ])
      .where('organizations.id', '=', organizationId)
      .executeTakeFirstOrThrow()
    state.current = {
      stringId: row.string_id,
      name: row.name,
      description: row.description,
      renderedDescription: row.rendered_description,
      dateCreated: row.date_created,
      settings: row.settings,
      userDefaults: row.user_settings_defaults,
      pictures: row.pictures,
      isDeactivated: row.deactivated,
    }
  },
  apply(state, organization) {
    // Keeps fields that a server running the previous version does not know and therefore omits.
    state.current = { ...state.current, ...organization }
  },
}

export function organizationOf(organization: OrganizationState): Organization {
  return organization.of(organizationProjection).current
}

const DEFAULT_PICTURE = '/static/icon.svg'

export function organizationPicture(
  { pictures }: Pick<Organization, 'pictures'>,
  kind: PictureKind,
): { path: string; source: 'U' | 'G' | 'D' } {
  const file = pictures[kind]
  if (file !== undefined) return { path: `/organization_pictures/${file}.png`, source: 'U' }
  return { path: DEFAULT_PICTURE, source: kind === 'icon' ? 'G' : 'D' }
}

export function pictureSettings(
  organization: Pick<Organization, 'pictures'>,
  kind: PictureKind,
  url: string,
): Record<string, string> {
  const { path, source } = organizationPicture(organization, kind)
  return { [`${kind}_url`]: url + path, [`${kind}_source`]: source }
}

export function settingOf<Name extends SettingName>(organization: OrganizationState, name: Name): SettingValue<Name> {
  const stored = organizationOf(organization).settings[name]
  // Safe: only this capability's actions write the value, and they check its type.
  return (stored === undefined ? SETTING_DEFAULTS[name] : stored) as SettingValue<Name>
}

export function groupSetting(organization: OrganizationState, name: RealmPermission): GroupSettingValue {
  const stored = organizationOf(organization).settings[name]
  // Safe: only this capability's actions write the value, and they check its type.
  return stored === undefined
    ? systemGroupId(organization, PERMISSIONS.realm[name].default_group_name)
    : (stored as GroupSettingValue)
}

export function isDeactivated(organization: OrganizationState): boolean {
  return organizationOf(organization).isDeactivated
}

export async function findOrganization(
  db: Kysely<Tables>,
  stringId: string,
): Promise<{ readonly id: number; readonly name: string } | undefined> {
  return db
    .selectFrom('organizations')
    .innerJoin('organization_settings', 'organization_settings.organization_id', 'organizations.id')
    .select(['id', 'name'])
    .where('string_id', '=', stringId)
    .executeTakeFirst()
}

const ALL_ORGANIZATIONS = `
  select string_id as "stringId", name, date_created as "dateCreated", deactivated as "isDeactivated"
  from organizations join organization_settings on organization_id = id order by string_id`

export async function allOrganizations(
  db: Db,
): Promise<Pick<Organization, 'stringId' | 'name' | 'dateCreated' | 'isDeactivated'>[]> {
  return db.rows('all_organizations', ALL_ORGANIZATIONS, [])
}

/** Every server supports passwords. Clients expect the other methods to be listed, too. */
const AUTHENTICATION_METHODS = {
  password: true,
  dev: false,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  apple: false,
  google: false,
  saml: false,
  'openid connect': false,
}

function authenticationMethods({
  development,
  openid,
}: ServerFacts): Record<keyof typeof AUTHENTICATION_METHODS, boolean> {
  return { ...AUTHENTICATION_METHODS, dev: development, 'openid connect': openid !== undefined }
}

function externalAuthenticationMethods({
  openid,
}: ServerFacts): Output<typeof contract.getServerSettings>['external_authentication_methods'] {
  if (openid === undefined) return []
  const { displayName } = openid
  return [
    { name: 'openid', display_name: displayName, display_icon: null, login_url: OPENID_PATH, signup_url: OPENID_PATH },
  ]
}

export function settingsOf(organization: OrganizationState): Record<string, unknown> {
  return { ...settingFields(organization, UNCONVERTED_SETTINGS), ...permissionFields(organization) }
}

export function sharedOrganizationFields({ form }: Viewer, server: ServerFacts): SharedFields {
  const omitted = omittedPermissions(form.capabilities)
  return {
    key: omitted.join(),
    make: (organization) => ({
      ...settingFields(organization, UNCONVERTED_SETTINGS),
      ...permissionFields(organization, omitted),
      ...legacyPolicies(organization),
      ...publicOrganizationFields(organization, server),
      realm_upload_quota_mib: server.uploadLimits.quotaMebibytes,
    }),
  }
}

export function spectatorOrganizationFields(
  { organization }: SpectatorViewer,
  server: ServerFacts,
): Record<string, unknown> {
  return { ...settingFields(organization, SPECTATOR_SETTINGS), ...publicOrganizationFields(organization, server) }
}

export function billingSnapshot(): Record<string, unknown> {
  return { realm_billing: { has_pending_sponsorship_request: false } }
}

export function serverSettings(
  { log, server }: Pick<OpenCall, 'log' | 'server'>,
  hasPublicAccess: boolean,
): Output<typeof contract.getServerSettings> {
  const description = {
    authentication_methods: authenticationMethods(server),
    // Listed only for an organization, because the provider's sign-in starts at the organization's URL.
    external_authentication_methods: log === undefined ? [] : externalAuthenticationMethods(server),
    service_feature_level: FEATURE_LEVEL,
    service_version: API_VERSION,
    service_merge_base: '',
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
  }
  if (log === undefined) return description
  const url = server.urlOf(log.organization)
  return {
    ...description,
    realm_uri: url,
    realm_url: url,
    realm_name: organizationOf(log.organization).name,
    realm_icon: url + organizationPicture(organizationOf(log.organization), 'icon').path,
    realm_description: organizationOf(log.organization).renderedDescription,
    realm_web_public_access_enabled: hasPublicAccess,
  }
}

/** Clients wait longer than the server, so that the server always ends a poll. */
function longPollTimeoutSeconds(server: ServerFacts): number {
  return Math.ceil(server.queueLimits.heartbeatSeconds * 1.8)
}

const ALL_SETTINGS = keysOf(SETTING_DEFAULTS)
const EXCLUDED_SETTINGS: readonly SettingName[] = [...CHANNEL_SETTINGS, ...HIDDEN_SETTINGS]
const UNCONVERTED_SETTINGS = ALL_SETTINGS.filter((name) => !EXCLUDED_SETTINGS.includes(name))

function settingFields(organization: OrganizationState, names: readonly SettingName[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [`realm_${name}`, settingOf(organization, name)]))
}

function permissionFields(organization: OrganizationState, omitted: readonly string[] = []): Record<string, unknown> {
  const names = keysOf(PERMISSIONS.realm).filter((name) => !omitted.includes(name))
  return Object.fromEntries(
    names.map((name) => [`realm_${name}`, presentSetting(organization, groupSetting(organization, name))]),
  )
}

export function realmSettingsToClient(
  { payload }: EventOf<typeof realmSettingsUpdated>,
  { form }: Viewer,
): Record<string, unknown> | undefined {
  const omitted = omittedPermissions(form.capabilities)
  const data = Object.entries(payload.data).filter(([name]) => !omitted.includes(name))
  return data.length === 0 ? undefined : { ...payload, data: Object.fromEntries(data) }
}

function publicOrganizationFields(organization: OrganizationState, server: ServerFacts): Record<string, unknown> {
  const url = server.urlOf(organization)
  const row = organizationOf(organization)
  return {
    realm_name: row.name,
    realm_description: row.description,
    realm_date_created: row.dateCreated,
    realm_url: url,
    realm_uri: url,
    ...pictureFields(row, url),
    realm_bot_domain: new URL(url).hostname,
    realm_mandatory_topics: settingOf(organization, 'topics_policy') === 'disable_empty_topic',
    realm_allow_edit_history: settingOf(organization, 'message_edit_history_visibility_policy') !== 'none',
    realm_authentication_methods: Object.fromEntries(
      Object.entries(authenticationMethods(server)).map(([name, enabled]) => [name, { enabled, available: enabled }]),
    ),
    max_file_upload_size_mib: server.uploadLimits.maxMebibytes,
    server_emoji_data_url: `${url}/static/emoji.json`,
    ...LIMITS,
    realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
    event_queue_longpoll_timeout_seconds: longPollTimeoutSeconds(server),
    development_environment: server.development,
    server_generation: server.startedAt,
    server_web_public_streams_enabled: server.webPublicChannels,
    settings_send_digest_emails: server.mailer.isConfigured,
    server_jitsi_server_url: server.jitsiUrl ?? null,
    ...SERVER_CONSTANTS,
  }
}

function pictureFields(organization: Organization, url: string): Record<string, string> {
  const kinds = ['icon', 'logo', 'night_logo'] as const
  const settings = kinds.flatMap((kind) => Object.entries(pictureSettings(organization, kind, url)))
  return Object.fromEntries(settings.map(([name, value]) => [`realm_${name}`, value]))
}

function legacyPolicies(organization: OrganizationState): Record<string, number> {
  const { byId } = organization.of(groupsProjection)
  return Object.fromEntries(
    LEGACY_POLICIES.map((policy) => {
      const value = groupSetting(organization, policy.setting)
      const name = typeof value === 'number' ? byId.get(value)?.name : undefined
      return [`realm_${policy.policy}`, legacyPolicy(policy, value, name)]
    }),
  )
}

const SERVER_CONSTANTS = {
  max_bulk_new_subscription_messages: MAX_NEW_SUBSCRIPTION_MESSAGES,
  max_icon_file_size_mib: MAX_PICTURE_MEBIBYTES,
  max_logo_file_size_mib: MAX_PICTURE_MEBIBYTES,
  max_avatar_file_size_mib: MAX_PICTURE_MEBIBYTES,
  realm_available_video_chat_providers: {
    disabled: { name: 'None', id: VIDEO_CALL_PROVIDERS.nothing },
    jitsi_meet: { name: 'Jitsi Meet', id: VIDEO_CALL_PROVIDERS.jitsi },
  },
  realm_is_zephyr_mirror_realm: false,
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  service_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',
  jitsi_server_url: '',
  password_min_length: 8,
  password_max_length: 100,
  password_min_guesses: MIN_PASSWORD_GUESSES,
  giphy_rating_options: { disabled: { name: 'GIPHY integration disabled', id: 0 } },
  server_inline_image_preview: true,
  server_inline_url_embed_preview: true,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  server_can_summarize_topics: false,
  server_min_deactivated_realm_deletion_days: 0,
  server_max_deactivated_realm_deletion_days: null,
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_wait_period_milliseconds: 30_000,
} as const
