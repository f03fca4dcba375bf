/**
 * The spelling of a message's topic, where it differs from the topic's row: in protected history each message keeps
 * the spelling it came with. There are few such messages, and statements that move or delete messages look for them.
 */
export const sql = `
alter table messages add column topic_spelling text;
create index messages_spelling on messages (organization_id, topic_id, id) where topic_spelling is not null;
`
