/** Each registration counts the queues that its user has. */
export const sql = `
create index queues_by_user on queues (organization_id, user_id);
`
