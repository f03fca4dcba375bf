import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    invitations: {
      organization_id: number
      id: number
      invited_by: number
      email: string | null
      email_key: string | null
      role: number
      channel_ids: number[]
      group_ids: number[]
      includes_default_channels: boolean
      notifies_inviter: boolean
      /** Null if the invitation uses the organization's welcome message. */
      welcome_text: string | null
      invited_at: number
      resent_at: number | null
      expires_at: number | null
      /** The token itself is not stored; see `platform/tokens`. */
      seed: Buffer
      digest: Buffer
    }
    registrations: {
      organization_id: number
      digest: Buffer
      seed: Buffer
      email: string
      email_key: string
      invitation_id: number | null
      requested_at: number
      expires_at: number
    }
    invitation_mails: {
      organization_id: number
      day: number
      sent: number
    }
    inviter_mails: {
      organization_id: number
      user_id: number
      day: number
      sent: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-25-invitations',
    sql: `
create table invitations (
  organization_id bigint not null,
  id bigint not null,
  invited_by bigint not null,
  email text,
  email_key text,
  role smallint not null,
  channel_ids bigint[] not null,
  group_ids bigint[] not null,
  includes_default_channels boolean not null,
  notifies_inviter boolean not null,
  welcome_text text,
  invited_at bigint not null,
  expires_at bigint,
  seed bytea not null,
  digest bytea not null,
  primary key (organization_id, id),
  unique (organization_id, digest),
  foreign key (organization_id, invited_by) references users (organization_id, id) on delete cascade
);
create index invitations_by_email on invitations (organization_id, email_key);
create index invitations_by_end on invitations (expires_at);

create table registrations (
  organization_id bigint not null references organizations(id) on delete cascade,
  digest bytea not null,
  seed bytea not null,
  email text not null,
  email_key text not null,
  invitation_id bigint,
  requested_at bigint not null,
  expires_at bigint not null,
  primary key (organization_id, digest),
  foreign key (organization_id, invitation_id) references invitations (organization_id, id) on delete cascade
);
create index registrations_by_email on registrations (organization_id, email_key);
create index registrations_by_end on registrations (expires_at);

create table invitation_mails (
  organization_id bigint not null references organizations(id) on delete cascade,
  day bigint not null,
  sent integer not null,
  primary key (organization_id, day)
);
`,
  },
  {
    name: '2026-11-26-shares-of-inviters',
    sql: `
alter table invitations add column resent_at bigint;

create table inviter_mails (
  organization_id bigint not null,
  user_id bigint not null,
  day bigint not null,
  sent integer not null,
  primary key (organization_id, user_id, day),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
create index inviter_mails_by_day on inviter_mails (day);
`,
  },
]
