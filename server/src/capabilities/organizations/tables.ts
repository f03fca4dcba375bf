import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    organizations: { id: Generated<number>; string_id: string; position: Generated<number> }
    organization_settings: {
      organization_id: number
      name: string
      description: string
      date_created: number
      deactivated: boolean
      settings: Json<Record<string, unknown>>
      rendered_description: Generated<string>
      user_settings_defaults: JsonWithDefault<Record<string, unknown>>
      pictures: JsonWithDefault<Record<string, string>>
      pseudonym_seed: Generated<string>
    }
    realm_domains: { organization_id: number; id: number; domain: string; allow_subdomains: boolean }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-22-settings',
    sql: `
alter table organization_settings add column rendered_description text not null default '';
alter table organization_settings add column user_settings_defaults jsonb not null default '{}';
`,
  },
  {
    name: '2026-11-22-organization-pictures',
    sql: `
alter table organization_settings add column pictures jsonb not null default '{}';
`,
  },
  {
    name: '2026-11-22-email-domains',
    sql: `
create table realm_domains (
  organization_id bigint not null references organizations (id) on delete cascade,
  id bigint not null,
  domain text not null,
  allow_subdomains boolean not null,
  primary key (organization_id, id)
);
`,
  },
  {
    name: '2026-12-01-pseudonyms',
    sql: `
alter table organization_settings add column pseudonym_seed text not null default gen_random_uuid();
`,
  },
]
