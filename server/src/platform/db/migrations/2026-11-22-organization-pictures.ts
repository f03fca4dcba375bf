/** The organization's icon and logos, by the names of their files. */
export const sql = `
alter table organization_settings add column pictures jsonb not null default '{}';
`
