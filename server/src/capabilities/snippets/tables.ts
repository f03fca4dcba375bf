import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    saved_snippets: {
      organization_id: number
      user_id: number
      id: number
      title: string
      content: string
      date_created: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-21-saved-snippets',
    sql: `
create table saved_snippets (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint not null,
  title text not null,
  content text not null,
  date_created bigint not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('saved_snippets', {
    columns: ['user_id', 'id', 'title', 'content', 'date_created'],
    order: ['user_id', 'id'],
    belongsTo: 'user_id',
    refers: { user_id: 'users' },
  }),
]
