/** Bot defaults with channel IDs, which survive renames. `bot_defaults`, with names, stays for the previous version. */
export const sql = `
alter table users add column bot_habits jsonb not null default '{}';
update users u set bot_habits = jsonb_build_object(
  'default_sending_stream', (select c.id from channels c
    where c.organization_id = u.organization_id and c.name = u.bot_defaults->>'default_sending_stream'),
  'default_events_register_stream', (select c.id from channels c
    where c.organization_id = u.organization_id and c.name = u.bot_defaults->>'default_events_register_stream'),
  'default_all_public_streams', coalesce(u.bot_defaults->'default_all_public_streams', 'false'))
where u.bot_defaults <> '{}';
`
