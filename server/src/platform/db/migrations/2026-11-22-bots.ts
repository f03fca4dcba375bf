/** Defaults for requests of bots. */
export const sql = `
alter table users add column bot_defaults jsonb not null default '{}';
`
