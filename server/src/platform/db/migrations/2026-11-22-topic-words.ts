import { BLANKED } from './2026-11-22-cheap-sends.ts'

/**
 * Words of topic names in a separate table. Every message updates its topic's row; with the words in it, each update
 * reparsed their declaration and reindexed them (10 of 90 us per message). Conversations have no name, so no row.
 */
export const sql = `
create table topic_words (
  organization_id bigint not null,
  topic_id bigint not null,
  search tsvector not null,
  primary key (organization_id, topic_id),
  foreign key (organization_id, topic_id) references topics (organization_id, id) on delete cascade
);
insert into topic_words select organization_id, id, search from topics where channel_id is not null;
create index topic_words_search on topic_words using gin (search);

create function note_topic_words() returns trigger language plpgsql as $$
begin
  insert into topic_words (organization_id, topic_id, search)
  values (new.organization_id, new.id,
          to_tsvector('parley_search', regexp_replace(new.name, '${BLANKED}', ' ', 'g')))
  on conflict (organization_id, topic_id) do update set search = excluded.search;
  return null;
end;
$$;
create trigger topics_begin after insert on topics for each row when (new.channel_id is not null)
execute function note_topic_words();
create trigger topics_rename after update of name on topics for each row when (old.name is distinct from new.name)
execute function note_topic_words();

drop function search_candidates(bigint, text[], integer);
drop function search_topics(bigint, text);
alter table topics drop column search;

create function search_topics(organization bigint, phrase text) returns setof bigint
language sql stable
set enable_bitmapscan = on
set enable_seqscan = off
set enable_indexscan = off
set plan_cache_mode = force_custom_plan
begin atomic
  select topic_id from topic_words
  where organization_id = organization and search @@ phraseto_tsquery('parley_search', phrase);
end;

-- Few messages that are sure to hold all that match the phrases, or null when there are more than \`most\`. A phrase may
-- be in the text or in the name of the topic; those that no topic has must be in the text. Elsewhere bitmap scans are
-- off, and these indexes can be read in no other way.
create function search_candidates(organization bigint, phrases text[], most integer) returns bigint[]
language sql stable
set enable_bitmapscan = on
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
begin atomic
  with placed as materialized (
    select phrase, array(select topic_id from topic_words where organization_id = organization
                         and search @@ phraseto_tsquery('parley_search', phrase)) as topics
    from unnest(phrases) as phrase),
  unplaced as materialized (
    select string_agg(format('"%s"', phrase), ' ') as query from placed where topics = '{}'),
  found as (
    (select m.id from unplaced cross join lateral (
       select id, organization_id from messages
       where search @@ websearch_to_tsquery('parley_search', coalesce(unplaced.query,
         (select string_agg(format('"%s"', phrase), ' ') from placed)))
       offset 0) m
     where m.organization_id = organization limit most + 1)
    union all
    (select m.id from unplaced cross join placed cross join unnest(placed.topics) as topic (id)
     cross join lateral (select id from messages m where m.organization_id = organization and m.topic_id = topic.id
                         limit most + 1) m
     where unplaced.query is null limit most + 1))
  select case when count(*) <= most then coalesce(array_agg(distinct id), '{}') end from found;
end;
`
