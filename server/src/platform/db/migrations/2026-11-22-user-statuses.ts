/** What people say they are about: a text, an emoji or both. */
export const sql = `
create table user_statuses (
  organization_id bigint not null,
  user_id bigint not null,
  status_text text not null,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`
