/** What becomes links in messages and topics. */
export const sql = `
create table realm_linkifiers (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  pattern text not null,
  url_template text not null,
  position integer not null,
  primary key (organization_id, id)
);
`
