/** Queues registered in a browser's session end with it. */
export const queuesOfSessions = `
alter table queues add column session_id bigint;
`
