/**
 * The defaults of bots for what their programs do not say, with the ids of their channels: they are the same channels
 * when they are renamed. `bot_defaults`, with the names, stays for the previous version, which may still serve.
 */
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
