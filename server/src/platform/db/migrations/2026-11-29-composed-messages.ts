/**
 * Recomputes the search words of decomposed messages. Reads every message, which takes about 3 s per million, and 20 s
 * if all have non-ASCII letters. Locks only the rows that change, so sending continues. A separate migration, because
 * nodes of the previous release store such words until the preceding migration is committed.
 */
export const sql = `
update messages set search = message_words(content)
where octet_length(content) <> length(content) and content is not normalized;
`
