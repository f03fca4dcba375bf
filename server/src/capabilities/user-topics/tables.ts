import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    user_topics: {
      organization_id: number
      user_id: number
      channel_id: number
      name_key: string
      topic_name: string
      visibility_policy: number
      last_updated: number
    }
  }
}
