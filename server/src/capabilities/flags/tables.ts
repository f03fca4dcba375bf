import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    message_flags: {
      organization_id: number
      user_id: number
      message_id: number
      starred: boolean
      collapsed: boolean
      mentioned: boolean
      /** Whether the message mentions the topic's participants, including this user. */
      topic_wildcard_mentioned: boolean
      has_alert_word: boolean
    }
    topic_reads: { organization_id: number; user_id: number; topic_id: number; read: Multirange }
    user_reads: { organization_id: number; user_id: number; read: Multirange }
  }
}

export const migrations: readonly Migration[] = [
  // Each partial index serves a list that users request; the index by message serves changes to messages.
  {
    name: '2026-11-22-mentions',
    sql: `
alter table message_flags
  add column mentioned boolean not null default false,
  add column topic_wildcard_mentioned boolean not null default false,
  add column has_alert_word boolean not null default false;
create index message_flags_starred on message_flags (organization_id, user_id, message_id) where starred;
create index message_flags_mentioned on message_flags (organization_id, user_id, message_id)
  where mentioned or topic_wildcard_mentioned;
create index message_flags_alerted on message_flags (organization_id, user_id, message_id) where has_alert_word;
create index message_flags_message on message_flags (organization_id, message_id);

alter table messages add column mentions_channel boolean not null default false;
create index messages_mentioning_channel on messages (organization_id, id) where mentions_channel;
`,
  },
  // A foreign key check takes 12 us per mentioned user and protects nothing: the organization's row is locked.
  {
    name: '2026-11-22-cheap-flags',
    sql: `
alter table message_flags drop constraint message_flags_organization_id_fkey;
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('message_flags', {
    columns: [
      'user_id',
      'message_id',
      'starred',
      'collapsed',
      'mentioned',
      'topic_wildcard_mentioned',
      'has_alert_word',
    ],
    order: ['user_id', 'message_id'],
    refers: { user_id: 'users', message_id: 'messages' },
  }),
  exportedTable('topic_reads', {
    columns: ['user_id', 'topic_id', 'read'],
    order: ['user_id', 'topic_id'],
    refers: { user_id: 'users', topic_id: 'topics' },
  }),
  exportedTable('user_reads', { columns: ['user_id', 'read'], order: ['user_id'], refers: { user_id: 'users' } }),
]
