import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    channel_folders: {
      organization_id: number
      id: number
      name: string
      name_key: string
      description: string
      rendered_description: string
      /** Of all the organization's folders, from 0. */
      position: number
      date_created: number | null
      creator_id: number | null
      is_archived: boolean
    }
  }
}
