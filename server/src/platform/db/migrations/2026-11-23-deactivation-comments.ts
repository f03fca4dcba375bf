/** What the administrators said when they ended an account, for its owner, who is told when logging in is refused. */
export const sql = `
alter table credentials add column deactivation_comment text;
`
