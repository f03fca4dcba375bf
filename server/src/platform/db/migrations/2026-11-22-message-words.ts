import { BLANKED } from './2026-11-22-cheap-sends.ts'

/**
 * Words of a message come from the process that stores it. For messages without words, or whose text changes, the
 * database computes them. No row is rewritten.
 */
export const sql = `
alter table messages alter column search drop expression;

create function message_words(content text) returns tsvector language sql immutable parallel safe
return to_tsvector('parley_search', regexp_replace(content, '${BLANKED}', ' ', 'g'));

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
