/**
 * Searches topic names through the index that only bitmap scans can use, regardless of session settings. Also estimates
 * the number of matching messages from the planner, so that a search for common words does not have to count up to the
 * limit.
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
