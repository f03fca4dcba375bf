/** A client may ask that its queue outlives more than the usual idleness. */
export const sql = `
alter table queues add column lifespan_seconds integer not null default 0;
`
