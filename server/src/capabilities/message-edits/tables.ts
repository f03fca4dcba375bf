import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    message_edits: {
      organization_id: number
      message_id: number
      position: number
      user_id: number
      date_edited: number
      prev_content: string | null
      prev_rendered_content: string | null
      prev_topic: string | null
      topic: string | null
      prev_channel_id: number | null
      channel_id: number | null
    }
    topic_moves: {
      organization_id: number
      topic_id: number
      position: number
      user_id: number
      date_edited: number
      prev_topic: string
      topic: string
      prev_channel_id: number | null
      channel_id: number | null
    }
  }
}

export const migrations: readonly Migration[] = [
  // `topic_moves` has moves of whole topics. They are copied to `message_edits` for a message that leaves the topic.
  {
    name: '2026-11-22-message-edits',
    sql: `
create table message_edits (
  organization_id bigint not null references organizations(id) on delete cascade,
  message_id bigint not null,
  position bigint not null,
  user_id bigint not null,
  date_edited bigint not null,
  prev_content text,
  prev_rendered_content text,
  prev_topic text,
  topic text,
  prev_channel_id bigint,
  channel_id bigint,
  primary key (organization_id, message_id, position)
);

create table topic_moves (
  organization_id bigint not null references organizations(id) on delete cascade,
  topic_id bigint not null,
  position bigint not null,
  user_id bigint not null,
  date_edited bigint not null,
  prev_topic text not null,
  topic text not null,
  prev_channel_id bigint,
  channel_id bigint,
  primary key (organization_id, topic_id, position)
);
`,
  },
  // Keeps a message's first and 100 newest previous contents, at most 1,000,000 bytes.
  {
    name: '2026-11-23-bounded-pasts',
    sql: `
create temporary table surplus on commit drop as
  select organization_id, message_id, position from (
    select organization_id, message_id, position,
      row_number() over (partition by organization_id, message_id order by position) as place,
      row_number() over (partition by organization_id, message_id order by position desc) as age,
      sum(octet_length(prev_content) + octet_length(prev_rendered_content))
        over (partition by organization_id, message_id order by position desc) as bytes
    from message_edits where prev_content is not null) state
  where place > 1 and (age > 100 or bytes > 1000000);
update message_edits e set prev_content = null, prev_rendered_content = null from surplus s
where e.organization_id = s.organization_id and e.message_id = s.message_id and e.position = s.position
and e.topic is not null;
delete from message_edits e using surplus s
where e.organization_id = s.organization_id and e.message_id = s.message_id and e.position = s.position
and e.topic is null;
drop table surplus;
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('message_edits', {
    columns: [
      'message_id',
      'position',
      'user_id',
      'date_edited',
      'prev_content',
      'prev_rendered_content',
      'prev_topic',
      'topic',
      'prev_channel_id',
      'channel_id',
    ],
    order: ['message_id', 'position'],
    refers: { message_id: 'messages', user_id: 'users' },
    rendered: [{ column: 'prev_rendered_content', from: 'prev_content', as: 'message', by: 'user_id' }],
  }),
  exportedTable('topic_moves', {
    columns: ['topic_id', 'position', 'user_id', 'date_edited', 'prev_topic', 'topic', 'prev_channel_id', 'channel_id'],
    order: ['topic_id', 'position'],
    refers: { topic_id: 'topics', user_id: 'users' },
  }),
]
