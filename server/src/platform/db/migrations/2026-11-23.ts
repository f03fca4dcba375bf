/** Lowers bots to at most their owner's role. Bots that become members join the full-member group at the next check. */
export const botsBelowOwners = `
create temporary table lowered on commit drop as
  select b.organization_id, b.id, o.role from users b
  join users o on o.organization_id = b.organization_id and o.id = b.bot_owner_id
  where b.bot_type is not null and b.role < o.role;
update users b set role = l.role from lowered l where b.organization_id = l.organization_id and b.id = l.id;
delete from group_members m using lowered l, user_groups g
where m.organization_id = l.organization_id and m.user_id = l.id
and g.organization_id = m.organization_id and g.id = m.group_id and g.is_system_group;
insert into group_members (organization_id, group_id, user_id)
select l.organization_id, g.id, l.id from lowered l
join users u on u.organization_id = l.organization_id and u.id = l.id and u.is_active
join user_groups g on g.organization_id = l.organization_id and g.is_system_group and g.name = case l.role
  when 200 then 'role:administrators' when 300 then 'role:moderators' when 400 then 'role:members'
  else 'role:everyone' end;
drop table lowered;
`

/** The database's identity at the last server start, to recognize a copy. */
export const databasePlace = `
create table database_place (
  is_only boolean primary key default true check (is_only),
  place text not null
);
`

/** All consumers of the log, and their position in each organization. */
export const consumers = `
create table known_consumers (name text primary key);
create table consumers (
  organization_id bigint not null references organizations(id) on delete cascade,
  name text not null references known_consumers(name),
  position bigint not null default 0,
  clear_position bigint not null default 0,
  primary key (organization_id, name)
);
`

/** Speeds up counting a user's queues at each registration. */
export const queuesByUser = `
create index queues_by_user on queues (organization_id, user_id);
`
