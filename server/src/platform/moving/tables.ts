import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    /** Imported organizations, and the progress of running imports. */
    imports: {
      organization_id: number
      /** SHA-256 of the archive's manifest. */
      archive_digest: string
      /** Subdomain after completion. */
      string_id: string
      begun_at: number
      completed_at: number | null
      /** Bytes stored of each table. */
      progress: JsonWithDefault<Record<string, number>>
      /** Report entries so far. */
      left_out: JsonWithDefault<readonly { what: string; count: number; examples: string[] }[]>
    }
    /** Topic IDs in the archive and here. Topic IDs are private to a server. */
    imported_topics: { organization_id: number; old_id: number; new_id: number }
  }
}
