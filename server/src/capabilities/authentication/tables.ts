import type { Generated } from 'kysely'
import '../../kernel/tables.ts'

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
