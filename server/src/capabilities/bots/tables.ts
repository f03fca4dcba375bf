import type { Generated } from 'kysely'
import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    bot_storage: { organization_id: number; user_id: number; key: string; value: string; characters: Generated<number> }
  }
}
