/** How channels are grouped. */
export const sql = `
create table channel_folders (
  organization_id bigint not null references organizations (id) on delete cascade,
  id bigint not null,
  name text not null,
  name_key text not null,
  description text not null,
  rendered_description text not null,
  position int not null,
  date_created bigint,
  creator_id bigint,
  is_archived boolean not null,
  primary key (organization_id, id)
);
create unique index channel_folders_name on channel_folders (organization_id, name_key) where not is_archived;
`
