import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    upload_spaces: { organization_id: number; used_bytes: number; signing_key: string }
    attachments: {
      organization_id: number
      id: number
      owner_id: number
      path_id: string
      name: string
      content_type: string
      size: number
      date_created: number
      /** Null while a message links it. */
      unclaimed_since: number | null
    }
    attachment_messages: { organization_id: number; attachment_id: number; message_id: number }
  }
}
