import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    missed_messages: {
      organization_id: number
      user_id: number
      /** The first message that the user may have missed. */
      first_id: number
      /** The last one that is known: it changes while others are looked at. */
      newest_id: number
      /** When it is looked at what the user has missed since the first. */
      due_at: number
    }
    late_mentions: {
      organization_id: number
      user_id: number
      message_id: number
      /** Of the change of the message's text since which it mentions the user. */
      position: number
      /** When that was. */
      mentioned_at: number
    }
  }
}

export const migrations: readonly Migration[] = [
  // People who may have missed messages of which they want e-mails, one row for each, however many messages.
  {
    name: '2026-11-25-missed-messages',
    sql: `
create table missed_messages (
  organization_id bigint not null,
  user_id bigint not null,
  first_id bigint not null,
  newest_id bigint not null,
  due_at bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
) with (fillfactor = 80);
create index missed_messages_by_time on missed_messages (due_at);
`,
  },
  // Messages that mention users since their text was changed, until it is looked at what these have missed.
  {
    name: '2026-11-26-late-mentions',
    sql: `
create table late_mentions (
  organization_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  position bigint not null,
  mentioned_at bigint not null,
  primary key (organization_id, user_id, message_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]
