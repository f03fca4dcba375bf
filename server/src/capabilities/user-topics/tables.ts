import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, requireText, type ExportedTable } from '../../platform/moving/carried.ts'
import { caseKey } from '../../kernel/case-key.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    user_topics: {
      organization_id: number
      user_id: number
      channel_id: number
      name_key: string
      topic_name: string
      visibility_policy: number
      last_updated: number
    }
  }
}

export const migrations: readonly Migration[] = [
  // The primary key contains the topic name, because a policy can be set before the topic has messages.
  {
    name: '2026-11-21-user-topics',
    sql: `
create table user_topics (
  organization_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  name_key text not null,
  topic_name text not null,
  visibility_policy smallint not null check (visibility_policy in (1, 2, 3)),
  last_updated bigint not null,
  primary key (organization_id, user_id, channel_id, name_key),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade,
  foreign key (organization_id, channel_id) references channels (organization_id, id) on delete cascade
);
create index user_topics_topic on user_topics (organization_id, channel_id, name_key, user_id);
`,
  },
]

const MAX_TOPIC_CHARACTERS = 200

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('user_topics', {
    columns: ['user_id', 'channel_id', 'topic_name', 'visibility_policy', 'last_updated'],
    order: ['user_id', 'channel_id', 'topic_name'],
    derived: ['name_key'],
    belongsTo: 'user_id',
    exportedAs: { channel_id: 'stream_id' },
    refers: { user_id: 'users', channel_id: 'channels' },
    onImport(topic) {
      const name = requireText(topic, 'topic_name', MAX_TOPIC_CHARACTERS).normalize('NFC')
      topic['topic_name'] = name
      topic['name_key'] = caseKey(name)
    },
  }),
]
