import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    consumers: {
      organization_id: number
      name: string
      /** Every event up to here is handled; it moves in the transactions that handle events. */
      position: number
      /** No event up to here is left to be handled; it moves now and then, alone. */
      clear_position: number
    }
  }
}
