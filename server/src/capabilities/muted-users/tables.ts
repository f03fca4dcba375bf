import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    muted_users: {
      organization_id: number
      user_id: number
      muted_user_id: number
      date_muted: number
      id: number
    }
  }
}
