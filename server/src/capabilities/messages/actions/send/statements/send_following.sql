-- a message that mentions a follower of the topic
with given as (
  select i.*
  from unnest(
    $channel_id::bigint[],
    $topic::text[],
    $topic_key::text[],
    $terms::tsvector[],
    $sender_id::bigint[],
    $content::text[],
    $rendered_content::text[],
    $mentions_channel::boolean[],
    $client::text[],
    $withheld_from::bigint[],
    $audience::jsonb[],
    $payload::jsonb[],
    $start_counts::boolean[])
  with ordinality as i(
    channel_id, topic, topic_key, terms, sender_id, content, rendered_content, mentions_channel, client, withheld_from, audience, payload, start_counts, n)),
lock as materialized (
  update organizations set position = position + $count::bigint where id = $organization
  returning position - $count::bigint as base),
new_message as materialized (
  select base, base + n as id, given.* from lock cross join given),
touched as materialized (
  select channel_id, topic_key, (array_agg(topic order by id))[1] as topic, min(id) as first_id, max(id) as max_id
  from new_message where channel_id is not null group by channel_id, topic_key),
known_topic as (
  update topics t set max_id = touched.max_id, previous_id = t.max_id
  from touched
  where t.organization_id = $organization and t.channel_id = touched.channel_id and t.name_key = touched.topic_key
  returning t.id, t.channel_id, t.name, t.name_key, t.first_id, t.previous_id),
other_topic as (
  insert into topics as t (organization_id, channel_id, name, name_key, first_id, max_id)
  select $organization, channel_id, topic, topic_key, first_id, max_id from touched
  where not exists (
    select from known_topic known where known.channel_id = touched.channel_id and known.name_key = touched.topic_key)
  on conflict (organization_id, channel_id, name_key)
  do update set max_id = excluded.max_id, previous_id = t.max_id
  returning t.id, t.channel_id, t.name, t.name_key, t.first_id, t.previous_id),
channel_topic as (select * from known_topic union all select * from other_topic),
placed as materialized (
  select m.*, t.id as topic_id, t.name as topic_name, t.first_id, t.previous_id
  from new_message m join channel_topic t on t.channel_id = m.channel_id and t.name_key = m.topic_key),
message as (
  insert into messages
    (organization_id, id, channel_id, topic_id, date_sent, terms, sender_id, content, rendered_content, mentions_channel, client, withheld_from)
  select $organization, id, channel_id, topic_id, $now, terms, sender_id, content, rendered_content, mentions_channel, client, withheld_from
  from placed),
flag as (
  insert into message_flags (organization_id, user_id, message_id, mentioned, topic_wildcard_mentioned, has_alert_word)
  select $organization, flag.user_id, placed.id, flag.mentioned, flag.topic_mentioned, flag.alerted
  from placed
  join unnest(
    $flag_messages::bigint[], $flag_users::bigint[], $mentioned::boolean[], $topic_mentioned::boolean[],
    $alerted::boolean[])
    as flag(n, user_id, mentioned, topic_mentioned, alerted) on flag.n = placed.n),
mentioned as (
  select follower.user_id, placed.n, placed.channel_id, placed.topic_id, placed.topic_key, placed.topic_name
  from placed join unnest($follower_messages::bigint[], $followers::bigint[]) as follower(n, user_id)
    on follower.n = placed.n),
later as materialized (
  select n, user_id from mentioned where 3 is distinct from (select visibility_policy from user_topics chosen
     where chosen.organization_id = $organization and chosen.user_id = mentioned.user_id
     and chosen.channel_id = mentioned.channel_id and chosen.name_key = mentioned.topic_key)),
event as (
  insert into events (organization_id, position, type, ref_id, audience, payload, recorded_at)
  select $organization, id, 'message', id, audience,
    case when start_counts and first_id = id then payload || '{"starts_topic": true}' else payload end || coalesce(
    (select jsonb_build_object('to_follow', jsonb_agg(user_id order by user_id)) from later where later.n = placed.n
     having count(*) > 0), '{}'), $now
  from placed)
select 'sent' as what,
  n,
  base,
  id,
  topic_id as "topicId",
  topic_name as "topic",
  first_id = id as "startsTopic",
  null::bigint as "userId",
  channel_id as "channelId"
from placed
union all
select 'to follow' as what,
  n,
  base,
  null::bigint as "id",
  null::bigint as "topicId",
  null::text as "topic",
  null::boolean as "startsTopic",
  user_id as "userId",
  null::bigint as "channelId"
from later cross join lock
order by n
