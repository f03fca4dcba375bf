export const failedAttempts = `
create table failed_attempts (
  organization_id bigint not null references organizations (id) on delete cascade,
  digest text not null,
  used int not null,
  ends_at float8 not null,
  primary key (organization_id, digest)
);
create index failed_attempts_by_end on failed_attempts (ends_at);
`

/** Imported organizations, their progress, and the mapping of topic IDs. */
export const imports = `
create table imports (
  organization_id bigint primary key references organizations (id) on delete cascade,
  archive_digest text not null,
  string_id text not null,
  begun_at bigint not null,
  completed_at bigint,
  progress jsonb not null default '{}',
  left_out jsonb not null default '[]'
);
create unique index imports_begun on imports (string_id) where completed_at is null;
create table imported_topics (
  organization_id bigint not null references organizations (id) on delete cascade,
  old_id bigint not null,
  new_id bigint not null,
  primary key (organization_id, old_id)
);
`
