/**
 * Groups that people make: their names differ in more than case. Until now only the system groups were there, whose
 * names are their own keys.
 */
export const sql = `
alter table user_groups add column name_key text;
update user_groups set name_key = name;
create unique index user_groups_name_key on user_groups (organization_id, name_key);
drop index user_groups_name;
`
