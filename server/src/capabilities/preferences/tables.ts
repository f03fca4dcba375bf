import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    preferences: {
      organization_id: number
      user_id: number
      name: string
      value: string
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-preferences',
    sql: `
create table preferences (
  organization_id bigint not null,
  user_id bigint not null,
  name text not null,
  value text not null,
  primary key (organization_id, user_id, name),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('preferences', {
    columns: ['user_id', 'name', 'value'],
    order: ['user_id', 'name'],
    refers: { user_id: 'users' },
  }),
]
