import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'
import { caseKey } from '../../kernel/case-key.ts'
import { MAX_GROUP_NAME_LENGTH } from './contract.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    default_channel_groups: {
      organization_id: number
      id: number
      name: string
      name_key: string
      description: string
      channel_ids: number[]
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-default-channel-groups',
    sql: `
create table default_channel_groups (
  organization_id bigint not null references organizations (id) on delete cascade,
  id bigint not null,
  name text not null,
  name_key text not null,
  description text not null,
  channel_ids bigint[] not null,
  primary key (organization_id, id)
);
create unique index default_channel_groups_name on default_channel_groups (organization_id, name_key);
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('default_channel_groups', {
    columns: ['id', 'name', 'description', 'channel_ids'],
    order: ['id'],
    derived: ['name_key'],
    refers: { channel_ids: 'channels' },
    unique: { column: 'name', keyColumn: 'name_key', keyOf: caseKey, most: MAX_GROUP_NAME_LENGTH },
  }),
]
