/** The defaults of bots for what their programs do not say. */
export const sql = `
alter table users add column bot_defaults jsonb not null default '{}';
`
