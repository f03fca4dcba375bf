/** Speeds up counting a user's queues at each registration. */
export const sql = `
create index queues_by_user on queues (organization_id, user_id);
`
