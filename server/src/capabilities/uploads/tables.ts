import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    upload_spaces: { organization_id: number; used_bytes: number; signing_key: string }
    attachments: {
      organization_id: number
      id: number
      owner_id: number
      path_id: string
      name: string
      content_type: string
      size: number
      date_created: number
      /** Null while a message links it. */
      unclaimed_since: number | null
      /** The size of a picture that has thumbnails. It is 0 for a file that is no picture, and null for one not decoded. */
      width: number | null
      height: number | null
      /** There is a thumbnail that moves, too. */
      is_animated: boolean
    }
    attachment_messages: { organization_id: number; attachment_id: number; message_id: number }
  }
}

export const migrations: readonly Migration[] = [
  // Uploaded files, and the messages that link them. The bytes are elsewhere, under a key that follows from the path.
  // The uploads of an organization share a sum and the key that signs temporary addresses.
  {
    name: '2026-11-22-uploads',
    sql: `
create table upload_spaces (
  organization_id bigint primary key,
  used_bytes bigint not null,
  signing_key text not null
);
create table attachments (
  organization_id bigint not null,
  id bigint not null,
  owner_id bigint not null,
  path_id text not null,
  name text not null,
  content_type text not null,
  size bigint not null,
  date_created bigint not null,
  unclaimed_since bigint,
  primary key (organization_id, id),
  unique (organization_id, path_id)
);
create index attachments_by_owner on attachments (organization_id, owner_id, id);
create index attachments_unclaimed on attachments (unclaimed_since) where unclaimed_since is not null;
create table attachment_messages (
  organization_id bigint not null,
  attachment_id bigint not null,
  message_id bigint not null,
  primary key (organization_id, attachment_id, message_id),
  foreign key (organization_id, attachment_id) references attachments (organization_id, id) on delete cascade,
  foreign key (organization_id, message_id) references messages (organization_id, id) on delete cascade
);
create index attachment_messages_by_message on attachment_messages (organization_id, message_id);
`,
  },
  {
    name: '2026-11-25-thumbnails',
    sql: `
alter table attachments add column width int, add column height int, add column is_animated boolean not null default false;
`,
  },
]
