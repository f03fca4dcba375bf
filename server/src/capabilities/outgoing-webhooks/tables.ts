import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    outgoing_webhook_deliveries: {
      organization_id: number
      id: number
      bot_id: number
      message_id: number
      trigger: string
      attempts: Generated<number>
      due_at: number
      /** UNIX seconds until which a server's claim on the delivery lasts; 0 if unclaimed. */
      begun_until: Generated<number>
    }
    outgoing_webhook_failures: {
      organization_id: number
      bot_id: number
      untold: number
      message_id: number
      reason: string
      tell_at: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-outgoing-webhooks',
    sql: `
create table outgoing_webhook_deliveries (
  organization_id bigint not null,
  id bigint not null,
  bot_id bigint not null,
  message_id bigint not null,
  trigger text not null,
  attempts int not null default 0,
  due_at bigint not null,
  begun_until bigint not null default 0,
  primary key (organization_id, id),
  foreign key (organization_id, bot_id) references users (organization_id, id) on delete cascade
);
create index outgoing_webhook_deliveries_due on outgoing_webhook_deliveries (due_at);
create index outgoing_webhook_deliveries_of_bot on outgoing_webhook_deliveries (organization_id, bot_id, due_at);

create table outgoing_webhook_failures (
  organization_id bigint not null,
  bot_id bigint not null,
  untold int not null,
  message_id bigint not null,
  reason text not null,
  tell_at bigint not null,
  primary key (organization_id, bot_id),
  foreign key (organization_id, bot_id) references users (organization_id, id) on delete cascade
);
create index outgoing_webhook_failures_untold on outgoing_webhook_failures (tell_at) where untold > 0;
`,
  },
]
