/** All consumers of the log, and their positions in each organization. */
export const sql = `
create table known_consumers (name text primary key);
create table consumers (
  organization_id bigint not null references organizations(id) on delete cascade,
  name text not null references known_consumers(name),
  position bigint not null default 0,
  clear_position bigint not null default 0,
  primary key (organization_id, name)
);
`
