/** What a bot sends and gets where its program does not say. */
export const sql = `
alter table users add column bot_defaults jsonb not null default '{}';
`
