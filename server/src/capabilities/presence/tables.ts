import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    presences: { organization_id: number; user_id: number; active_at: number; idle_at: number; update_id: number }
    presence_clocks: { organization_id: number; last_update_id: number }
    /** When it was noted last, once a day, that the user asked for something. */
    user_activity: { organization_id: number; user_id: number; noted_at: number }
  }
}
