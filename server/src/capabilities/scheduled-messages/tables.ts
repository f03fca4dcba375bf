import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    scheduled_messages: {
      organization_id: number
      id: number
      user_id: number
      channel_id: number | null
      member_ids: number[]
      topic: string
      content: string
      rendered_content: string
      delivery_at: number
      read_by_sender: boolean
      client: string
      failed: boolean
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-22-scheduled-messages',
    sql: `
create table scheduled_messages (
  organization_id bigint not null,
  id bigint not null,
  user_id bigint not null,
  channel_id bigint,
  member_ids bigint[] not null,
  topic text not null,
  content text not null,
  rendered_content text not null,
  delivery_at bigint not null,
  read_by_sender boolean not null,
  client text not null,
  failed boolean not null default false,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index scheduled_messages_of_user on scheduled_messages (organization_id, user_id, delivery_at);
create index scheduled_messages_due on scheduled_messages (delivery_at) where not failed;
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('scheduled_messages', {
    columns: [
      'id',
      'user_id',
      'channel_id',
      'member_ids',
      'topic',
      'content',
      'rendered_content',
      'delivery_at',
      'read_by_sender',
      'client',
      'failed',
    ],
    order: ['id'],
    belongsTo: 'user_id',
    exportedAs: {
      id: 'scheduled_message_id',
      channel_id: 'stream_id',
      member_ids: 'recipient_ids',
      rendered_content: null,
      delivery_at: 'scheduled_delivery_timestamp',
      read_by_sender: null,
      client: null,
    },
    refers: { user_id: 'users', channel_id: 'channels', member_ids: 'users' },
    after: ['messages'],
    rendered: [{ column: 'rendered_content', from: 'content', as: 'message', by: 'user_id' }],
  }),
]
