import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    /** When it was noted last, once a day, that the user asked for something. */
    user_activity: { organization_id: number; user_id: number; noted_at: number }
  }
}
