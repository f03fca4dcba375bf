import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    credentials: {
      organization_id: number
      user_id: number
      password_hash: string | null
      api_key: string
      deactivation_comment: Generated<string | null>
    }
  }
}

export const migrations: readonly Migration[] = [
  // The comment of the administrator who ended an account, for its owner, who is told it when logging in is refused.
  {
    name: '2026-11-23-deactivation-comments',
    sql: `
alter table credentials add column deactivation_comment text;
`,
  },
]
