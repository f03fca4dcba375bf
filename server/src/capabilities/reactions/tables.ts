import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    reactions: {
      organization_id: number
      message_id: number
      reaction_type: string
      emoji_code: string
      user_id: number
      emoji_name: string
      /** Of the event that told of it: the order in which a message shows them. */
      position: number
    }
  }
}
