import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    events: {
      organization_id: number
      position: number
      type: string
      ref_id: number | null
      audience: Json<object>
      payload: Json<object>
      changes: Json<readonly unknown[]> | null
      recorded_at: number
    }
  }
}
