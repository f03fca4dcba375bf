import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, UnimportableRecordError, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    drafts: {
      organization_id: number
      user_id: number
      id: number
      type: string
      recipient_ids: number[]
      topic: string
      content: string
      last_edited: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-21-drafts',
    sql: `
create table drafts (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint not null,
  type text not null,
  recipient_ids bigint[] not null,
  topic text not null,
  content text not null,
  last_edited bigint not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]

const DRAFT_TYPES: readonly unknown[] = ['', 'stream', 'private']

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('drafts', {
    columns: ['user_id', 'id', 'type', 'recipient_ids', 'topic', 'content', 'last_edited'],
    order: ['user_id', 'id'],
    belongsTo: 'user_id',
    exportedAs: { recipient_ids: 'to', last_edited: 'timestamp' },
    refers: { user_id: 'users' },
    onImport({ type }) {
      if (!DRAFT_TYPES.includes(type)) throw new UnimportableRecordError('type is invalid')
    },
  }),
]
