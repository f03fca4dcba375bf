export const sql = `
create table failed_attempts (
  organization_id bigint not null references organizations (id) on delete cascade,
  digest text not null,
  used int not null,
  ends_at float8 not null,
  primary key (organization_id, digest)
);
create index failed_attempts_by_end on failed_attempts (ends_at);
`
