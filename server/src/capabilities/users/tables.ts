import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    users: {
      organization_id: number
      id: number
      email: string
      email_key: string
      delivery_email: string
      delivery_email_key: string
      full_name: string
      role: number
      is_active: boolean
      bot_type: number | null
      bot_owner_id: number | null
      is_system_bot: Generated<boolean>
      date_joined: number
      timezone: string
      avatar_version: number
      /** Of an uploaded picture; null for the one the server draws. */
      avatar_file: string | null
      settings: Json<Record<string, unknown>>
      profile_data: JsonWithDefault<Record<string, { value: string; rendered_value?: string }>>
      bot_habits: JsonWithDefault<Record<string, number | boolean | null>>
    }
    user_statuses: {
      organization_id: number
      user_id: number
      status_text: string
      /** Empty where there is none, as are the code and, then of no meaning, `unicode_emoji` the type. */
      emoji_name: string
      emoji_code: string
      reaction_type: string
    }
    custom_profile_fields: {
      organization_id: number
      id: number
      type: number
      display_order: number
      name: string
      hint: string
      field_data: string
      display_in_profile_summary: boolean
      required: boolean
      editable_by_user: boolean
    }
    newcomers: {
      organization_id: number
      user_id: number
      /** The words to be said in place of the organization's; null for these. */
      welcome_text: string | null
      /** Who is told that the person has come; null for nobody. */
      referrer_id: number | null
    }
  }
}

export const migrations: readonly Migration[] = [
  // The custom profile fields of organizations, and users' values of them.
  {
    name: '2026-11-22-profile-fields',
    sql: `
create table custom_profile_fields (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  type smallint not null,
  display_order integer not null,
  name text not null,
  hint text not null,
  field_data text not null,
  display_in_profile_summary boolean not null,
  required boolean not null,
  editable_by_user boolean not null,
  primary key (organization_id, id)
);

alter table users add column profile_data jsonb not null default '{}';
`,
  },
  // What people say they are about: a text, an emoji or both.
  {
    name: '2026-11-22-user-statuses',
    sql: `
create table user_statuses (
  organization_id bigint not null,
  user_id bigint not null,
  status_text text not null,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
  // People whose accounts were made and who have not been greeted or announced yet.
  {
    name: '2026-11-22-newcomers',
    sql: `
create table newcomers (
  organization_id bigint not null,
  user_id bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
  // What was agreed when somebody was invited.
  {
    name: '2026-11-25-invited-newcomers',
    sql: `
alter table newcomers add column welcome_text text, add column referrer_id bigint;
`,
  },
]
