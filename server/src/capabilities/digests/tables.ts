import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    digest_weeks: {
      organization_id: number
      /** When the last digest was begun. */
      begun_at: number
      /** Where the log was then: the next digest tells of what came after. */
      position: number
      /** The same of the digest before: what the last one tells of begins there. */
      since: number
    }
    digest_readers: { organization_id: number; user_id: number }
  }
}

export const migrations: readonly Migration[] = [
  // `digest_readers` are the people to whom the last digest is still to be written.
  {
    name: '2026-11-26-digests',
    sql: `
create table digest_weeks (
  organization_id bigint primary key references organizations(id) on delete cascade,
  begun_at bigint not null,
  position bigint not null,
  since bigint not null
);
create table digest_readers (
  organization_id bigint not null,
  user_id bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]
