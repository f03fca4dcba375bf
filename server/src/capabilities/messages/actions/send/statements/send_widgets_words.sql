-- a message with a widget
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
widget as (
  insert into submessages (organization_id, id, message_id, sender_id, msg_type, content)
  select $organization, placed.id, placed.id, placed.sender_id, 'widget', widget.content
  from placed join unnest($widget_messages::bigint[], $widgets::text[]) as widget(n, content)
    on widget.n = placed.n),
word as (
  insert into search_words (organization_id, word, stems, languages)
  select $organization, given.word, word_stems(given.word, $languages::text), $languages::text
  from (select count(*) from new_message) as begun cross join unnest($new_words::text[]) as given(word)
  where not exists (
    select from search_words known where known.organization_id = $organization and known.word = given.word)
  on conflict do nothing),
event as (
  insert into events (organization_id, position, type, ref_id, audience, payload, recorded_at)
  select $organization, id, 'message', id, audience,
    case when start_counts and first_id = id then payload || '{"starts_topic": true}' else payload end, $now
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
order by n
