export const sql = `
alter table queues add column lifespan_seconds integer not null default 0;
`
