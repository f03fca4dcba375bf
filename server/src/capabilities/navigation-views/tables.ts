import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    navigation_views: {
      organization_id: number
      user_id: number
      fragment: string
      id: number
      is_pinned: boolean
      name: string | null
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-21-navigation-views',
    sql: `
create table navigation_views (
  organization_id bigint not null,
  user_id bigint not null,
  fragment text not null,
  id bigint not null,
  is_pinned boolean not null,
  name text,
  primary key (organization_id, user_id, fragment),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('navigation_views', {
    columns: ['user_id', 'fragment', 'id', 'is_pinned', 'name'],
    order: ['user_id', 'id'],
    refers: { user_id: 'users' },
  }),
]
