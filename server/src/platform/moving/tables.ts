import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    imports: {
      organization_id: number
      archive_digest: string
      string_id: string
      begun_at: number
      completed_at: number | null
      progress: JsonWithDefault<Record<string, number>>
      left_out: JsonWithDefault<readonly { what: string; count: number; examples: string[] }[]>
    }
    /** Maps an archive's topic IDs to this server's, because topic IDs are private to a server. */
    imported_topics: { organization_id: number; old_id: number; new_id: number }
  }
}
