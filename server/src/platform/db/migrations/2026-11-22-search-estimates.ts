/**
 * Finds the topics whose names hold a phrase in the index that only bitmap scans read, whatever the session allows.
 * And estimates, as the planner does, how many messages hold all the phrases in their texts, so that a search for
 * common words need not count up to the limit first.
 */
export const sql = `
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
