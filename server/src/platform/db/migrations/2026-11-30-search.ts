import { words } from './2026-11-22-search.ts'
import { FINAL_SIGMA, bothSigmas } from './2026-11-29.ts'

/**
 * Adds search terms that the server computes (`kernel/search-terms.ts`), and a dictionary of each organization's words.
 * A job fills `terms` of rows that have none: old rows, imported rows, and rows of nodes of the previous release, which
 * still use the columns named `search`. `terms_text` returns the terms in order, each between spaces.
 */
export const searchTerms = `
create extension if not exists pg_trgm;

-- Stems of a word in comma-separated languages, such as \`de:rechnung\`.
create function word_stems(word text, languages text) returns text[] language sql immutable parallel safe
return array(
  select distinct language || ':' || stem from unnest(string_to_array(languages, ',')) as language
  cross join unnest(ts_lexize((case language
    when 'de' then 'german_stem' when 'en' then 'english_stem' when 'es' then 'spanish_stem'
    when 'fr' then 'french_stem' when 'it' then 'italian_stem' when 'nl' then 'dutch_stem'
    when 'pt' then 'portuguese_stem' when 'ru' then 'russian_stem' when 'sv' then 'swedish_stem'
  end)::regdictionary, word)) as stem order by 1);

create table search_words (
  organization_id bigint not null references organizations(id) on delete cascade,
  word text collate "C" not null,
  stems text[] not null,
  -- The languages of the stems.
  languages text collate "C" not null,
  primary key (organization_id, word)
);
create index search_words_parts on search_words using gin (word gin_trgm_ops) with (gin_pending_list_limit = 256);
create index search_words_languages on search_words (organization_id, languages);
create index search_words_stems on search_words using gin (stems) with (gin_pending_list_limit = 256);

alter table messages alter column search drop not null, add column terms tsvector;
create index messages_terms on messages using gin (terms) with (gin_pending_list_limit = 1024) where terms is not null;
create index messages_without_terms on messages (organization_id, id) where terms is null;

alter table topic_words add column terms tsvector;
create index topic_words_terms on topic_words using gin (terms) where terms is not null;
create index topic_words_without_terms on topic_words (organization_id, topic_id) where terms is null;

drop trigger messages_without_words on messages;
create trigger messages_without_words before insert on messages for each row
when (new.search is null and new.terms is null) execute function find_message_words();

create function note_rewritten() returns trigger language plpgsql as $$
begin
  new.search := message_words(new.content);
  new.terms := null;
  return new;
end;
$$;
drop trigger messages_rewritten on messages;
create trigger messages_rewritten before update of content on messages for each row
when (old.content is distinct from new.content and old.terms is not distinct from new.terms)
execute function note_rewritten();

create or replace function note_topic_words() returns trigger language plpgsql as $$
begin
  insert into topic_words (organization_id, topic_id, search)
  values (new.organization_id, new.id,
          case when new.name_key ~ ${FINAL_SIGMA} then ${bothSigmas('new.name_key')} else ${words('new.name_key')} end)
  on conflict (organization_id, topic_id) do update set search = excluded.search, terms = null;
  return null;
end;
$$;

create function terms_text(terms tsvector) returns text language sql immutable parallel safe
return ' ' || (select string_agg(lexeme, ' ' order by position)
               from unnest(terms) cross join unnest(positions) as position) || ' ';

-- Elsewhere bitmap scans are off, and these indexes can be read in no other way.

-- Words that match a pattern, up to \`most\`, and words that share a stem with the given word.
create function search_forms(organization bigint, languages text, words text[], patterns text[], most integer)
returns table (contained text[], forms text[])
language sql stable
set enable_bitmapscan = on
set enable_seqscan = off
set enable_indexscan = off
set plan_cache_mode = force_custom_plan
begin atomic
  select array(select w.word from search_words w where w.organization_id = organization and w.word like asked.pattern
               limit most),
         array(select w.word from search_words w where w.organization_id = organization
               and w.stems && word_stems(asked.word, search_forms.languages))
  from unnest(words, patterns) with ordinality as asked(word, pattern, number) order by number;
end;

-- Words of about as many letters that match one of two patterns, and existing words of a list.
create function search_neighbors(organization bigint, patterns text[], listed text[], letters integer)
returns setof text
language sql stable
set enable_bitmapscan = on
set enable_seqscan = off
set enable_indexscan = off
set plan_cache_mode = force_custom_plan
begin atomic
  select word from search_words where organization_id = organization and length(word) between letters - 1 and letters + 1
  and (word like patterns[1] or word like patterns[2])
  union
  select word from search_words where organization_id = organization and word = any(listed);
end;

create function topics_with_terms(organization bigint, query tsquery, pattern text) returns setof bigint
language sql stable
set enable_bitmapscan = on
set enable_seqscan = off
set enable_indexscan = off
set plan_cache_mode = force_custom_plan
begin atomic
  select topic_id from topic_words
  where query is not null and organization_id = organization and terms @@ query
  and (pattern is null or terms_text(terms) ~ pattern)
  union all
  select topic_id from topic_words
  where query is null and organization_id = organization and terms_text(terms) ~ pattern;
end;

-- Messages that match the query or are in the topics, or null if there are more than \`most\`.
create function messages_with_terms(organization bigint, query tsquery, topics bigint[], most integer) returns bigint[]
language sql stable
set enable_bitmapscan = on
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
begin atomic
  with found as (
    (select m.id from (select id, organization_id from messages where terms @@ query offset 0) m
     where m.organization_id = organization limit most + 1)
    union all
    (select m.id from unnest(topics) as topic (id)
     cross join lateral (select id from messages m where m.organization_id = organization and m.topic_id = topic.id
                         limit most + 1) m
     limit most + 1))
  select case when count(*) <= most then coalesce(array_agg(distinct id), '{}') end from found;
end;

-- Estimates the fraction of all messages that have any of the terms, for each list of terms.
create function term_frequencies(asked jsonb) returns float8[]
language sql stable
begin atomic
  with frequency as materialized (
    select one.term, one.frequency from pg_stats s
    cross join lateral unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as one(term, frequency)
    where s.schemaname = current_schema() and s.tablename = 'messages' and s.attname = 'terms' and one.term is not null)
  select array(select least(coalesce((select sum(frequency) from frequency where terms ? term), 0), 1)
               from jsonb_array_elements(asked) with ordinality as list(terms, number) order by number);
end;
`
