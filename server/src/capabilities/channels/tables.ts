import type { Generated } from 'kysely'
import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    channels: {
      organization_id: number
      id: number
      name: string
      name_key: string
      description: string
      rendered_description: string
      date_created: number
      creator_id: number | null
      invite_only: boolean
      is_web_public: boolean
      history_public_to_subscribers: boolean
      is_default: boolean
      is_archived: boolean
      message_retention_days: number | null
      topics_policy: string
      folder_id: number | null
      first_message_id: number | null
      is_recently_active: Generated<boolean>
      /** Messages a week, as clients are shown it; null while the channel is too young. */
      weekly_traffic: number | null
      permissions: Json<Record<string, unknown>>
    }
    /** Messages sent to a channel on a day, counted from 1970. */
    channel_traffic: { organization_id: number; channel_id: number; day: number; messages: number }
    /** Messages up to this one are in `channel_traffic`, since that day. */
    channel_traffic_counted: { organization_id: number; counted_to: number; counted_on: number }
    subscriptions: {
      organization_id: number
      user_id: number
      channel_id: number
      periods: Multirange
      /** Ended with the account, and resumes with it. */
      is_resting: Generated<boolean>
      color: string
      is_muted: boolean
      pin_to_top: boolean
      desktop_notifications: boolean | null
      audible_notifications: boolean | null
      push_notifications: boolean | null
      email_notifications: boolean | null
      wildcard_mentions_notify: boolean | null
    }
  }
}
