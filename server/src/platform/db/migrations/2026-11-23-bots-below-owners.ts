/**
 * Lowers bots to at most their owner's role. Role groups list exact roles; a bot that became a member joins the
 * full-member group at the next check.
 */
export const sql = `
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
