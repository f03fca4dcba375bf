import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    second_factors: {
      organization_id: number
      user_id: number
      /** The shared secret is derived from this seed and a key in a file; see `platform/tokens`. */
      seed: Buffer
      confirmed_at: number | null
      last_step: number
    }
    recovery_codes: {
      organization_id: number
      user_id: number
      digest: Buffer
    }
    pending_logins: {
      organization_id: number
      digest: Buffer
      user_id: number
      expires_at: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-26-second-factors',
    sql: `
create table second_factors (
  organization_id bigint not null,
  user_id bigint not null,
  seed bytea not null,
  confirmed_at bigint,
  last_step bigint not null default 0,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create table recovery_codes (
  organization_id bigint not null,
  user_id bigint not null,
  digest bytea not null,
  primary key (organization_id, user_id, digest),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create table pending_logins (
  organization_id bigint not null,
  digest bytea not null,
  user_id bigint not null,
  expires_at bigint not null,
  primary key (organization_id, digest),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index pending_logins_by_user on pending_logins (organization_id, user_id);
create index pending_logins_by_end on pending_logins (expires_at);
`,
  },
]
