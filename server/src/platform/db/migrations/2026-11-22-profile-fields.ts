/** The custom profile fields of organizations, and users' values of them. */
export const sql = `
create table custom_profile_fields (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  type smallint not null,
  display_order integer not null,
  name text not null,
  hint text not null,
  field_data text not null,
  display_in_profile_summary boolean not null,
  required boolean not null,
  editable_by_user boolean not null,
  primary key (organization_id, id)
);

alter table users add column profile_data jsonb not null default '{}';
`
