/** What people keep in their navigation. */
export const sql = `
create table navigation_views (
  organization_id bigint not null,
  user_id bigint not null,
  fragment text not null,
  id bigint not null,
  is_pinned boolean not null,
  name text,
  primary key (organization_id, user_id, fragment),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`
