/** A queue that was registered in the session of a browser ends with it. */
export const sql = `
alter table queues add column session_id bigint;
`
