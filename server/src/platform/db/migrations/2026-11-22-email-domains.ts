/** Domains that addresses belong to where an organization takes no others. */
export const sql = `
create table realm_domains (
  organization_id bigint not null references organizations (id) on delete cascade,
  id bigint not null,
  domain text not null,
  allow_subdomains boolean not null,
  primary key (organization_id, id)
);
`
