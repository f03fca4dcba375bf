import type { Generated } from 'kysely'
import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    reminders: {
      organization_id: number
      id: number
      user_id: number
      message_id: number
      content: string
      rendered_content: string
      delivery_at: number
      failed: Generated<boolean>
    }
  }
}
