/**
 * The server's notification bot, one per existing organization. Like every user it takes a log position; the event
 * there carries it to the projections of running servers.
 */
export const sql = `
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
