import { BLANKED } from './2026-11-22-cheap-sends.ts'

const words = (key: string): string => `to_tsvector('parley_search', regexp_replace(${key}, '${BLANKED}', ' ', 'g'))`

/**
 * Searches topics by the words of their keys, which are equal for all spellings. Otherwise, a search could reveal a
 * hidden spelling, because the database lower-cases "ΣΟΦΟΣ" and "Σοφος" differently.
 */
export const sql = `
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
