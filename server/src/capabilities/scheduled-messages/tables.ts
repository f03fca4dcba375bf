import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    scheduled_messages: {
      organization_id: number
      id: number
      user_id: number
      channel_id: number | null
      /** Everybody in the conversation; empty for a channel. */
      member_ids: number[]
      topic: string
      content: string
      rendered_content: string
      delivery_at: number
      read_by_sender: boolean
      client: string
      failed: boolean
    }
  }
}
