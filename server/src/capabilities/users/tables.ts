import type { Generated } from 'kysely'
import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    users: {
      organization_id: number
      id: number
      email: string
      email_key: string
      delivery_email: string
      delivery_email_key: string
      full_name: string
      role: number
      is_active: boolean
      bot_type: number | null
      bot_owner_id: number | null
      is_system_bot: Generated<boolean>
      date_joined: number
      timezone: string
      avatar_version: number
      /** Of an uploaded picture; null for the one the server draws. */
      avatar_file: string | null
      settings: Json<Record<string, unknown>>
      profile_data: JsonWithDefault<Record<string, { value: string; rendered_value?: string }>>
      bot_habits: JsonWithDefault<Record<string, number | boolean | null>>
    }
    user_statuses: {
      organization_id: number
      user_id: number
      status_text: string
      /** Empty where there is none, as are the code and, then of no meaning, `unicode_emoji` the type. */
      emoji_name: string
      emoji_code: string
      reaction_type: string
    }
    custom_profile_fields: {
      organization_id: number
      id: number
      type: number
      display_order: number
      name: string
      hint: string
      field_data: string
      display_in_profile_summary: boolean
      required: boolean
      editable_by_user: boolean
    }
    newcomers: { organization_id: number; user_id: number }
  }
}
