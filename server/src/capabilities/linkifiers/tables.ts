import type { Migration } from '../../kernel/tables.ts'
import { carriedTable, type CarriedTable } from '../../platform/moving/carried.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    realm_linkifiers: {
      organization_id: number
      id: number
      pattern: string
      url_template: string
      /** Of all the organization's linkifiers, from 0. */
      position: number
    }
  }
}

export const migrations: readonly Migration[] = [
  // What becomes links in messages and topics.
  {
    name: '2026-11-22-linkifiers',
    sql: `
create table realm_linkifiers (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  pattern text not null,
  url_template text not null,
  position integer not null,
  primary key (organization_id, id)
);
`,
  },
]

/** What goes along when an organization moves. */
export const carried: readonly CarriedTable[] = [
  carriedTable('realm_linkifiers', { columns: ['id', 'pattern', 'url_template', 'position'], order: ['id'] }),
]
