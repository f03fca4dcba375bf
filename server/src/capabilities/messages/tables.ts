import type { Generated } from 'kysely'
import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    topics: {
      organization_id: number
      id: Generated<number>
      channel_id: number | null
      name: string
      name_key: string
      first_id: number
      max_id: number
      previous_id: number
    }
    conversations: { organization_id: number; id: number; member_ids: number[]; topic_id: number }
    conversation_members: { organization_id: number; user_id: number; conversation_id: number }
    messages: {
      organization_id: number
      id: number
      channel_id: number | null
      topic_id: number
      sender_id: number
      content: string
      rendered_content: string
      date_sent: number
      client: string
      /** Whether the text mentions the whole channel or conversation. */
      mentions_channel: boolean
      /** The topic as the message has it, where its row spells it otherwise. */
      topic_spelling: string | null
    }
    sent_local_ids: { organization_id: number; queue_id: string; local_id: string; message_id: number }
    submessages: {
      organization_id: number
      id: number
      message_id: number
      sender_id: number
      msg_type: string
      content: string
    }
  }
}
