import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    /** Of one message: a change of its content, or a move, then with both topics. */
    message_edits: {
      organization_id: number
      message_id: number
      position: number
      user_id: number
      date_edited: number
      prev_content: string | null
      prev_rendered_content: string | null
      prev_topic: string | null
      topic: string | null
      /** Both null where the channel stayed. */
      prev_channel_id: number | null
      channel_id: number | null
    }
    /** Of a whole topic, for all messages that were in it then. */
    topic_moves: {
      organization_id: number
      topic_id: number
      position: number
      user_id: number
      date_edited: number
      prev_topic: string
      topic: string
      prev_channel_id: number | null
      channel_id: number | null
    }
  }
}
