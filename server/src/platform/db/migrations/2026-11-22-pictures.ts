/** Uploaded avatars and custom emoji, both with unguessable file names. */
export const sql = `
alter table users add column avatar_file text;
create table realm_emoji (
  organization_id bigint not null,
  id bigint not null,
  name text not null,
  author_id bigint not null,
  file text not null,
  is_animated boolean not null,
  deactivated boolean not null,
  primary key (organization_id, id)
);
create unique index realm_emoji_by_name on realm_emoji (organization_id, name) where not deactivated;
`
