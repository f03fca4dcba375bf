/**
 * The last time at which a request of a user was noted. For the time before nothing is known: all users begin as
 * active.
 */
export const sql = `
create table user_activity (
  organization_id bigint not null,
  user_id bigint not null,
  noted_at bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
) with (fillfactor = 80);
create index user_activity_by_time on user_activity (organization_id, noted_at);
insert into user_activity (organization_id, user_id, noted_at)
select organization_id, id, extract(epoch from now())::bigint from users;
`
