import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    newcomers: { organization_id: number; user_id: number }
  }
}
