/** Messages that people have begun. */
export const sql = `
create table drafts (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint not null,
  type text not null,
  recipient_ids bigint[] not null,
  topic text not null,
  content text not null,
  last_edited bigint not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`
