/** Lets queues that a browser registered end with its session. */
export const queuesOfSessions = `
alter table queues add column session_id bigint;
`
