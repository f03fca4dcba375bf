import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    outgoing_mails: {
      organization_id: number
      id: number
      recipient: string
      language: string
      subject: string
      paragraphs: string[]
      button_label: string | null
      button_path: string | null
      seed: Buffer | null
      closing: string[]
      content_text: string | null
      content_html: string | null
      thread: string | null
      unsubscribe_user_id: number | null
      unsubscribe_from: string | null
      created_at: number
      attempts: number
      attempt_at: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-outgoing-mails',
    sql: `
create table outgoing_mails (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  recipient text not null,
  language text not null,
  subject text not null,
  paragraphs text[] not null,
  button_label text,
  button_path text,
  seed bytea,
  closing text[] not null,
  created_at bigint not null,
  attempts integer not null,
  attempt_at bigint not null,
  primary key (organization_id, id)
);
create index outgoing_mails_by_attempt on outgoing_mails (attempt_at);
`,
  },
  {
    name: '2026-11-25-mails-of-conversations',
    sql: `
alter table outgoing_mails
  add column content_text text,
  add column content_html text,
  add column thread text,
  add column unsubscribe_user_id bigint,
  add column unsubscribe_from text;
`,
  },
]
