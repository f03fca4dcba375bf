import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    digest_weeks: {
      organization_id: number
      begun_at: number
      /** The next digest starts at this log position. */
      position: number
      /** The last digest started at this log position. */
      since: number
    }
    digest_readers: { organization_id: number; user_id: number }
  }
}

export const migrations: readonly Migration[] = [
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
