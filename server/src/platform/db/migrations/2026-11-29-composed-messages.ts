/**
 * Computes the search words of decomposed messages again. Reads every message, which takes about 3 s per million, and
 * 20 s if all have letters beyond ASCII; only the rows that change are locked, and sends go on. Its own migration, since
 * nodes of the release before store such words until the one before this is committed.
 */
export const sql = `
update messages set search = message_words(content)
where octet_length(content) <> length(content) and content is not normalized;
`
