/**
 * Full-text search: no stop words; English endings are stripped. Punctuation is blanked first, so that each part of an
 * address or path can be found. Rewrites the messages and topics tables: half a minute per million messages.
 */
const PUNCTUATION = String.raw`<>()[]{}/\\@.,:;_-=&?!#*+|"''~^$%\`“”‘’«»…—–·。，、！？`

const BLANKS = ' '.repeat(PUNCTUATION.length)

const withoutPunctuation = (column: string): string =>
  `to_tsvector('parley_search', translate(${column}, E'${PUNCTUATION}', '${BLANKS}'))`

/** A function that must be recreated whenever a column that it reads is recreated. */
const SEARCH_CANDIDATES = `-- Few messages that are sure to hold all that match the phrases, or null when there are more than \`most\`. A phrase may
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
    select phrase, array(select t.id from topics t where t.organization_id = organization and t.channel_id is not null
                         and t.search @@ phraseto_tsquery('parley_search', phrase)) as topics
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

export const search = `
create text search dictionary parley_stem (template = snowball, language = english);
create text search configuration parley_search (copy = simple);
alter text search configuration parley_search
  alter mapping for asciiword, asciihword, hword_asciipart, word, hword, hword_part with parley_stem;

alter table messages
  add column search tsvector not null generated always as (${withoutPunctuation('content')}) stored,
  add column has_link boolean not null generated always as (rendered_content like '%<a href="%') stored,
  add column has_attachment boolean not null
    generated always as (rendered_content like '%<a href="/user_uploads/%') stored,
  add column has_image boolean not null
    generated always as (rendered_content like '%<div class="message_inline_image">%') stored;
create index messages_search on messages using gin (search) with (gin_pending_list_limit = 1024);
create index messages_with_link on messages (organization_id, id) where has_link;
create index messages_with_attachment on messages (organization_id, id) where has_attachment;
create index messages_with_image on messages (organization_id, id) where has_image;

alter table topics add column search tsvector not null generated always as (${withoutPunctuation('name')}) stored;
create index topics_search on topics using gin (search);
create index topics_key on topics (organization_id, name_key);

${SEARCH_CANDIDATES}`

/**
 * Makes sending cheaper. Blanking punctuation with `translate` took two thirds of an insert (44 us per message; this
 * equivalent expression: 5 us). Foreign key checks protect nothing here: rows of messages and events are only written
 * by a statement that updates their organization's row.
 */
export const PUNCTUATION_PATTERN = String.raw`[][<>(){}/\\@.,:;_=&?!#*+|"''~^$%\`“”‘’«»…—–·。，、！？-]+`

export const words = (column: string): string =>
  `to_tsvector('parley_search', regexp_replace(${column}, '${PUNCTUATION_PATTERN}', ' ', 'g'))`

export const cheapSends = `
drop function search_candidates(bigint, text[], integer);

alter table messages
  drop column search,
  add column search tsvector not null generated always as (${words('content')}) stored,
  drop constraint messages_organization_id_fkey;
create index messages_search on messages using gin (search) with (gin_pending_list_limit = 1024);

alter table topics
  drop column search,
  add column search tsvector not null generated always as (${words('name')}) stored;
create index topics_search on topics using gin (search);

alter table events drop constraint events_organization_id_fkey;

${SEARCH_CANDIDATES}`

/**
 * Searches topic names through an index that only bitmap scans can use. Also estimates the number of matching messages,
 * so that a search for common words does not have to count up to the limit.
 */
export const searchEstimates = `
create function search_estimate(organization bigint, phrases text[]) returns float8
language plpgsql
as $$
declare
  plan json;
begin
  execute format('explain (format json) select from messages where organization_id = %L and search @@ websearch_to_tsquery(''parley_search'', %L)',
    organization, (select string_agg(format('"%s"', phrase), ' ') from unnest(phrases) as phrase)) into plan;
  return (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8;
end;
$$;

create function search_topics(organization bigint, phrase text) returns setof bigint
language sql stable
set enable_bitmapscan = on
set enable_seqscan = off
set enable_indexscan = off
set plan_cache_mode = force_custom_plan
begin atomic
  select t.id from topics t where t.organization_id = organization and t.channel_id is not null
  and t.search @@ phraseto_tsquery('parley_search', phrase);
end;
`

/**
 * Words of topic names in a separate table. Every message updates its topic's row, and with the words in that row,
 * each update reindexed the words (10 of 90 us per message).
 */
export const topicWords = `
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
          to_tsvector('parley_search', regexp_replace(new.name, '${PUNCTUATION_PATTERN}', ' ', 'g')))
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

/** Lets the process that stores a message pass the search words. If it does not, the database computes the words. */
export const messageWords = `
alter table messages alter column search drop expression;

create function message_words(content text) returns tsvector language sql immutable parallel safe
return to_tsvector('parley_search', regexp_replace(content, '${PUNCTUATION_PATTERN}', ' ', 'g'));

create function find_message_words() returns trigger language plpgsql as $$
begin
  new.search := message_words(new.content);
  return new;
end;
$$;
create trigger messages_without_words before insert on messages for each row when (new.search is null)
execute function find_message_words();
create trigger messages_rewritten before update of content on messages for each row
when (old.content is distinct from new.content) execute function find_message_words();
`

/**
 * Searches topics by the words of their keys, which are equal for all spellings. A search could otherwise reveal a
 * hidden spelling: the database lower-cases "ΣΟΦΟΣ" and "Σοφος" differently.
 */
export const topicKeyWords = `
create or replace function note_topic_words() returns trigger language plpgsql as $$
begin
  insert into topic_words (organization_id, topic_id, search)
  values (new.organization_id, new.id, ${words('new.name_key')})
  on conflict (organization_id, topic_id) do update set search = excluded.search;
  return null;
end;
$$;
drop trigger topics_rename on topics;
create trigger topics_rename after update of name_key on topics
for each row when (old.name_key is distinct from new.name_key) execute function note_topic_words();

update topic_words w set search = ${words('t.name_key')} from topics t
where t.organization_id = w.organization_id and t.id = w.topic_id and w.search <> ${words('t.name_key')};
`
