import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    account_links: {
      organization_id: number
      digest: Buffer
      seed: Buffer
      user_id: number
      new_email: string | null
      made_at: number
      expires_at: number
    }
    password_requests: {
      organization_id: number
      id: number
      email: string
    }
    confirmed_addresses: {
      organization_id: number
      user_id: number
      /** Case key of the confirmed address; valid only while `users.delivery_email_key` equals it. */
      email_key: string
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-account-links',
    sql: `
create table account_links (
  organization_id bigint not null,
  digest bytea not null,
  seed bytea not null,
  user_id bigint not null,
  new_email text,
  made_at bigint not null,
  expires_at bigint not null,
  primary key (organization_id, digest),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index account_links_by_user on account_links (organization_id, user_id);
create index account_links_by_end on account_links (expires_at);

create table password_requests (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  email text not null,
  primary key (organization_id, id)
);
`,
  },
  {
    name: '2026-11-28-confirmed-addresses',
    sql: `
create table confirmed_addresses (
  organization_id bigint not null,
  user_id bigint not null,
  email_key text not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
]
