import { BLANKED } from './2026-11-22-cheap-sends.ts'

/**
 * Search words are composed (NFC): a letter with an accent can be one or two code points. Takes effect immediately,
 * before the words of older messages are recomputed. Composing a text takes nearly as long as finding its words, so
 * texts that are already composed are detected first.
 */
export const sql = `
create or replace function message_words(content text) returns tsvector language sql immutable parallel safe
return to_tsvector('parley_search', regexp_replace(
  case when octet_length(content) = length(content) or content is normalized then content else normalize(content) end,
  '${BLANKED}', ' ', 'g'));
`
