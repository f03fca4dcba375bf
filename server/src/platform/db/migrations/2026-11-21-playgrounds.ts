/** Where code can be run. */
export const sql = `
create table realm_playgrounds (
  organization_id bigint not null references organizations (id) on delete cascade,
  id bigint not null,
  name text not null,
  highlighter_language text not null,
  url_template text not null,
  primary key (organization_id, id)
);
`
