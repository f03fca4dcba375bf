import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    tool_access: {
      organization_id: number
      access: string
    }
    /** Without a row, AI tools can access a channel if it is public. */
    channel_tool_access: {
      organization_id: number
      channel_id: number
      is_allowed: boolean
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-tool-access',
    sql: `
create table tool_access (
  organization_id bigint primary key references organizations (id) on delete cascade,
  access text not null
);
create table channel_tool_access (
  organization_id bigint not null,
  channel_id bigint not null,
  is_allowed boolean not null,
  primary key (organization_id, channel_id),
  foreign key (organization_id, channel_id) references channels (organization_id, id) on delete cascade
);
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('tool_access', { columns: ['access'], order: [] }),
  exportedTable('channel_tool_access', {
    columns: ['channel_id', 'is_allowed'],
    order: ['channel_id'],
    refers: { channel_id: 'channels' },
  }),
]
