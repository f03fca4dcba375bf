import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    web_push_keys: {
      organization_id: number
      private_key: Buffer
      public_key: Buffer
    }
    push_subscriptions: {
      organization_id: number
      id: number
      user_id: number
      session_id: number | null
      endpoint: string
      endpoint_digest: Buffer
      p256dh: Buffer
      auth: Buffer
      device: string
      allows_silent: boolean
      created_at: number
      failure: string | null
    }
    push_notifications: {
      organization_id: number
      id: number
      subscription_id: number
      topic_id: number
      message_id: number
      shown_id: number | null
      attempts: Generated<number>
      due_at: number | null
      begun_until: Generated<number>
    }
    push_settings: {
      organization_id: number
      user_id: number
      quiet_start: number | null
      quiet_end: number | null
      shows_content: boolean
    }
  }
}

export const migrations: readonly Migration[] = [
  // Each row of `push_notifications` holds, for one device and conversation, the message to push and the message that
  // the device may already show.
  {
    name: '2026-11-25-web-push',
    sql: `
create table web_push_keys (
  organization_id bigint primary key references organizations (id) on delete cascade,
  private_key bytea not null,
  public_key bytea not null
);
create table push_subscriptions (
  organization_id bigint not null,
  id bigint not null,
  user_id bigint not null,
  session_id bigint,
  endpoint text not null,
  endpoint_digest bytea not null,
  p256dh bytea not null,
  auth bytea not null,
  device text not null,
  allows_silent boolean not null,
  created_at bigint not null,
  failure text,
  primary key (organization_id, id),
  unique (organization_id, endpoint_digest),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index push_subscriptions_of_user on push_subscriptions (organization_id, user_id);
create table push_notifications (
  organization_id bigint not null,
  id bigint not null,
  subscription_id bigint not null,
  topic_id bigint not null,
  message_id bigint not null,
  shown_id bigint,
  attempts int not null default 0,
  due_at bigint,
  begun_until bigint not null default 0,
  primary key (organization_id, id),
  unique (organization_id, subscription_id, topic_id),
  foreign key (organization_id, subscription_id) references push_subscriptions (organization_id, id) on delete cascade
);
create index push_notifications_due on push_notifications (due_at) where due_at is not null;
create table push_settings (
  organization_id bigint not null,
  user_id bigint not null,
  quiet_start int,
  quiet_end int,
  shows_content boolean not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
  {
    name: '2026-11-26-push-notifications-shown',
    sql: `
create index push_notifications_shown on push_notifications (organization_id, shown_id) where shown_id is not null;
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('push_settings', {
    columns: ['user_id', 'quiet_start', 'quiet_end', 'shows_content'],
    order: ['user_id'],
    refers: { user_id: 'users' },
  }),
]
