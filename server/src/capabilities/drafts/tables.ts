import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    drafts: {
      organization_id: number
      user_id: number
      id: number
      /** `stream`, `private` or empty. */
      type: string
      recipient_ids: number[]
      topic: string
      content: string
      last_edited: number
    }
  }
}
