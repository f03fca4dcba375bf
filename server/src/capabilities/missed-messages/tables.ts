import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    missed_messages: {
      organization_id: number
      user_id: number
      first_id: number
      /** If this ID changes during a check, the check is invalid. */
      newest_id: number
      due_at: number
    }
    late_mentions: {
      organization_id: number
      user_id: number
      message_id: number
      position: number
      mentioned_at: number
    }
  }
}

export const migrations: readonly Migration[] = [
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
