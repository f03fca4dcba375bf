import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'
import {
  exportedTable,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import { caseKey } from '../../kernel/case-key.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    topics: {
      organization_id: number
      id: Generated<number>
      channel_id: number | null
      name: string
      name_key: string
      first_id: number
      max_id: number
      previous_id: number
    }
    conversations: { organization_id: number; id: number; member_ids: number[]; topic_id: number }
    conversation_members: { organization_id: number; user_id: number; conversation_id: number }
    messages: {
      organization_id: number
      id: number
      channel_id: number | null
      topic_id: number
      sender_id: number
      content: string
      rendered_content: string
      date_sent: number
      client: string
      mentions_channel: boolean
      topic_spelling: string | null
      /** Member who cannot read this direct message, because they block the sender. */
      withheld_from: number | null
    }
    search_words: { organization_id: number; word: string; stems: string[]; languages: string }
    topic_words: { organization_id: number; topic_id: number }
    sent_local_ids: { organization_id: number; queue_id: string; local_id: string; message_id: number }
    send_keys: {
      organization_id: number
      user_id: number
      key: string
      request_digest: string
      message_id: number
      sent_at: number
    }
    submessages: {
      organization_id: number
      id: number
      message_id: number
      sender_id: number
      msg_type: string
      content: string
    }
  }
}

export const migrations: readonly Migration[] = [
  // The ID is the position of the submessage's event, or the message's ID for the widget sent with the message.
  {
    name: '2026-11-22-submessages',
    sql: `
create table submessages (
  organization_id bigint not null,
  id bigint not null,
  message_id bigint not null,
  sender_id bigint not null,
  msg_type text not null,
  content text not null,
  primary key (organization_id, id),
  foreign key (organization_id, message_id) references messages (organization_id, id) on delete cascade
);
create index submessages_of_message on submessages (organization_id, message_id, id);
`,
  },
  // An era has 1,024 positions, so most messages change no indexed column of their topic, whose row is then updated in
  // place, which saves 6 of 60 us per message. Queries by `max_id` must also filter by era.
  {
    name: '2026-11-22-topic-eras',
    sql: `
alter table topics add column era bigint not null generated always as (max_id >> 10) stored;
drop index topics_newest;
create index topics_newest on topics (organization_id, channel_id, era);
`,
  },
  // In protected history, messages keep their spelling of the topic. The index finds the few that deviate.
  {
    name: '2026-11-22-topic-spellings',
    sql: `
alter table messages add column topic_spelling text;
create index messages_spelling on messages (organization_id, topic_id, id) where topic_spelling is not null;
`,
  },
  // Idempotency keys. They do not reference the message, because keys outlive deleted messages.
  {
    name: '2026-11-24-send-keys',
    sql: `
create table send_keys (
  organization_id bigint not null references organizations(id) on delete cascade,
  user_id bigint not null,
  key text not null,
  request_digest text not null,
  message_id bigint not null,
  sent_at bigint not null,
  primary key (organization_id, user_id, key)
);
create index send_keys_by_time on send_keys (sent_at);
`,
  },
  // Allows index-only scans: for 50 conversations among 2,000,000 messages, reading the senders from rows took 20 ms.
  {
    name: '2026-11-24-senders-in-indexes',
    sql: `
create index messages_topic_with_sender on messages (organization_id, topic_id, id) include (sender_id);
drop index messages_topic;
alter index messages_topic_with_sender rename to messages_topic;
create index messages_sender_with_topic on messages (organization_id, sender_id, id) include (topic_id);
drop index messages_sender;
alter index messages_sender_with_topic rename to messages_sender;
`,
  },
  // Direct messages to someone who blocks their sender. Only the sender can read them.
  {
    name: '2026-11-30-withheld-messages',
    sql: `
alter table messages add column withheld boolean;
create index messages_withheld on messages (organization_id, topic_id) where withheld;
`,
  },
  // The newest messages that a member can read. With 20,000 withheld messages, reading over them took 22 ms each time.
  {
    name: '2026-12-01-delivered-messages',
    sql: `
create index messages_delivered on messages (organization_id, topic_id, id) include (sender_id)
  where channel_id is null and withheld is null;
drop index messages_withheld;
create index messages_withheld on messages (organization_id, topic_id, sender_id, id) where withheld;
`,
  },
  {
    name: '2026-12-01-withheld-from',
    sql: `
alter table messages add column withheld_from bigint;
update messages m set withheld_from = (
  select reader.id from conversations c cross join unnest(c.member_ids) as reader (id)
  where c.organization_id = m.organization_id and c.topic_id = m.topic_id and reader.id <> m.sender_id)
where withheld;
alter table messages drop column withheld;
create index messages_delivered on messages (organization_id, topic_id, id) include (sender_id)
  where channel_id is null and withheld_from is null;
create index messages_withheld on messages (organization_id, topic_id, withheld_from, id) where withheld_from is not null;
`,
  },
]

const MAX_IMPORTED_TOPIC_CHARACTERS = 200

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('topics', {
    columns: ['id', 'channel_id', 'name', 'first_id', 'max_id', 'previous_id'],
    order: ['id'],
    idsOfPosition: Number.MAX_SAFE_INTEGER,
    derived: ['name_key'],
    refers: { channel_id: 'channels' },
    unique: {
      column: 'name',
      keyColumn: 'name_key',
      keyOf: caseKey,
      most: MAX_IMPORTED_TOPIC_CHARACTERS,
      index: 'topics_name',
    },
    onImport(topic) {
      const name = requireText(topic, 'name', MAX_IMPORTED_TOPIC_CHARACTERS).normalize('NFC')
      topic['name'] = name
      topic['name_key'] = caseKey(name)
    },
  }),
  exportedTable('conversations', {
    columns: ['id', 'member_ids', 'topic_id'],
    order: ['id'],
    refers: { member_ids: 'users', topic_id: 'topics' },
    onImport({ member_ids: ids }) {
      const sorted = Array.isArray(ids) ? [...new Set(ids)].toSorted((a, b) => Number(a) - Number(b)) : []
      if (sorted.length === 0 || JSON.stringify(sorted) !== JSON.stringify(ids))
        throw new UnimportableRecordError('member_ids are not sorted')
    },
  }),
  exportedTable('conversation_members', {
    columns: ['user_id', 'conversation_id'],
    order: ['user_id', 'conversation_id'],
    refers: { user_id: 'users', conversation_id: 'conversations' },
  }),
  exportedTable('messages', {
    columns: [
      'id',
      'channel_id',
      'topic_id',
      'sender_id',
      'content',
      'rendered_content',
      'date_sent',
      'client',
      'mentions_channel',
      'topic_spelling',
      'withheld_from',
    ],
    order: ['id'],
    refers: { channel_id: 'channels', topic_id: 'topics', sender_id: 'users', withheld_from: 'users' },
    after: [
      'attachments',
      'realm_emoji',
      'realm_linkifiers',
      'group_members',
      'subscriptions',
      'organization_settings',
    ],
    rendered: [{ column: 'rendered_content', from: 'content', as: 'message', by: 'sender_id' }],
  }),
  exportedTable('submessages', {
    columns: ['id', 'message_id', 'sender_id', 'msg_type', 'content'],
    order: ['id'],
    refers: { message_id: 'messages', sender_id: 'users' },
  }),
]
