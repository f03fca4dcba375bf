/**
 * Full-text search columns and indexes. The columns are generated, so they stay correct however a row is written;
 * adding them rewrites both tables, about half a minute per million messages. No stop words; English endings are
 * stripped. Punctuation is blanked first, so that each part of an address or path can be found.
 */
const BLANKED = String.raw`<>()[]{}/\\@.,:;_-=&?!#*+|"''~^$%\`“”‘’«»…—–·。，、！？`

const words = (column: string): string =>
  `to_tsvector('parley_search', translate(${column}, E'${BLANKED}', '${' '.repeat(BLANKED.length)}'))`

/** Must be recreated whenever a column it reads is recreated. */
export const SEARCH_CANDIDATES = `-- Few messages that are sure to hold all that match the phrases, or null when there are more than \`most\`. A phrase may
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

export const sql = `
create text search dictionary parley_stem (template = snowball, language = english);
create text search configuration parley_search (copy = simple);
alter text search configuration parley_search
  alter mapping for asciiword, asciihword, hword_asciipart, word, hword, hword_part with parley_stem;

alter table messages
  add column search tsvector not null generated always as (${words('content')}) stored,
  add column has_link boolean not null generated always as (rendered_content like '%<a href="%') stored,
  add column has_attachment boolean not null
    generated always as (rendered_content like '%<a href="/user_uploads/%') stored,
  add column has_image boolean not null
    generated always as (rendered_content like '%<div class="message_inline_image">%') stored;
create index messages_search on messages using gin (search) with (gin_pending_list_limit = 1024);
create index messages_with_link on messages (organization_id, id) where has_link;
create index messages_with_attachment on messages (organization_id, id) where has_attachment;
create index messages_with_image on messages (organization_id, id) where has_image;

alter table topics add column search tsvector not null generated always as (${words('name')}) stored;
create index topics_search on topics using gin (search);
create index topics_key on topics (organization_id, name_key);

${SEARCH_CANDIDATES}`
