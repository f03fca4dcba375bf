import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, requireText, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    bans: {
      organization_id: number
      user_id: number
      reason: string
      banned_by: number | null
      banned_at: number
      ends_at: number | null
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-30-bans',
    sql: `
create table bans (
  organization_id bigint not null,
  user_id bigint not null,
  reason text not null,
  banned_by bigint,
  banned_at bigint not null,
  ends_at bigint,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index bans_due on bans (ends_at) where ends_at is not null;
`,
  },
  { name: '2026-12-01-bans-by-time', sql: 'create index bans_newest on bans (organization_id, banned_at, user_id);' },
]

/** A code point can have two code units. */
const MAX_IMPORTED_REASON_LENGTH = 2_000

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('bans', {
    columns: ['user_id', 'reason', 'banned_by', 'banned_at', 'ends_at'],
    order: ['user_id'],
    belongsTo: 'user_id',
    exportedAs: { banned_by: null },
    refers: { user_id: 'users' },
    loosely: { banned_by: 'users' },
    onImport: (ban) => void requireText(ban, 'reason', MAX_IMPORTED_REASON_LENGTH),
  }),
]
