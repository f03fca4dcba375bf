import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    sessions: {
      organization_id: number
      id: number
      user_id: number
      digest: Buffer
      device: string
      created_at: number
      used_at: number
      confirmed_at: Generated<number | null>
    }
    login_links: {
      organization_id: number
      digest: Buffer
      user_id: number
      expires_at: number
      is_reusable: Generated<boolean>
    }
    known_devices: {
      organization_id: number
      user_id: number
      device: string
      seen_at: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-24-sessions',
    sql: `
create table sessions (
  organization_id bigint not null,
  id bigint not null,
  user_id bigint not null,
  digest bytea not null,
  device text not null,
  created_at bigint not null,
  used_at bigint not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index sessions_by_user on sessions (organization_id, user_id);
create index sessions_by_use on sessions (used_at);
create table login_links (
  organization_id bigint not null,
  digest bytea not null,
  user_id bigint not null,
  expires_at bigint not null,
  is_reusable boolean not null default false,
  primary key (organization_id, digest),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index login_links_by_user on login_links (organization_id, user_id);
create index login_links_by_end on login_links (expires_at);
`,
  },
  {
    name: '2026-11-25-known-devices',
    sql: `
create table known_devices (
  organization_id bigint not null,
  user_id bigint not null,
  device text not null,
  seen_at bigint not null,
  primary key (organization_id, user_id, device),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
insert into known_devices
select organization_id, user_id, device, max(used_at) from sessions group by organization_id, user_id, device;
`,
  },
  {
    name: '2026-11-28-confirmed-sessions',
    sql: `
alter table sessions add column confirmed_at bigint;
`,
  },
]
