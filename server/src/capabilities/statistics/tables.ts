import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    daily_totals: {
      organization_id: number
      day: number
      channel_messages: number
      direct_messages: number
      people: number
    }
    daily_channels: { organization_id: number; day: number; channel_id: number; messages: number }
    last_written_days: { organization_id: number; user_id: number; day: number }
    counted_messages: { organization_id: number; last_id: number; position: number; due_at: number }
  }
}

export const migrations: readonly Migration[] = [
  // Messages are counted in advance, because reading all of them would be slow. Days are numbered from 1970, in UTC.
  {
    name: '2026-11-26-statistics',
    sql: `
create table daily_totals (
  organization_id bigint not null references organizations (id) on delete cascade,
  day int not null,
  channel_messages int not null,
  direct_messages int not null,
  people int not null,
  primary key (organization_id, day)
);
create table daily_channels (
  organization_id bigint not null references organizations (id) on delete cascade,
  day int not null,
  channel_id bigint not null,
  messages int not null,
  primary key (organization_id, day, channel_id)
);
-- The last day on which each person wrote: a person is counted once a day, and once in any time that ends today.
create table last_written_days (
  organization_id bigint not null references organizations (id) on delete cascade,
  user_id bigint not null,
  day int not null,
  primary key (organization_id, user_id)
);
-- How far messages are counted.
create table counted_messages (
  organization_id bigint primary key references organizations (id) on delete cascade,
  last_id bigint not null,
  -- Of the log, when nothing was left to be counted.
  position bigint not null,
  due_at bigint not null
);
`,
  },
  // The index finds recent senders without reading all earlier senders.
  {
    name: '2026-11-26-people-by-day',
    sql: 'create index last_written_days_by_day on last_written_days (organization_id, day);',
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('daily_totals', {
    columns: ['day', 'channel_messages', 'direct_messages', 'people'],
    order: ['day'],
  }),
  exportedTable('daily_channels', {
    columns: ['day', 'channel_id', 'messages'],
    order: ['day', 'channel_id'],
    refers: { channel_id: 'channels' },
  }),
  exportedTable('last_written_days', { columns: ['user_id', 'day'], order: ['user_id'], refers: { user_id: 'users' } }),
  exportedTable('counted_messages', { columns: ['last_id', 'position', 'due_at'], order: [] }),
]
