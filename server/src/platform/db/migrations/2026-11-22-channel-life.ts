/** How busy a channel is, and which subscriptions rest because the account has ended. */
export const sql = `
alter table channels add column is_recently_active boolean not null default true;
alter table channels add column weekly_traffic integer;

create table channel_traffic (
  organization_id bigint not null,
  channel_id bigint not null,
  day integer not null,
  messages integer not null,
  primary key (organization_id, channel_id, day),
  foreign key (organization_id, channel_id) references channels (organization_id, id) on delete cascade
);

create table channel_traffic_counted (
  organization_id bigint primary key references organizations (id) on delete cascade,
  counted_to bigint not null,
  counted_on integer not null
);

alter table subscriptions add column is_resting boolean not null default false;
update subscriptions s set is_resting = true, periods = s.periods - int8multirange(int8range(o.position + 1, null))
from users u join organizations o on o.id = u.organization_id
where u.organization_id = s.organization_id and u.id = s.user_id and not u.is_active and upper_inf(s.periods);
`
