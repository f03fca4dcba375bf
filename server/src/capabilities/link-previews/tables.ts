import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    link_previews: {
      organization_id: number
      id: number
      url: string
      url_digest: Buffer
      /** Empty if the page has no title, if the fetch failed, or for an image. */
      title: Generated<string>
      description: Generated<string>
      /** Name in the image's URL, kept across fetches. */
      picture: string | null
      /** Size of the original image; `picture_bytes` is the total of its stored formats. */
      width: Generated<number>
      height: Generated<number>
      content_type: Generated<string>
      is_animated: Generated<boolean>
      picture_bytes: Generated<number>
      fetched_at: number | null
      /** Null if no fetch is needed. */
      due_at: number | null
      attempts: Generated<number>
      /** UNIX seconds until which the fetching server's claim lasts; 0 while waiting. */
      begun_until: Generated<number>
    }
    link_preview_messages: {
      organization_id: number
      message_id: number
      preview_id: number
      place: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-26-link-previews',
    sql: `
create table link_previews (
  organization_id bigint not null references organizations (id) on delete cascade,
  id bigint not null,
  url text not null,
  url_digest bytea not null,
  title text not null default '',
  description text not null default '',
  picture text,
  width int not null default 0,
  height int not null default 0,
  content_type text not null default '',
  is_animated boolean not null default false,
  picture_bytes bigint not null default 0,
  fetched_at bigint,
  due_at bigint,
  attempts int not null default 0,
  begun_until bigint not null default 0,
  primary key (organization_id, id),
  unique (organization_id, url_digest)
);
create unique index link_previews_picture on link_previews (organization_id, picture) where picture is not null;
create index link_previews_due on link_previews (due_at) where due_at is not null;
create index link_previews_fetched on link_previews (fetched_at);
create table link_preview_messages (
  organization_id bigint not null,
  message_id bigint not null,
  preview_id bigint not null,
  place int not null,
  primary key (organization_id, message_id, preview_id),
  foreign key (organization_id, message_id) references messages (organization_id, id) on delete cascade,
  foreign key (organization_id, preview_id) references link_previews (organization_id, id) on delete cascade
);
create index link_preview_messages_of on link_preview_messages (organization_id, preview_id, message_id);
`,
  },
]
