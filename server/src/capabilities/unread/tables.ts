import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    topic_reads: { organization_id: number; user_id: number; topic_id: number; read: Multirange }
    user_reads: { organization_id: number; user_id: number; read: Multirange }
  }
}
