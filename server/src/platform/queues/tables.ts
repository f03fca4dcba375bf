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
      /** How long the client asked it to stay without use. */
      lifespan_seconds: Generated<number>
      /** The session or the API token with which it was registered, and ends; null for one registered with an API key. */
      session_id: Generated<number | null>
    }
  }
}
