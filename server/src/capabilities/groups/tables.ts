import type { Migration } from '../../kernel/tables.ts'
import {
  exportedTable,
  toRecord,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import { caseKey } from '../../kernel/case-key.ts'
import { groupSettingValue, MAX_GROUP_DESCRIPTION_LENGTH, MAX_GROUP_NAME_LENGTH } from './contract/index.ts'
import { PERMISSIONS, SYSTEM_GROUPS } from './contract/permissions.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    user_groups: {
      organization_id: number
      id: number
      name: string
      name_key: string
      description: string
      creator_id: number | null
      date_created: number | null
      is_system_group: boolean
      deactivated: boolean
      permissions: Json<Record<string, unknown>>
    }
    group_members: { organization_id: number; group_id: number; user_id: number }
    group_subgroups: { organization_id: number; group_id: number; subgroup_id: number }
  }
}

export const migrations: readonly Migration[] = [
  // Makes names unique regardless of case. Earlier, only system groups existed, whose names are their own case keys.
  {
    name: '2026-11-22-user-groups',
    sql: `
alter table user_groups add column name_key text;
update user_groups set name_key = name;
create unique index user_groups_name_key on user_groups (organization_id, name_key);
drop index user_groups_name;
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('user_groups', {
    columns: [
      'id',
      'name',
      'description',
      'creator_id',
      'date_created',
      'is_system_group',
      'deactivated',
      'permissions',
    ],
    order: ['id'],
    derived: ['name_key'],
    loosely: { creator_id: 'users' },
    unique: { column: 'name', keyColumn: 'name_key', keyOf: caseKey, most: MAX_GROUP_NAME_LENGTH },
    onImport(group) {
      requireText(group, 'description', MAX_GROUP_DESCRIPTION_LENGTH)
      group['permissions'] = validPermissions(group['permissions'], Object.keys(PERMISSIONS.group))
    },
    async finish(db, organizationId) {
      const groups = await db
        .selectFrom('user_groups')
        .select('name')
        .where('organization_id', '=', organizationId)
        .where('is_system_group', '=', true)
        .execute()
      const names = groups.map(({ name }) => name).toSorted()
      if (names.join() !== SYSTEM_GROUPS.toSorted().join())
        throw new UnimportableRecordError('it does not have exactly the role groups')
    },
  }),
  exportedTable('group_members', {
    columns: ['group_id', 'user_id'],
    order: ['group_id', 'user_id'],
    refers: { group_id: 'user_groups', user_id: 'users' },
  }),
  exportedTable('group_subgroups', {
    columns: ['group_id', 'subgroup_id'],
    order: ['group_id', 'subgroup_id'],
    refers: { group_id: 'user_groups', subgroup_id: 'user_groups' },
    onImport({ group_id, subgroup_id }) {
      if (group_id === subgroup_id) throw new UnimportableRecordError('a group contains itself')
    },
  }),
]

/** @throws UnimportableRecordError if a permission setting is missing or invalid */
export function validPermissions(given: unknown, names: readonly string[]): Record<string, unknown> {
  const permissions = toRecord(given)
  return Object.fromEntries(
    names.map((name) => {
      const parsed = groupSettingValue.safeParse(permissions[name])
      if (!parsed.success) throw new UnimportableRecordError(`${name} is not a permission`)
      return [name, parsed.data]
    }),
  )
}
