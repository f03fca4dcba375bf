import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    passkeys: {
      organization_id: number
      id: number
      user_id: number
      credential_id: Buffer
      public_key: Buffer
      counter: number
      transports: string[]
      name: string
      created_at: number
      used_at: number | null
    }
    passkey_challenges: {
      organization_id: number
      digest: Buffer
      user_id: number | null
      expires_at: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-26-passkeys',
    sql: `
create table passkeys (
  organization_id bigint not null,
  id bigint not null,
  user_id bigint not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at bigint not null,
  used_at bigint,
  primary key (organization_id, id),
  unique (organization_id, credential_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index passkeys_by_user on passkeys (organization_id, user_id);
create table passkey_challenges (
  organization_id bigint not null references organizations(id) on delete cascade,
  digest bytea not null,
  user_id bigint,
  expires_at bigint not null,
  primary key (organization_id, digest)
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
`,
  },
  {
    name: '2026-11-26-passkey-challenges-newest',
    sql: `
create index passkey_challenges_newest on passkey_challenges (organization_id, expires_at);
`,
  },
]
