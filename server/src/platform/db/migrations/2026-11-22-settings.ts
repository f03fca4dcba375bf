/** What an organization's description looks like, and what personal settings are for its new users. */
export const sql = `
alter table organization_settings add column rendered_description text not null default '';
alter table organization_settings add column user_settings_defaults jsonb not null default '{}';
`
