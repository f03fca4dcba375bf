import type { Kysely } from 'kysely'
import type { Fold, World } from '../../kernel/fold.ts'
import type { Tables } from '../../kernel/tables.ts'
import type { GroupSettingValue } from '../groups/contract/index.ts'
import { PERMISSIONS, type RealmPermission } from '../groups/contract/permissions.ts'
import { systemGroupId } from '../groups/rules.ts'
import { SETTING_DEFAULTS, type SettingName } from './contract/settings.ts'

export interface Organization {
  /** The subdomain, empty for the organization at the root domain. */
  readonly stringId: string
  readonly name: string
  readonly description: string
  readonly dateCreated: number
  /** Only what differs from the defaults. */
  readonly settings: Readonly<Record<string, unknown>>
}

interface OrganizationState {
  current: Organization
}

export const organizationFold: Fold<OrganizationState, Organization> = {
  name: 'organization',
  empty: () => ({ current: { stringId: '', name: '', description: '', dateCreated: 0, settings: {} } }),
  async load(state, database, organizationId) {
    // The fold reads its own capability's tables.
    const db = database as unknown as Kysely<Tables>
    const row = await db
      .selectFrom('organizations')
      .innerJoin('organization_settings', 'organization_settings.organization_id', 'organizations.id')
      .select(['string_id', 'name', 'description', 'date_created', 'settings'])
      .where('organizations.id', '=', organizationId)
      .executeTakeFirstOrThrow()
    state.current = {
      stringId: row.string_id,
      name: row.name,
      description: row.description,
      dateCreated: row.date_created,
      settings: row.settings,
    }
  },
  put(state, organization) {
    state.current = organization
  },
}

export function organizationOf(world: World): Organization {
  return world.of(organizationFold).current
}

export function setting<Name extends SettingName>(world: World, name: Name): (typeof SETTING_DEFAULTS)[Name] {
  const stored = organizationOf(world).settings[name]
  // Stored only by this capability's actions, which check the type.
  return (stored === undefined ? SETTING_DEFAULTS[name] : stored) as (typeof SETTING_DEFAULTS)[Name]
}

/** Who a setting of the organization lets do something. */
export function groupSetting(world: World, name: RealmPermission): GroupSettingValue {
  const stored = organizationOf(world).settings[name]
  // As above: a stored group setting is a group setting value.
  return stored === undefined
    ? systemGroupId(world, PERMISSIONS.realm[name].default_group_name)
    : (stored as GroupSettingValue)
}

/** The organization a subdomain stands for. */
export async function findOrganization(db: Kysely<Tables>, stringId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('organizations')
    .innerJoin('organization_settings', 'organization_settings.organization_id', 'organizations.id')
    .select('id')
    .where('string_id', '=', stringId)
    .where('deactivated', '=', false)
    .executeTakeFirst()
  return row?.id
}
