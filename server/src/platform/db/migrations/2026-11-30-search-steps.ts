/** Endings that a stemmer does not know, or not without accents, and endings that it knows instead. */
const ENDINGS: Readonly<Record<string, readonly (readonly [pattern: string, known: string])[]>> = {
  de: [['(...)t$', '\\1en']],
  es: [
    ['ion$', 'ión'],
    ['(..)ces$', '\\1z'],
  ],
  fr: [
    ['e(e|es|s)$', 'e'],
    ['([^is])ons$', '\\1er'],
  ],
  nl: [
    ['zen$', 'sen'],
    ['ven$', 'fen'],
    ['(...)t$', '\\1en'],
  ],
  pt: [
    ['oes$', 'ao'],
    ['ns$', 'm'],
    ['(...[aeo])is$', '\\1l'],
  ],
  sv: [['(...)et$', '\\1']],
}

const withKnownEnding = (language: string): string =>
  (ENDINGS[language] ?? []).reduce(
    (word, [pattern, known]) => `regexp_replace(${word}, '${pattern}', '${known}')`,
    'word',
  )

/** A word also has the stem that it would have with another ending. */
export const searchStems = `
create or replace function word_stems(word text, languages text) returns text[] language sql immutable parallel safe
return array(
  select distinct language || ':' || stem from unnest(string_to_array(languages, ',')) as language
  cross join lateral (select (case language
    when 'de' then 'german_stem' when 'en' then 'english_stem' when 'es' then 'spanish_stem'
    when 'fr' then 'french_stem' when 'it' then 'italian_stem' when 'nl' then 'dutch_stem'
    when 'pt' then 'portuguese_stem' when 'ru' then 'russian_stem' when 'sv' then 'swedish_stem'
  end)::regdictionary as stemmer, case language ${Object.keys(ENDINGS)
    .map((language) => `when '${language}' then ${withKnownEnding(language)}`)
    .join('\n    ')}
    else word
  end as other) of
  cross join unnest(ts_lexize(stemmer, word) || ts_lexize(stemmer, other)) as stem order by 1);

update search_words set stems = word_stems(word, languages) where languages not in ('', 'en');

-- Words that match a pattern, words that begin with the word, both up to \`most\`, and words that share a stem with it.
drop function search_forms(bigint, text, text[], text[], integer);
create function search_forms(organization bigint, languages text, words text[], patterns text[], most integer)
returns table (contained text[], begun text[], forms text[])
language sql stable
set enable_bitmapscan = on
set enable_seqscan = off
set enable_indexscan = off
set plan_cache_mode = force_custom_plan
begin atomic
  select array(select w.word from search_words w where w.organization_id = organization and w.word like asked.pattern
               limit most),
         array(select w.word from search_words w where w.organization_id = organization
               and w.word > asked.word and w.word < asked.word || chr(1114111) limit most),
         array(select w.word from search_words w where w.organization_id = organization
               and w.stems && word_stems(asked.word, search_forms.languages))
  from unnest(words, patterns) with ordinality as asked(word, pattern, number) order by number;
end;
`

/** Searches do nothing that depends on messages of others: the time that they take must not tell of them. */
export const searchSteps = `
drop function search_neighbors(bigint, text[], text[], integer);

drop function messages_with_terms(bigint, tsquery, bigint[], integer);

-- Messages that match the query or are in the topics, newest first, in the channels or the reader's conversations; null
-- if there are more than \`most\`.
create function messages_with_terms(
  organization bigint, reader bigint, channels bigint[], query tsquery, topics bigint[], most integer) returns bigint[]
language sql stable
set enable_bitmapscan = on
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
begin atomic
  with found as (
    (select m.id from (select id, organization_id, channel_id, topic_id from messages where terms @@ query offset 0) m
     where m.organization_id = organization
     and (m.channel_id in (select unnest(channels)) or m.channel_id is null and m.topic_id in (
       select c.topic_id from conversation_members own
       join conversations c on c.organization_id = organization and c.id = own.conversation_id
       where own.organization_id = organization and own.user_id = reader))
     limit most + 1)
    union all
    (select m.id from topics t
     cross join lateral (select id from messages m where m.organization_id = organization and m.topic_id = t.id
                         limit most + 1) m
     where t.organization_id = organization and t.id = any(topics) and t.channel_id = any(channels)
     limit most + 1))
  select case when count(*) <= most then coalesce(array_agg(distinct id order by id desc), '{}') end from found;
end;
`
