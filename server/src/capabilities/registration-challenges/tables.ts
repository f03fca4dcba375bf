import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    used_challenges: { organization_id: number; nonce: string; expires_at: number }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-12-01-registration-challenges',
    sql: `
create table used_challenges (
  organization_id bigint not null references organizations(id) on delete cascade,
  nonce text not null,
  expires_at bigint not null,
  primary key (organization_id, nonce)
);
create index used_challenges_expired on used_challenges (organization_id, expires_at);
`,
  },
]
