/** Texts that people keep to use again. */
export const sql = `
create table saved_snippets (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint not null,
  title text not null,
  content text not null,
  date_created bigint not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`
