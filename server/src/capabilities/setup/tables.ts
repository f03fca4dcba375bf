import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    setup_links: {
      /** The subdomain at which there is no organization yet, and so no id of one. */
      string_id: string
      /** The SHA-256 of the token, which is stored nowhere. */
      digest: Buffer
      /** The name that is suggested; empty for none. */
      name: string
      made_at: number
      expires_at: number
    }
  }
}

export const migrations: readonly Migration[] = [
  // Links with which the owner of an organization that is not there yet sets it up.
  {
    name: '2026-11-25-setup-links',
    sql: `
create table setup_links (
  string_id text not null,
  digest bytea not null,
  name text not null,
  made_at bigint not null,
  expires_at bigint not null,
  primary key (string_id, digest)
);
`,
  },
]
