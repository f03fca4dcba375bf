import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    consumers: {
      organization_id: number
      name: string
      /** Position of the last handled event, updated in the transactions that handle events. */
      position: number
      /** No event up to this position needs handling. Saved periodically. */
      clear_position: number
    }
  }
}
