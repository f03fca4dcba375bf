import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    consumers: {
      organization_id: number
      name: string
      /** Last handled event; moves in the transactions that handle events. */
      position: number
      /** No event up to here needs handling. Saved periodically. */
      clear_position: number
    }
  }
}
