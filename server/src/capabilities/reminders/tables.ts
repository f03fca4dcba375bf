import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'
import { exportedTable, type ExportedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    reminders: {
      organization_id: number
      id: number
      user_id: number
      message_id: number
      content: string
      rendered_content: string
      delivery_at: number
      failed: Generated<boolean>
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-22-reminders',
    sql: `
create table reminders (
  organization_id bigint not null,
  id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  content text not null,
  rendered_content text not null,
  delivery_at bigint not null,
  failed boolean not null default false,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index reminders_of_user on reminders (organization_id, user_id, delivery_at);
create index reminders_due on reminders (delivery_at) where not failed;
`,
  },
]

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('reminders', {
    columns: ['id', 'user_id', 'message_id', 'content', 'rendered_content', 'delivery_at', 'failed'],
    order: ['id'],
    belongsTo: 'user_id',
    exportedAs: {
      id: 'reminder_id',
      message_id: 'reminder_target_message_id',
      rendered_content: null,
      delivery_at: 'scheduled_delivery_timestamp',
    },
    refers: { user_id: 'users' },
    // `refers` omits `message_id`, because the message may have been deleted.
    after: ['messages'],
    rendered: [{ column: 'rendered_content', from: 'content', as: 'message', by: 'user_id' }],
  }),
]
