import type { Migration } from '../../kernel/tables.ts'

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
  // Groups that people make: their names differ in more than case. Until now only the system groups were there, whose
  // names are their own keys.
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
