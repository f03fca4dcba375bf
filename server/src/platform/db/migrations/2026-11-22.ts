/** Creates a notification bot per organization, and writes a log event, so that running servers learn of the bot. */
export const notificationBot = `
alter table users add column is_system_bot boolean not null default false;

with taken as (
  update organizations set position = position + 1 returning id as organization_id, position),
bot as (
  insert into users (organization_id, id, email, email_key, delivery_email, delivery_email_key, full_name, role,
                     bot_type, is_system_bot, date_joined)
  select organization_id, position, email, email, email, email, 'Notification Bot', 400, 1, true,
         extract(epoch from now())::bigint
  from taken cross join (values ('notification-bot@parley.invalid')) as address (email)
  returning *)
insert into events (organization_id, position, type, audience, payload, changes, recorded_at)
select organization_id, id, 'fold', '{}', '{}', jsonb_build_array(jsonb_build_object('fold', 'users', 'change',
         jsonb_build_object('id', id, 'email', email, 'deliveryEmail', delivery_email, 'fullName', full_name,
           'role', role, 'isActive', is_active, 'botType', bot_type, 'botOwnerId', bot_owner_id,
           'isSystemBot', is_system_bot, 'dateJoined', date_joined, 'timezone', timezone,
           'avatarVersion', avatar_version, 'settings', settings))),
       date_joined
from bot;
`

/** Uploaded avatars and custom emoji, both with unguessable file names. */
export const pictures = `
alter table users add column avatar_file text;
create table realm_emoji (
  organization_id bigint not null,
  id bigint not null,
  name text not null,
  author_id bigint not null,
  file text not null,
  is_animated boolean not null,
  deactivated boolean not null,
  primary key (organization_id, id)
);
create unique index realm_emoji_by_name on realm_emoji (organization_id, name) where not deactivated;
`

export const queueLifespans = `
alter table queues add column lifespan_seconds integer not null default 0;
`

/** Default parameters of bots' requests. */
export const bots = `
alter table users add column bot_defaults jsonb not null default '{}';
`

/** Bot defaults with channel IDs, which survive renames. `bot_defaults` stays for the previous version. */
export const botChannels = `
alter table users add column bot_habits jsonb not null default '{}';
update users u set bot_habits = jsonb_build_object(
  'default_sending_stream', (select c.id from channels c
    where c.organization_id = u.organization_id and c.name = u.bot_defaults->>'default_sending_stream'),
  'default_events_register_stream', (select c.id from channels c
    where c.organization_id = u.organization_id and c.name = u.bot_defaults->>'default_events_register_stream'),
  'default_all_public_streams', coalesce(u.bot_defaults->'default_all_public_streams', 'false'))
where u.bot_defaults <> '{}';
`
