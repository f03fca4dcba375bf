import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    onboarding_steps: { organization_id: number; user_id: number; name: string }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-onboarding-steps',
    sql: `
create table onboarding_steps (
  organization_id bigint not null references organizations (id) on delete cascade,
  user_id bigint not null,
  name text not null,
  primary key (organization_id, user_id, name)
);
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('onboarding_steps', {
    columns: ['user_id', 'name'],
    order: ['user_id', 'name'],
    refers: { user_id: 'users' },
  }),
]
