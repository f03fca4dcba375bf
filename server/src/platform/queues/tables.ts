import type { Generated } from 'kysely'
import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    queues: {
      organization_id: number
      id: string
      user_id: number
      registration: Json<object>
      start_position: number
      last_used_at: number
      lifespan_seconds: Generated<number>
      /** Login that registered the queue. The queue ends with this login. Null for an API key. */
      session_id: Generated<number | null>
    }
  }
}
