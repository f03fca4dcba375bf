import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'
import { carriedTable, textOf, Unfit, type CarriedTable } from '../../platform/moving/carried.ts'
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
      /** Whether the text mentions the whole channel or conversation. */
      mentions_channel: boolean
      /** The topic as the message has it, where its row spells it otherwise. */
      topic_spelling: string | null
    }
    sent_local_ids: { organization_id: number; queue_id: string; local_id: string; message_id: number }
    send_keys: {
      organization_id: number
      user_id: number
      key: string
      /** The SHA-256 of what was asked to be sent, in base64. */
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
  // What users have added to messages, such as their votes in a poll. The id is the position of the event that
  // announced the submessage: the message's own position for the widget it was sent with.
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
  // Which of a channel's topics are the newest is found by an era of a thousand positions, not by the newest message
  // itself: so most messages change nothing that an index of topics holds, and their topics' rows are replaced in place
  // (measured: 6 us of 60 for a message). Queries that look for topics by `max_id` name the era as well.
  {
    name: '2026-11-22-topic-eras',
    sql: `
alter table topics add column era bigint not null generated always as (max_id >> 10) stored;
drop index topics_newest;
create index topics_newest on topics (organization_id, channel_id, era);
`,
  },
  // The spelling of a message's topic, where it differs from the topic's row: in protected history each message keeps
  // the spelling it came with. There are few such messages, and statements that move or delete messages look for them.
  {
    name: '2026-11-22-topic-spellings',
    sql: `
alter table messages add column topic_spelling text;
create index messages_spelling on messages (organization_id, topic_id, id) where topic_spelling is not null;
`,
  },
  // The keys by which users' sends are known again. They refer to no message, since a key outlives the deletion of what was
  // sent with it.
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
  // Who wrote in a topic, and in which topics a user wrote, is read from the indexes alone: of fifty conversations among
  // 2,000,000 messages the senders took 20 ms to fetch from the rows. Sending writes as many entries as before.
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
]

const MAX_TOPIC = 200

/** What goes along when an organization moves. */
export const carried: readonly CarriedTable[] = [
  carriedTable('topics', {
    columns: ['id', 'channel_id', 'name', 'first_id', 'max_id', 'previous_id'],
    order: ['id'],
    idsOfPosition: Number.MAX_SAFE_INTEGER,
    derived: ['name_key'],
    refers: { channel_id: 'channels' },
    arrive(topic) {
      topic['name_key'] = caseKey(textOf(topic, 'name', MAX_TOPIC))
    },
  }),
  carriedTable('conversations', {
    columns: ['id', 'member_ids', 'topic_id'],
    order: ['id'],
    refers: { member_ids: 'users', topic_id: 'topics' },
    arrive({ member_ids: ids }) {
      const sorted = Array.isArray(ids) ? [...new Set(ids)].toSorted((a, b) => Number(a) - Number(b)) : []
      if (sorted.length === 0 || JSON.stringify(sorted) !== JSON.stringify(ids))
        throw new Unfit('member_ids are not sorted')
    },
  }),
  carriedTable('conversation_members', {
    columns: ['user_id', 'conversation_id'],
    order: ['user_id', 'conversation_id'],
    refers: { user_id: 'users', conversation_id: 'conversations' },
  }),
  carriedTable('messages', {
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
    ],
    order: ['id'],
    refers: { channel_id: 'channels', topic_id: 'topics', sender_id: 'users' },
    // What a text is rendered as depends on them.
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
  carriedTable('submessages', {
    columns: ['id', 'message_id', 'sender_id', 'msg_type', 'content'],
    order: ['id'],
    refers: { message_id: 'messages', sender_id: 'users' },
  }),
]
