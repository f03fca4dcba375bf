import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    message_flags: {
      organization_id: number
      user_id: number
      message_id: number
      starred: boolean
      collapsed: boolean
      /** By name or as a member of a group. */
      mentioned: boolean
      /** Whether the message mentions the topic's participants, the user among them. */
      topic_wildcard_mentioned: boolean
      has_alert_word: boolean
    }
    topic_reads: { organization_id: number; user_id: number; topic_id: number; read: Multirange }
    user_reads: { organization_id: number; user_id: number; read: Multirange }
  }
}
