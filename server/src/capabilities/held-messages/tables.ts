import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, requireText, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    held_messages: {
      organization_id: number
      id: number
      author_id: number
      sender_id: number
      channel_id: number
      topic: string
      content: string
      widget: string | null
      client: string
      send_key: string | null
      request_digest: string | null
      held_at: number
      is_scoped: boolean
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-30-held-messages',
    sql: `
create table held_messages (
  organization_id bigint not null,
  id bigint not null,
  author_id bigint not null,
  sender_id bigint not null,
  channel_id bigint not null,
  topic text not null,
  content text not null,
  widget text,
  client text not null,
  send_key text,
  held_at bigint not null,
  primary key (organization_id, id),
  foreign key (organization_id, author_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, channel_id) references channels (organization_id, id) on delete cascade
);
create index held_messages_of_author on held_messages (organization_id, author_id, id);
`,
  },
  { name: '2026-12-01-held-request-digests', sql: `alter table held_messages add column request_digest text;` },
  {
    name: '2026-12-01-held-in-token-scope',
    sql: 'alter table held_messages add column is_scoped boolean not null default false;',
  },
]

/** Longer than any message, even one of an imported organization. */
const MAX_IMPORTED_CHARACTERS = 100_000

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('held_messages', {
    columns: [
      'id',
      'author_id',
      'sender_id',
      'channel_id',
      'topic',
      'content',
      'widget',
      'client',
      'send_key',
      'request_digest',
      'held_at',
      'is_scoped',
    ],
    order: ['id'],
    belongsTo: 'author_id',
    exportedAs: {
      id: 'held_message_id',
      sender_id: null,
      channel_id: 'stream_id',
      widget: null,
      client: null,
      send_key: null,
      request_digest: null,
      is_scoped: null,
    },
    refers: { author_id: 'users', sender_id: 'users', channel_id: 'channels' },
    onImport(held) {
      // Archives of older versions lack it.
      held['is_scoped'] ??= false
      for (const column of ['topic', 'content']) requireText(held, column, MAX_IMPORTED_CHARACTERS)
    },
  }),
]
