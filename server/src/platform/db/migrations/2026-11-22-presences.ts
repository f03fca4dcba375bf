/** The times at which users were last present, and the clock by which clients ask for newer presences. */
export const sql = `
create table presences (
  organization_id bigint not null,
  user_id bigint not null,
  active_at bigint not null,
  idle_at bigint not null,
  update_id bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
) with (fillfactor = 80);
create index presences_by_update on presences (organization_id, update_id);
create table presence_clocks (
  organization_id bigint primary key references organizations (id) on delete cascade,
  last_update_id bigint not null
);
`
