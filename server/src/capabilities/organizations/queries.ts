import type { Kysely } from 'kysely'
import type { Projection, OrganizationState } from '../../kernel/projection.ts'
import type { Tables } from '../../kernel/tables.ts'
import { defaultsOf } from '../../kernel/setting.ts'
import type { GroupSettingValue } from '../groups/contract/index.ts'
import { PERMISSIONS, type RealmPermission } from '../groups/contract/permissions.ts'
import { systemGroupId } from '../groups/rules.ts'
import { FIXED_SETTINGS, REALM_SETTINGS, type SettingName, type SettingValue } from './contract/settings.ts'

/** What an organization shows of itself: its icon, and its logo for light and for dark pages. */
export type PictureKind = 'icon' | 'logo' | 'night_logo'
type Pictures = Readonly<Partial<Record<PictureKind, string>>>

export interface Organization {
  /** The subdomain, empty for the organization at the root domain. */
  readonly stringId: string
  readonly name: string
  readonly description: string
  readonly renderedDescription: string
  readonly dateCreated: number
  /** The settings that differ from their defaults. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The personal settings that new users start with, where they differ from the defaults. */
  readonly userDefaults: Readonly<Record<string, unknown>>
  /** The names of uploaded files. */
  readonly pictures: Pictures
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
    },
  }),
  async load(state, database, organizationId) {
    // The projection reads its own capability's tables.
    const db = database as unknown as Kysely<Tables>
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
    }
  },
  apply(state, organization) {
    // A server of the version before does not know the newest fields, and leaves them as they are.
    state.current = { ...state.current, ...organization }
  },
}

export function organizationOf(organization: OrganizationState): Organization {
  return organization.of(organizationProjection).current
}

const DEFAULT_PICTURE = '/static/icon.svg'

/** A picture of the organization: its address, without the host, and where it comes from. */
export function pictureOf(
  { pictures }: Pick<Organization, 'pictures'>,
  kind: PictureKind,
): { path: string; source: 'U' | 'G' | 'D' } {
  const file = pictures[kind]
  if (file !== undefined) return { path: `/organization_pictures/${file}.png`, source: 'U' }
  return { path: DEFAULT_PICTURE, source: kind === 'icon' ? 'G' : 'D' }
}

/** The settings that describe a picture. @param url of the organization, without a slash at its end */
export function pictureSettings(
  organization: Pick<Organization, 'pictures'>,
  kind: PictureKind,
  url: string,
): Record<string, string> {
  const { path, source } = pictureOf(organization, kind)
  return { [`${kind}_url`]: url + path, [`${kind}_source`]: source }
}

export function setting<Name extends SettingName>(organization: OrganizationState, name: Name): SettingValue<Name> {
  const stored = organizationOf(organization).settings[name]
  // Stored only by this capability's actions, which check the type.
  return (stored === undefined ? SETTING_DEFAULTS[name] : stored) as SettingValue<Name>
}

/** The accounts that a setting of the organization allows something. */
export function groupSetting(organization: OrganizationState, name: RealmPermission): GroupSettingValue {
  const stored = organizationOf(organization).settings[name]
  // A stored group setting is a group setting value: only checked values are stored.
  return stored === undefined
    ? systemGroupId(organization, PERMISSIONS.realm[name].default_group_name)
    : (stored as GroupSettingValue)
}

/** The organization a subdomain stands for. */
export async function findOrganization(
  db: Kysely<Tables>,
  stringId: string,
): Promise<{ readonly id: number; readonly name: string } | undefined> {
  return db
    .selectFrom('organizations')
    .innerJoin('organization_settings', 'organization_settings.organization_id', 'organizations.id')
    .select(['id', 'name'])
    .where('string_id', '=', stringId)
    .where('deactivated', '=', false)
    .executeTakeFirst()
}
