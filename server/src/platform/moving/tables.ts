import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    /** Organizations that were imported, and how far those are that are being imported. */
    imports: {
      organization_id: number
      /** The SHA-256 of the archive's manifest. */
      archive_digest: string
      /** The subdomain that it gets when it is complete. */
      string_id: string
      begun_at: number
      completed_at: number | null
      /** How many bytes of each table of the archive are stored. */
      progress: JsonWithDefault<Record<string, number>>
      /** What could not be carried so far. */
      left_out: JsonWithDefault<readonly { what: string; count: number; examples: string[] }[]>
    }
    /** The numbers of topics, which are the server's own: there, and here. */
    imported_topics: { organization_id: number; old_id: number; new_id: number }
  }
}
