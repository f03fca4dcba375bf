import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    muted_users: {
      organization_id: number
      user_id: number
      muted_user_id: number
      date_muted: number
      id: number
      /** Log position at which the block began; null if the user is only muted. */
      blocked_since: number | null
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-21-muted-users',
    sql: `
create table muted_users (
  organization_id bigint not null,
  user_id bigint not null,
  muted_user_id bigint not null,
  date_muted bigint not null,
  id bigint not null,
  primary key (organization_id, user_id, muted_user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, muted_user_id) references users (organization_id, id) on delete cascade
);
`,
  },
  {
    name: '2026-11-30-blocked-users',
    sql: 'alter table muted_users add column blocked_since bigint;',
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('muted_users', {
    columns: ['user_id', 'muted_user_id', 'date_muted', 'id', 'blocked_since'],
    order: ['user_id', 'muted_user_id'],
    belongsTo: 'user_id',
    exportedAs: { date_muted: 'timestamp', id: null },
    refers: { user_id: 'users', muted_user_id: 'users' },
  }),
]
