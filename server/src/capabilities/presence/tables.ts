import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    presences: { organization_id: number; user_id: number; active_at: number; idle_at: number; update_id: number }
    presence_clocks: { organization_id: number; last_update_id: number }
    user_activity: { organization_id: number; user_id: number; noted_at: number }
  }
}

export const migrations: readonly Migration[] = [
  // Each update gets the clock's next number, so that clients can request only presences newer than their last update.
  {
    name: '2026-11-22-presences',
    sql: `
create table presences (
  organization_id bigint not null,
  user_id bigint not null,
  active_at bigint not null,
  idle_at bigint not null,
  update_id bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
) with (fillfactor = 80);
create index presences_by_update on presences (organization_id, update_id);
create table presence_clocks (
  organization_id bigint primary key references organizations (id) on delete cascade,
  last_update_id bigint not null
);
`,
  },
  // Earlier activity is unknown, so all users start as active.
  {
    name: '2026-11-22-user-activity',
    sql: `
create table user_activity (
  organization_id bigint not null,
  user_id bigint not null,
  noted_at bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
) with (fillfactor = 80);
create index user_activity_by_time on user_activity (organization_id, noted_at);
insert into user_activity (organization_id, user_id, noted_at)
select organization_id, id, extract(epoch from now())::bigint from users;
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('presences', {
    columns: ['user_id', 'active_at', 'idle_at', 'update_id'],
    order: ['user_id'],
    refers: { user_id: 'users' },
  }),
  exportedTable('presence_clocks', { columns: ['last_update_id'], order: [] }),
  exportedTable('user_activity', {
    columns: ['user_id', 'noted_at'],
    order: ['user_id'],
    refers: { user_id: 'users' },
  }),
]
