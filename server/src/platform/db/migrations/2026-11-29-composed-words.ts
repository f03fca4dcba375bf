import { BLANKED } from './2026-11-22-cheap-sends.ts'

/**
 * Search words are composed (NFC): a letter with an accent can be one or two code points. Takes effect at once, before
 * the words of older messages are computed again.
 */
export const sql = `
create or replace function message_words(content text) returns tsvector language sql immutable parallel safe
return to_tsvector('parley_search', regexp_replace(normalize(content), '${BLANKED}', ' ', 'g'));
`
