/** The comment of the administrator who ended an account, for its owner, who is told it when logging in is refused. */
export const sql = `
alter table credentials add column deactivation_comment text;
`
